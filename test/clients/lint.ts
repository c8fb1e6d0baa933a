import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openapiOf } from "../../api/openapi.ts";
import { routes } from "../../api/routes.ts";
import { npmFolder, runTool } from "./tools.ts";

/** `npm run test:reference`: Spectral and Redocly, each with its recommended rules, find nothing in the reference. */
const LINTERS = { "@stoplight/spectral-cli": "6.16.3", "@redocly/cli": "2.77.0" };
/**
 * Fixed paths stand beside ids (`/webhooks/deliveries/{deliveryId}` and `/webhooks/{webhookId}/test`): ids have a
 * prefix, so none is a word.
 */
const REDOCLY = { extends: ["recommended"], rules: { "no-ambiguous-paths": "off" }, telemetry: "off" };

const folder = await npmFolder("reference-lint", LINTERS).catch((err: unknown) => {
  console.log(`test:reference skipped: ${err instanceof Error ? err.message.split("\n")[0] : String(err)}`);
  return null;
});
if (folder !== null) {
  await writeFile(join(folder, "openapi.json"), JSON.stringify(openapiOf(routes, "https://outreach.test")));
  await writeFile(join(folder, ".spectral.json"), JSON.stringify({ extends: ["spectral:oas"] }));
  await writeFile(join(folder, "redocly.yaml"), JSON.stringify(REDOCLY));
  const bin = (name: string) => join(folder, "node_modules/.bin", name);
  const quiet = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  await judge("Spectral", () =>
    runTool(bin("spectral"), ["lint", "openapi.json", "-r", ".spectral.json", "--fail-severity", "hint"], folder),
  );
  await judge("Redocly", () =>
    runTool(bin("redocly"), ["lint", "openapi.json", "--format", "stylish", "--max-problems", "50"], folder, quiet),
  );
}

/** Redocly exits with 0 despite warnings, so its output counts. */
async function judge(name: string, lint: () => Promise<string>): Promise<void> {
  const said = await lint().catch((err: unknown) => `error ${err instanceof Error ? err.message : String(err)}`);
  const isClean = !/\b(?:warning|error)\b/i.test(
    said.replaceAll(/severity of 'error'|No results with a severity of 'hint'/g, ""),
  );
  console.log(isClean ? `${name}: nothing` : `${name}: ${said}`);
  if (!isClean) process.exitCode = 1;
}
