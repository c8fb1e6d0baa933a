import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { historyFromJSON } from "@temporalio/common/lib/proto-utils.js";
import { bundleWorkflowCode, DefaultLogger, Worker } from "@temporalio/worker";
import { RUNS_THAT_NEED_THIS_VERSION } from "../../runtime/deployment.ts";
import { sharedBundle } from "../support/server-host.ts";
import { newestRelease, unpackRelease, WITHOUT_RELEASE } from "../system/two-releases.ts";
import { installQuietRuntime } from "./environment.ts";
import { nameOf, STORIES } from "./histories.ts";
import { recordStories } from "./recorder.ts";

/** What a rollback to the previous release does to open runs: histories of this version replay on its workflow code. */
const { version, isHere } = newestRelease();
const withRelease = isHere ? test : test.skip;

let folder: string;
const histories = new Map<string, string>();
let outcomes: ReadonlyMap<string, unknown>;

beforeAll(async () => {
  if (!isHere) return;
  installQuietRuntime();
  folder = mkdtempSync(join(tmpdir(), "outreach-release-"));
  unpackRelease(folder, ["workflows", "domain", "package.json"]);
  const released = await bundleWorkflowCode({ workflowsPath: entryOf(folder), logger: new DefaultLogger("ERROR") });
  const recorded = STORIES.filter(({ before }) => before === undefined);
  await recordStories(recorded, sharedBundle(), (story, history) => histories.set(nameOf(story), history));
  outcomes = await replay(released);
}, 400_000);

afterAll(() => rmSync(folder ?? join(tmpdir(), "outreach-release-none"), { recursive: true, force: true }));

/** The entry of the bundle, which an earlier release had elsewhere. */
function entryOf(root: string): string {
  const entry = join(root, "workflows", "versions.ts");
  return existsSync(entry) ? entry : join(root, "workflows", "index.ts");
}

async function replay(bundle: { code: string }) {
  const found = new Map<string, unknown>();
  const input = [...histories].map(([workflowId, text]) => ({
    workflowId,
    history: historyFromJSON(JSON.parse(text)),
  }));
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle: bundle }, input))
    found.set(workflowId, error ?? null);
  return found;
}

/** Whether a run has taken a step that `deployment rollback` knows the release to lack. */
function isKnown(name: string): boolean {
  const text = histories.get(name) ?? "";
  const marked = [...text.matchAll(/"data":"([A-Za-z0-9+/=]+)"/g)].map(([, data = ""]) => atob(data)).join();
  return RUNS_THAT_NEED_THIS_VERSION.some(
    ({ workflow, change, lastReleaseWithout }) =>
      lastReleaseWithout === version && name.startsWith(`${workflow}.`) && marked.includes(`"${change}"`),
  );
}

withRelease(
  `every run of this version continues on release ${version || "before"}${WITHOUT_RELEASE}, except those for which a rollback is refused`,
  () => {
    expect(histories.size).toBeGreaterThan(40);
    const failed = [...outcomes].flatMap(([name, error]) => (error === null ? [] : [name]));
    // Each of these is in RUNS_THAT_NEED_THIS_VERSION and in docs/releases.md. If another one is here, let a release read both
    // shapes before one writes the new shape
    expect(failed).toEqual([...histories.keys()].filter(isKnown));
  },
);

test("docs/releases.md names every change for which a rollback is refused", () => {
  const text = readFileSync("docs/releases.md", "utf8");
  for (const { workflow, change } of RUNS_THAT_NEED_THIS_VERSION)
    expect(text).toMatch(new RegExp(`\`${workflow}\`.*\`${change}\``));
});
