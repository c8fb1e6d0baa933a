import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { lock } from "../lock.ts";
import { Absent, type Program, type ProgramEnv, type Source, type WriteLine } from "./find.ts";

/** A way to get a program that is worth caching. Its product is cached under a name that contains the version. */
export interface Road {
  name: string;
  /** The name of the file or folder in the cache. */
  entry: string;
  /** The path of the program inside a folder. */
  member?: string;
  /** Writes the file or folder to `part`. Throws when this way is not available. */
  make(part: string): Promise<void>;
}

/** The folder in which downloaded and built programs are cached. */
export function cacheFolder(env: ProgramEnv): string {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache"), "outreach");
}

/** Sources that look first for each cached product, then try each way itself. */
export function cacheThenRoads(program: Program, folder: string, roads: readonly Road[], log: WriteLine): Source[] {
  return [
    ...roads.map((road) => ({ name: `cache (${road.entry})`, find: async () => findInFolder(folder, road) })),
    ...roads.map((road) => ({ name: road.name, find: () => install(program, folder, road, log) })),
  ];
}

/**
 * Gets a program and caches it. Several processes may do so at the same time: one works, and the others wait and take
 * its product. The product appears by a rename, and only after the program has answered with a supported version.
 */
export async function install(program: Program, folder: string, road: Road, log: WriteLine): Promise<string> {
  await mkdir(folder, { recursive: true });
  const target = join(folder, road.entry);
  const inside = (path: string) => (road.member ? join(path, road.member) : path);
  const release = await lock(`${target}.lock`, () => log(`Waiting for another process that fetches ${program.name}`));
  const part = `${target}.${process.pid}.part`;
  try {
    if (await isUsable(program, inside(target))) return inside(target);
    await road.make(part);
    await program.check(inside(part));
    await rm(target, { recursive: true, force: true });
    await rename(part, target);
    return inside(target);
  } finally {
    await rm(part, { recursive: true, force: true });
    release();
  }
}

function findInFolder(folder: string, road: Road): string {
  const path = join(folder, road.entry, road.member ?? "");
  if (!existsSync(path)) throw new Absent(`not in ${folder}`);
  return path;
}

async function isUsable(program: Program, path: string): Promise<boolean> {
  return program.check(path).then(
    () => true,
    () => false,
  );
}
