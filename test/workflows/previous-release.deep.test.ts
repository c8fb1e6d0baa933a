import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { historyFromJSON } from "@temporalio/common/lib/proto-utils.js";
import { bundleWorkflowCode, DefaultLogger, Worker } from "@temporalio/worker";
import { RUNS_THAT_NEED_THIS_VERSION } from "../../runtime/deployment.ts";
import { sharedBundle } from "../support/server-host.ts";
import { installQuietRuntime } from "./environment.ts";
import { nameOf, STORIES } from "./histories.ts";
import { recordStories } from "./recorder.ts";

/** What a rollback to the previous release does to open runs: histories of this version replay on its workflow code. */
const [, version = "", commit = ""] =
  /^\| (\d+\.\d+\.\d+) \| [\d-]+ \| ([0-9a-f]{40}) \|$/m.exec(readFileSync("docs/releases.md", "utf8")) ?? [];
const hasCommit = spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`]).status === 0;
const withRelease = hasCommit ? test : test.skip;
const reason = hasCommit ? "" : ": this clone does not have its commit, and `git fetch --unshallow` gets it";

let folder: string;
const histories = new Map<string, string>();
let outcomes: ReadonlyMap<string, unknown>;

beforeAll(async () => {
  if (!hasCommit) return;
  installQuietRuntime();
  folder = mkdtempSync(join(tmpdir(), "outreach-release-"));
  const archive = execFileSync("git", ["archive", commit, "workflows", "domain", "package.json"], {
    maxBuffer: 1e9,
  });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
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
  `every run of this version continues on release ${version || "before"}${reason}, except those for which a rollback is refused`,
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
