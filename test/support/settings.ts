import { readFileSync, writeFileSync } from "node:fs";
import { z } from "zod";
import { settings } from "../../config.ts";

const BEGIN = "<!-- settings: written by `npm run docs` from config.ts -->";
const END = "<!-- end of settings -->";

/** The text with the table of settings as config.ts has it now. @throws Error when the place for it is missing. */
export function withSettings(readme: string): string {
  const [before, rest] = readme.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined) throw new Error(`README.md must have ${BEGIN} and ${END}`);
  return `${before}${BEGIN}\n${table()}\n${END}${after}`;
}

function table(): string {
  const rows = Object.entries(settings.shape).map(
    ([name, schema]) =>
      `| \`${name}\` | ${defaultOf(schema)} | ${z.globalRegistry.get(schema)?.description?.replaceAll("<", "&lt;") ?? ""} |`,
  );
  return ["| Variable | Default | What |", "|---|---|---|", ...rows].join("\n");
}

function defaultOf(schema: z.ZodType): string {
  const { data } = schema.safeParse(undefined);
  const text = typeof data === "boolean" ? String(Number(data)) : Array.isArray(data) ? data.join(",") : String(data ?? "");
  return text === "" ? "" : `\`${text}\``;
}

if (import.meta.main) writeFileSync("README.md", withSettings(readFileSync("README.md", "utf8")));
