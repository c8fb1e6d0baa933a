import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";

/** Lines that a failing test prints at most, with its name and the place in the code: more hides the other failures. */
const MOST_LINES = 36;
const FRAMES = 5;
const FRAME = /^\s+at /;

/**
 * Cuts what a failed test prints to `MOST_LINES` lines: the beginning and the end of the message, and the nearest
 * frames of the stack. The whole text goes to a file, which the printed text names.
 */
export function shorten(failure: unknown): unknown {
  if (!(failure instanceof Error) || failure.stack === undefined) return failure;
  // Jest prints no cause, and "fetch failed" alone says nothing
  if (failure.cause !== undefined) failure.stack += `\nCause: ${inspect(failure.cause)}`;
  const lines = failure.stack.split("\n");
  if (lines.length <= MOST_LINES) return failure;
  const message = lines.filter((line) => !FRAME.test(line));
  const frames = lines.filter((line) => FRAME.test(line) && !line.includes("node_modules")).slice(0, FRAMES);
  const path = join(tmpdir(), `outreach-failure-${process.pid}-${Date.now()}.txt`);
  writeFileSync(path, failure.stack);
  const room = MOST_LINES - frames.length - 1;
  const shown = message.length <= room ? message : [...message.slice(0, room - 8), "…", ...message.slice(-7)];
  failure.stack = [...shown, ...frames, `    (all ${lines.length} lines: ${path})`].join("\n");
  return failure;
}
