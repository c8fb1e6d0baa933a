import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";

const run = promisify(execFile);
const PROGRAMS = ["/usr/sbin/dovecot", "/usr/bin/doveadm", "/usr/sbin/postfix"];
const PACKAGES = ["dovecot-imapd", "postfix"];
const INSTALL_MS = 180_000;

/** Why the servers cannot be had here; null once they are installed. No service of theirs is started. */
export async function whyNotInstalled(): Promise<string | null> {
  if (process.getuid?.() !== 0) return "Postfix takes only root for its master, and this is another user";
  if (PROGRAMS.every((program) => existsSync(program))) return null;
  if (!existsSync("/usr/bin/apt-get")) return "neither Dovecot and Postfix nor apt-get are here";
  // The runlevel of a system that starts no services
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  const apt = (...args: string[]) => run("apt-get", ["-q", "-y", ...args], { env, timeout: INSTALL_MS });
  try {
    await apt("install", "--no-install-recommends", ...PACKAGES).catch(async () => {
      await apt("update");
      await apt("install", "--no-install-recommends", ...PACKAGES);
    });
  } catch (err) {
    const said = err instanceof Error && "stderr" in err ? String(err.stderr) : String(err);
    return `apt cannot install ${PACKAGES.join(" and ")}: ${said.trim().split("\n").at(-1)}`;
  }
  return PROGRAMS.every((program) => existsSync(program)) ? null : "what apt installed is not where it is looked for";
}
