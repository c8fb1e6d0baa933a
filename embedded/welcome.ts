import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { KeyRing } from "../domain/access/seal.ts";

type Settings = Pick<Config, "DATA_DIR" | "PUBLIC_URL" | "TRACK_URL" | "MONGODB_URI">;

/**
 * The text that a person reads when the service is ready. The first key is shown only on a terminal and written to its
 * file, because any other reader of this output, such as a log, would store it.
 */
export async function welcome(
  { DATA_DIR, PUBLIC_URL, TRACK_URL, MONGODB_URI }: Settings,
  ring: KeyRing,
  uiUrl: string | null,
): Promise<string> {
  const { ensureWorkspace, firstKey } = await import("../operations/access/first-start.ts");
  const isTerminal = process.stdout.isTTY === true;
  const file = MONGODB_URI === null ? join(DATA_DIR, "first-api-key") : null;
  await ensureWorkspace();
  // No key is made that no one could read
  const key = isTerminal || file !== null ? await firstKey() : null;
  if (key !== null && file !== null) await writeFile(file, `${key}\n`, { mode: 0o600, flush: true });
  const keyFile = file !== null && existsSync(file) ? file : null;
  const shown = isTerminal ? key : null;
  const lines = [
    `Ready: ${PUBLIC_URL}`,
    await signInLine(PUBLIC_URL, ring, {
      isTerminal,
      file: MONGODB_URI === null ? join(DATA_DIR, "first-sign-in") : null,
    }),
    keyLine(shown, keyFile),
    ...(TRACK_URL.startsWith("https:")
      ? []
      : ["Links in emails: plain http, for development only; a proxy that terminates TLS makes them https"]),
    ...(uiUrl === null ? [] : [`Temporal UI: ${uiUrl}`]),
    `Try: curl -H "Authorization: Bearer ${shown ?? (keyFile === null ? "<key>" : `$(cat ${keyFile})`)}" ${PUBLIC_URL}/api/v1/whoami`,
  ];
  return `\n${lines.map((line) => `  ${line}\n`).join("")}`;
}

/**
 * How to sign in: by the link of the first start until the first person has a password, then at the sign-in page. The
 * link opens the service to every reader, so a log gets only the name of its file, or the command that shows it.
 */
async function signInLine(
  publicUrl: string,
  ring: KeyRing,
  to: { isTerminal: boolean; file: string | null },
): Promise<string> {
  const { firstLink } = await import("../operations/access/first-start.ts");
  const { isUnclaimed } = await import("../operations/sign-in/people.ts");
  if (!(await isUnclaimed())) {
    if (to.file !== null) await rm(to.file, { force: true }); // the link in it no longer works
    return `Sign in: ${publicUrl}/login\n    Without a password: npm run user:link -- --email <address>`;
  }
  // No link is made where it could not be read
  if (!to.isTerminal && to.file === null) return "Sign in: `npm run user:link` shows the first sign-in link";
  const { token, expiresAt } = await firstLink(ring);
  const link = `${publicUrl}/sign-in/${token}`;
  if (to.file !== null) await writeFile(to.file, `${link}\n`, { mode: 0o600, flush: true });
  const until = `${expiresAt.toISOString().slice(0, 16).replace("T", " ")} UTC`;
  return to.isTerminal
    ? `Sign in, with a link that works once, until ${until}:\n    ${link}`
    : `Sign in: open the link in ${to.file} before ${until}`;
}

function keyLine(shown: string | null, keyFile: string | null): string {
  if (shown !== null)
    return `API key with every scope, shown only once${keyFile === null ? "" : ` and saved in ${keyFile}`}:
    ${shown}`;
  return keyFile === null ? "API key: `npm run key:create` creates one" : `API key: in ${keyFile}`;
}
