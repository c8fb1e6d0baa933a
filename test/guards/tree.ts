import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A copy of the project in which one file at a time is changed. */
export interface Tree {
  folder: string;
  write(file: string, text: string): Promise<void>;
  /** Puts the project's own file back. */
  restore(file: string): Promise<void>;
  remove(): Promise<void>;
}

/** The files that git tracks or would track, with the packages and the shared samples of the checkout. */
export async function copyTree(): Promise<Tree> {
  const parent = await mkdtemp(join(tmpdir(), "outreach-guards-"));
  const folder = join(parent, "tree");
  const { stdout } = await run("git", ["ls-files", "-co", "--exclude-standard", "-z"], { maxBuffer: 16 * 1024 * 1024 });
  for (const path of stdout.split("\0").filter((name) => name !== "" && existsSync(name))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(path, join(folder, path));
  }
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await symlink(resolve("../shared"), join(parent, "shared"));
  return {
    folder,
    write: (file, text) => writeFile(join(folder, file), text),
    restore: (file) => cp(file, join(folder, file)),
    remove: () => rm(parent, { recursive: true, force: true }),
  };
}
