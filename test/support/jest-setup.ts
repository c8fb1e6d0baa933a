import { registerHooks } from "node:module";
import fc from "fast-check";
import { addEventHandler } from "jest-circus";
import { shorten } from "./short-failure.ts";

/** The runner runs tests in bare Node. This file says what the imports from Jest mean, and how long a test may take. */
const globals = new URL("./jest-globals.ts", import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "@jest/globals" ? { url: globals, shortCircuit: true } : next(specifier, context),
});

/**
 * Every run tries the same random cases, so a case that passed once passes again. With FAST_CHECK_SEED a run tries
 * other cases.
 */
fc.configureGlobal({ seed: Number(process.env["FAST_CHECK_SEED"] ?? 20_261_124) });

/**
 * The least time limit of a test or hook. A limit ends what hangs and proves nothing, so one that is written shorter is
 * not kept.
 */
const LIMIT_MS = 600_000;

addEventHandler((event, { currentDescribeBlock: { children, hooks } }) => {
  const added = event.name === "add_test" ? children.at(-1) : event.name === "add_hook" ? hooks.at(-1) : undefined;
  if (added !== undefined && "fn" in added && added.fn)
    added.fn = within(added.fn as () => unknown, Math.max(added.timeout ?? 0, LIMIT_MS));
});

/** A test that hangs fails, and the tests behind it run. */
function within(run: () => unknown, limitMs: number): () => Promise<void> {
  return async () => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`It did not end within ${limitMs} ms`)), limitMs);
    });
    try {
      await Promise.race([run(), late]);
    } catch (err) {
      throw shorten(err);
    } finally {
      clearTimeout(timer);
    }
  };
}
