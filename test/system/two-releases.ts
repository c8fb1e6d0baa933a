import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

/** The newest release in docs/releases.md, and whether this clone has its commit. */
export function newestRelease(): { version: string; commit: string; isHere: boolean } {
  const text = readFileSync("docs/releases.md", "utf8");
  const [, version = "", commit = ""] = /^\| (\d+\.\d+\.\d+) \| [\d-]+ \| ([0-9a-f]{40}) \|$/m.exec(text) ?? [];
  return { version, commit, isHere: spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`]).status === 0 };
}

/** Why a test that needs the release is skipped; empty if this clone has it. */
export const WITHOUT_RELEASE = newestRelease().isHere
  ? ""
  : ": this clone does not have its commit, and `git fetch --unshallow` gets it";

/** Writes folders of the release to `folder`; all of it if none are named. It uses the packages of this version. */
export function unpackRelease(folder: string, paths: readonly string[] = []): string {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", newestRelease().commit, ...paths], { maxBuffer: 1e9 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  return folder;
}
