import { writeFileSync } from "node:fs";
import { startServerHost } from "../../support/server-host.ts";
import { startJobsWorld } from "./jobs-world.ts";
import { runJobs } from "./run-jobs.ts";
import { TRANSCRIPT_FILE, transcriptOf } from "./transcript.ts";

// `npm run docs:agents`
const host = await startServerHost();
process.env["TEST_SERVER_HOST"] = host.url;
const world = await startJobsWorld();
try {
  writeFileSync(TRANSCRIPT_FILE, transcriptOf(await runJobs(world)));
} finally {
  await world.close();
  await host.stop();
}
