import { test } from "@jest/globals";
import { programEnv, readConfig } from "../../config.ts";
import { findTemporal } from "../../embedded/programs/temporal-program.ts";

/**
 * How a test finds the server that is built from our Go module. The Temporal CLI shows its web pages to anybody, so it
 * is not suitable.
 */
export const temporalWithPages = { binary: readConfig().TEMPORAL_BIN ?? undefined, env: programEnv(), log: () => {} };

const why = await findTemporal({ ...temporalWithPages, withPages: true }).then(
  () => null,
  (err: unknown) => String(err),
);
if (why !== null) console.info(`Skipped: ${why}`);

export const hasPages = why === null;
/** A test of Temporal's web pages; skipped with its reason where their server cannot be built. */
export const inPages = hasPages ? test : test.skip;
