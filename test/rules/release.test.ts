import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";

const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const inRepository = (script: string) => script.replace("test/support/release.ts", resolve("test/support/release.ts"));
const TODAY = /\d{4}-\d{2}-\d{2}/;

let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "release-"));
  for (const inside of ["docs", "ops/helm/outreach"]) mkdirSync(join(folder, inside), { recursive: true });
  const own = { version: inRepository(scripts.version), postversion: inRepository(scripts.postversion) };
  write("package.json", JSON.stringify({ name: "a-copy", version: "1.0.0", scripts: own }));
  write(".npmrc", readFileSync(".npmrc", "utf8"));
  write("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 1.0.0\n\nThe first.\n");
  write("docker-compose.yml", "services:\n  api:\n    image: outreach:1.0.0\n  mongo:\n    image: mongo:8.0.4\n");
  write("ops/helm/outreach/Chart.yaml", "apiVersion: v2\nname: outreach\nversion: 1.0.0\nappVersion: 1.0.0\n");
  write("docs/releases.md", readFileSync("docs/releases.md", "utf8").replaceAll(/^\| \d.*\n/gm, ""));
  git("init", "--quiet", "--initial-branch=main");
  git("add", ".");
  git("commit", "--quiet", "--message=first");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a release updates changelog, version, image tag, chart and release table, and tags the commit", () => {
  expect(release("minor").status).toBe(0);
  expect(JSON.parse(read("package.json")).version).toBe("1.1.0");
  expect(read("CHANGELOG.md").replace(TODAY, "today")).toBe(
    "# Changelog\n\n## Unreleased\n\n## 1.1.0 (today)\n\n- Something new.\n\n## 1.0.0\n\nThe first.\n",
  );
  expect(read("docker-compose.yml")).toBe(
    "services:\n  api:\n    image: outreach:1.1.0\n  mongo:\n    image: mongo:8.0.4\n",
  );
  expect(read("ops/helm/outreach/Chart.yaml")).toBe(
    "apiVersion: v2\nname: outreach\nversion: 1.1.0\nappVersion: 1.1.0\n",
  );
  const tagged = git("rev-parse", "v1.1.0^{commit}").trim();
  expect(read("docs/releases.md")).toMatch(new RegExp(`\\| 1\\.1\\.0 \\| ${TODAY.source} \\| ${tagged} \\|`));
  expect(git("log", "--format=%s").trim().split("\n")).toEqual([
    "docs: the commit of release 1.1.0",
    "chore(release): 1.1.0",
    "first",
  ]);
  expect(git("status", "--porcelain")).toBe("");
});

test("a release with nothing under Unreleased is refused, without a commit or a tag", () => {
  const { status, stderr } = release("patch");
  expect(status).not.toBe(0);
  expect(stderr).toContain('Nothing is under "## Unreleased"');
  expect(git("tag").trim()).toBe("v1.1.0");
  expect(git("log", "--format=%s").trim().split("\n")).toHaveLength(3);
});

function release(kind: string) {
  return spawnSync("npm", ["version", kind], { cwd: folder, encoding: "utf8", env: environment() });
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: folder, encoding: "utf8", env: environment() });
}

/** The settings of the machine and of the `npm` that runs the tests do not count here. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|GIT_)/i.test(name));
  const name = {
    GIT_AUTHOR_NAME: "A",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "A",
    GIT_COMMITTER_EMAIL: "a@example.com",
  };
  return { ...Object.fromEntries(own), ...name, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
}

function read(name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, name), text);
}
