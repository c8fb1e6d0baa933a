import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };

const ROOT = join(import.meta.dirname, "..");
/**
 * The folders whose code affects the replay of a workflow. They are hashed from the sources, because only one process
 * bundles the workflows.
 */
const SOURCES = ["workflows", "domain"];

/** The build id of this process in Temporal: the release, and a hash of the workflow code. */
export function buildIdOfSources(): string {
  const hash = createHash("sha256");
  for (const folder of SOURCES) {
    const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).filter((file) =>
      /\.(ts|json)$/.test(file),
    );
    for (const file of files.sort()) hash.update(`${folder}/${file}\0`).update(readFileSync(join(ROOT, folder, file)));
  }
  return `${manifest.version}-${hash.digest("hex").slice(0, 12)}`;
}
