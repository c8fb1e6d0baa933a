import { Worker } from "node:worker_threads";
import pLimit from "p-limit";

/** Creates one workbook at a time, because twenty thousand rows take a second and a hundred megabytes. */
const turn = pLimit(1);
const MOST_MEGABYTES = 512;

/**
 * Creates a workbook with one sheet. It runs in a worker thread, so that other requests do not wait for it. Each cell
 * is text, never a formula.
 */
export function workbookOf(rows: readonly (readonly string[])[]): Promise<Buffer> {
  return turn(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        const worker = new Worker(new URL("./workbook-worker.ts", import.meta.url), {
          workerData: rows,
          execArgv: ["--no-warnings"],
          resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
        });
        worker.once("message", (bytes: Uint8Array) => resolve(Buffer.from(bytes)));
        worker.once("error", reject);
        worker.once("exit", () => reject(new Error("The worker thread ended without a workbook")));
      }),
  );
}
