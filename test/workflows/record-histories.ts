// Records the paths through workflows that have no history yet: `npm run histories`. Existing histories are never overwritten, because
// runs of that time are still open. A change of workflow code keeps them working by patched(), and gets a story for each side.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWorkflowCode, DefaultLogger } from "@temporalio/worker";
import { createLog } from "../../runtime/log.ts";
import { bundleWorkflows } from "../../worker/queues.ts";
import { nameOf, STORIES, type Story } from "./histories.ts";
import { recordStories } from "./recorder.ts";

const HISTORIES = fileURLToPath(new URL("../histories/", import.meta.url));
const WORKFLOWS = fileURLToPath(new URL("../../workflows/", import.meta.url));
/** Placed beside `workflows/`, so that its imports still resolve. */
const BEFORE = fileURLToPath(new URL("../../workflows-before/", import.meta.url));

const missing = STORIES.filter((story) => !existsSync(fileOf(story)));
for (const [before, stories] of Map.groupBy(missing, (story) => story.before)) {
  await recordStories(stories, bundleFor(before), (story, history) => {
    writeFileSync(fileOf(story), `${history}\n`);
    process.stdout.write(`${nameOf(story)}\n`);
  });
}

function fileOf(story: Story): string {
  return join(HISTORIES, `${nameOf(story)}.json`);
}

/** The workflows as they are now, or as they were before a change: `patched()` is then false for that change. */
async function bundleFor(before: string | undefined): ReturnType<typeof bundleWorkflows> {
  if (before === undefined) return bundleWorkflows(createLog("error"));
  await cp(WORKFLOWS, BEFORE, { recursive: true });
  try {
    for (const file of readdirSync(BEFORE)) {
      const path = join(BEFORE, file);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(`patched("${before}")`, "false"));
    }
    return await bundleWorkflowCode({ workflowsPath: join(BEFORE, "index.ts"), logger: new DefaultLogger("ERROR") });
  } finally {
    await rm(BEFORE, { recursive: true, force: true });
  }
}
