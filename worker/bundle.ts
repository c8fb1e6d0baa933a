import { writeFile } from "node:fs/promises";
import { createLog } from "../runtime/log.ts";
import { bundleWorkflows } from "./queues.ts";
import { BUNDLE } from "./start.ts";

// Run while an image is built. It bundles the workflows into one script, so that workers need not do so when they
// start.
const { code } = await bundleWorkflows(createLog("warn"));
await writeFile(BUNDLE, code);
