import { flushCompileCache } from "node:module";

/**
 * The test runner sends all its processes their data as soon as the first of them asks. A process that is still loading
 * has no listener yet and never gets the message again, so the run waits for it for ever. Loaded before anything else,
 * this keeps the message until a listener is there.
 */
const FLUSH_MS = 15_000;

if (process.env.TINYPOOL_WORKER_ID !== undefined && process.channel) {
  let told;
  process.on("message", (message) => {
    if (message?.type === "jest-light-runner-worker-data") told = message;
  });
  process.on("newListener", (event) => {
    if (event === "message" && told !== undefined) setImmediate(() => process.emit("message", told));
  });
  // The runner ends its processes before they could keep what they have compiled
  setTimeout(flushCompileCache, FLUSH_MS).unref();
  const { TEST_RECORDINGS: recordings } = process.env;
  if (recordings !== undefined) (await import("./recording.js")).recordTestFiles(recordings);
}
