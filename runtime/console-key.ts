import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
/** Everything that goes into the bundle: the pages, their imports, and the limits of their forms. */
const SOURCES = ["console", "domain", "operations", "api"];

/** Names a build by its content: the same sources and packages give the same build. */
export async function loadConsoleKey(): Promise<string> {
  const hash = createHash("sha256");
  for (const folder of SOURCES) {
    const names = (await readdir(join(ROOT, folder), { recursive: true })).filter((name) => isSource(name)).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(ROOT, folder, name))));
    for (const [index, text] of texts.entries()) hash.update(`${folder}/${names[index]}\0`).update(text);
  }
  hash.update(await readFile(join(ROOT, "package-lock.json")));
  return hash.digest("hex").slice(0, 16);
}

function isSource(name: string): boolean {
  return /\.(?:tsx?|css|html|json)$/.test(name) && !name.startsWith("dist");
}
