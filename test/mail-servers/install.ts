import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
interface Wanted {
  programs: readonly string[];
  packages: readonly string[];
}

const SERVERS: Wanted = {
  programs: ["/usr/sbin/dovecot", "/usr/bin/doveadm", "/usr/sbin/postfix"],
  packages: ["dovecot-imapd", "postfix"],
};
/** Delivery by LMTP, and the scripts by which Dovecot files mail and teaches a filter. */
const FILING: Wanted = {
  programs: ["/usr/lib/dovecot/lmtp", "/usr/lib/dovecot/modules/lib95_imap_sieve_plugin.so", "/usr/bin/sievec"],
  packages: ["dovecot-lmtpd", "dovecot-sieve"],
};
const FILTER: Wanted = { programs: ["/usr/bin/rspamd"], packages: ["rspamd"] };
const INSTALL_MS = 180_000;

/** Why the servers are not available here; null once they are installed. None of their services is started. */
export async function whyNotInstalled(): Promise<string | null> {
  if (process.getuid?.() !== 0) return "Postfix takes only root for its master, and this is another user";
  return whyWithout(SERVERS);
}

/** The same for the servers that file mail into folders, with the spam filter that they ask. */
export async function whyNoFiling(): Promise<string | null> {
  return (await whyWithout(FILING)) ?? (await whyNoFilter());
}

/** The same for the spam filter. */
export function whyNoFilter(): Promise<string | null> {
  return whyWithout(FILTER);
}

async function whyWithout({ programs, packages }: Wanted): Promise<string | null> {
  if (programs.every((program) => existsSync(program))) return null;
  if (!existsSync("/usr/bin/apt-get")) return `neither ${packages.join(" and ")} nor apt-get are here`;
  // The runlevel of a system that starts no services
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const apt = (...args: string[]) => run("apt-get", ["-q", "-y", ...args], { env, timeout: INSTALL_MS });
  try {
    await apt("install", "--no-install-recommends", ...packages).catch(async () => {
      await apt("update");
      await apt("install", "--no-install-recommends", ...packages);
    });
  } catch (err) {
    const said = err instanceof Error && "stderr" in err ? String(err.stderr) : String(err);
    return `apt cannot install ${packages.join(" and ")}: ${said.trim().split("\n").at(-1)}`;
  }
  return programs.every((program) => existsSync(program)) ? null : "what apt installed is not where it is looked for";
}
