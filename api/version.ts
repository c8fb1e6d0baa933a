import { readFileSync } from "node:fs";
import { z } from "zod";

const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");

/** The version of the service, from its package file. */
export const { version: VERSION } = z.object({ version: z.string() }).parse(JSON.parse(manifest));
