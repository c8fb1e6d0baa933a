import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";

/**
 * What a person reads when the service is ready. The first key is shown only on a terminal and written to its file, because any other
 * reader of this output, such as a log, would store it.
 */
export async function welcome({ DATA_DIR, PUBLIC_URL, TRACK_URL, MONGODB_URI }: Config, uiUrl: string | null): Promise<string> {
  const { ensureWorkspace, firstKey, firstLink } = await import("../operations/access/first-start.ts");
  const isTerminal = process.stdout.isTTY === true;
  const file = MONGODB_URI === null ? join(DATA_DIR, "first-api-key") : null;
  await ensureWorkspace();
  // No key is made that nobody could read
  const key = isTerminal || file !== null ? await firstKey() : null;
  if (key !== null && file !== null) await writeFile(file, `${key}\n`, { mode: 0o600, flush: true });
  const kept = file !== null && existsSync(file) ? file : null;
  const shown = isTerminal ? key : null;
  const link = isTerminal || file !== null ? await firstLink() : null;
  const linkFile = MONGODB_URI === null ? join(DATA_DIR, "first-sign-in") : null;
  if (link !== null && linkFile !== null) await writeFile(linkFile, `${PUBLIC_URL}/sign-in/${link}\n`, { mode: 0o600, flush: true });
  const lines = [
    `Ready: ${PUBLIC_URL}`,
    signInLine(PUBLIC_URL, link, isTerminal ? null : linkFile),
    keyLine(shown, kept),
    ...(TRACK_URL.startsWith("https:")
      ? []
      : ["Links in mails: plain http, for development alone; a proxy that ends TLS makes them https"]),
    ...(uiUrl === null ? [] : [`Temporal UI: ${uiUrl}`]),
    `Try: curl -H "Authorization: Bearer ${shown ?? (kept === null ? "<key>" : `$(cat ${kept})`)}" ${PUBLIC_URL}/api/v1/whoami`,
  ];
  return `\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/** A link opens the service to whoever reads it, so a log gets the name of its file alone. */
function signInLine(publicUrl: string, link: string | null, file: string | null): string {
  if (link === null) return `Sign in: ${publicUrl}/login`;
  return file === null
    ? `Sign in, with a link that is good once and for a day:\n    ${publicUrl}/sign-in/${link}`
    : `Sign in: by the link in ${file}`;
}

function keyLine(shown: string | null, kept: string | null): string {
  if (shown !== null) return `API key with every scope, shown only this once${kept === null ? "" : ` and kept in ${kept}`}:\n    ${shown}`;
  return kept === null ? "API key: `npm run key:create` makes one" : `API key: in ${kept}`;
}
