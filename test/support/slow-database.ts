import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import mongoose from "mongoose";
import { startFailingMongod } from "./flagged-mongod.ts";
import { startWorld, type World } from "./world.ts";

const MAX_TIME_EXPIRED = 50;

/** A world whose database answers reads of one collection too late, as a busy one does. */
export interface SlowDatabase {
  readonly world: World;
  /** Reads of this collection take too long until the next call; null: none does. */
  expire(collection: string | null): Promise<void>;
}

/** Registers the hooks of a test file that uses it. */
export function useSlowDatabase(): SlowDatabase {
  let folder: string;
  let mongod: Awaited<ReturnType<typeof startFailingMongod>>;
  let world: World;
  const expire = (collection: string | null) => {
    if (collection === null) return mongod.fail(null);
    const namespace = `${mongoose.connection.name}.${collection}`;
    return mongod.fail({ failCommands: ["find", "aggregate"], errorCode: MAX_TIME_EXPIRED, namespace });
  };
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "outreach-slow-"));
    mongod = await startFailingMongod(folder);
    world = await startWorld({ mongodbUri: mongod.uri });
  }, 60_000);
  afterEach(() => expire(null));
  afterAll(async () => {
    await world.close();
    await mongod.stop();
    await rm(folder, { recursive: true, force: true });
  });
  return {
    get world() {
      return world;
    },
    expire,
  };
}
