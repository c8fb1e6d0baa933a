import { writeFile } from "node:fs/promises";
import { createLog } from "../runtime/log.ts";
import { bundleOf } from "./queues.ts";
import { BUNDLE } from "./start.ts";

// Run while an image is built: the workflows as one script, so that no worker spends its start on it.
const { code } = await bundleOf(createLog("warn"));
await writeFile(BUNDLE, code);
