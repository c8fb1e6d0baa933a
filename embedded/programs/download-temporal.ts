// A separate program: `node download-temporal.ts <dev-server|time-skipping> <version> <folder>` prints the path of the
// binary.
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { TestWorkflowEnvironment } from "@temporalio/testing";

// The caller shows the last line.
process.on("uncaughtException", (err) => {
  console.error(err.message);
  process.exit(1);
});

const [type, version, downloadDir] = process.argv.slice(2);
if (!version || !downloadDir)
  throw new Error("usage: download-temporal.ts <dev-server|time-skipping> <version> <folder>");

// The SDK has no call that only downloads, so a server is started once.
const executable = { type: "cached-download", downloadDir, version } as const;
const environment =
  type === "time-skipping"
    ? await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })
    : await TestWorkflowEnvironment.createLocal({ server: { executable } });
await environment.teardown();
const [file] = await readdir(downloadDir);
if (!file) throw new Error(`nothing was downloaded to ${downloadDir}`);
console.log(join(downloadDir, file));
