import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll } from "@jest/globals";

const { PATH, HOME, XDG_CACHE_HOME } = process.env;

export const env = { PATH, HOME, XDG_CACHE_HOME };

export const log = () => {};

export const found = { binary: undefined, env, log };

const folders: string[] = [];

export async function newFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "embedded-test-"));
  folders.push(path);
  return path;
}

export async function until(condition: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error("waited in vain");
    await delay(20);
  }
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  afterAll(async () => {
    await Promise.all(folders.map((path) => rm(path, { recursive: true, force: true })));
  });
}
