import { writeFileSync } from "node:fs";
import { z } from "zod";
import { settings } from "../../config.ts";

export const SETTINGS_FILE = "docs/settings.md";

const HEAD = `# Settings

Written by \`npm run docs\` from \`config.ts\`, the only reader of the environment. Every setting is an environment variable; an empty
one counts as unset. Each can stand in a file instead, which the variable with \`_FILE\` behind its name points to, such as
\`SECRET_KEY_FILE=/run/secrets/secret-key\`; one line end at the end of the file is left out. A setting that cannot be used ends the
start with its name and what to do, never with its value. The two mail providers are set whole or not at all: their servers alone serve
passwords, a consent needs the rest too. What reaches a Temporal server may also stand in Temporal's own profile file
(\`TEMPORAL_PROFILE\`, \`TEMPORAL_CONFIG_FILE\`); a variable counts more than the profile.
`;

/** The page of settings as config.ts has them now. */
export function settingsPage(): string {
  const rows = Object.entries(settings.shape).map(
    ([name, schema]) =>
      `| \`${name}\` | ${defaultOf(schema)} | ${z.globalRegistry.get(schema)?.description?.replaceAll("<", "&lt;") ?? ""} |`,
  );
  return [HEAD, "| Variable | Default | What |", "|---|---|---|", ...rows, ""].join("\n");
}

function defaultOf(schema: z.ZodType): string {
  const { data } = schema.safeParse(undefined);
  const text =
    typeof data === "boolean" ? String(Number(data)) : Array.isArray(data) ? data.join(",") : String(data ?? "");
  return text === "" ? "" : `\`${text}\``;
}

if (import.meta.main) writeFileSync(SETTINGS_FILE, settingsPage());
