import { execFile, spawn } from "node:child_process";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "../fakes/wait.ts";
import { writeFiling } from "./filing.ts";
import { answers, type Ground, UID } from "./ground.ts";

const run = promisify(execFile);

/**
 * Dovecot on a port of its own: Maildirs into which Postfix delivers, one password for all users, and the logins of
 * Postfix's clients.
 */
export interface Dovecot {
  port: number;
  /** Deletes a folder and makes it again during a watch, so that it has another UIDVALIDITY. */
  recreate(user: string, folder: string): Promise<void>;
  /** Forgets the UIDs of the inbox's emails: the emails stay, their UIDVALIDITY does not. */
  renumber(user: string): Promise<void>;
  /** Files an email with the server's own tool. */
  save(user: string, folder: string, raw: string): Promise<void>;
  /** The emails of a folder, with flags and keywords; null where there is no such folder. */
  mails(user: string, folder: string): Promise<{ messageId: string; flags: string[] }[] | null>;
  stop(): Promise<void>;
}

export interface DovecotOptions extends Ground {
  port: number;
  /** The folder for junk, marked by its special use; null: there is none. `Junk` unless given. */
  junk?: string | null;
  /**
   * What every folder but the inbox begins with, as `INBOX.`; its last character divides names. Nothing, and a slash,
   * unless given.
   */
  prefix?: string;
  /** The capabilities that it announces, in place of all. */
  capability?: string;
  /** A folder that its owner may read and add to, and change nothing in. */
  guarded?: string;
  /** Mail comes by way of Postfix and is filed by the verdict of a filter, which is taught at this port. */
  filter?: { control: number };
}

export async function startDovecot(options: DovecotOptions): Promise<Dovecot> {
  const {
    dir,
    queueDir,
    mailDir,
    certificate,
    password,
    port,
    junk = "Junk",
    prefix = "",
    capability,
    guarded,
    filter,
  } = options;
  const home = join(dir, "dovecot");
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "cert.pem"), certificate.cert);
  await writeFile(join(home, "key.pem"), certificate.key, { mode: 0o600 });
  const config = join(home, "dovecot.conf");
  const filing = filter === undefined || junk === null ? null : await writeFiling(home, { ...filter, junk, queueDir });
  const able = capability === undefined ? "" : `imap_capability = ${capability}`;
  const guards = guarded === undefined ? "" : await guardsOf(home, guarded);
  await writeFile(
    config,
    [configOf({ home, queueDir, mailDir, password, port }), foldersOf(junk, prefix), able, guards, filing?.text].join(
      "\n",
    ),
  );
  await filing?.compile(config);
  const child = spawn("/usr/sbin/dovecot", ["-F", "-c", config], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const doveadm = (...args: string[]) => run("/usr/bin/doveadm", ["-c", config, ...args]);
  await until(() => answers(port), {
    deadlineMs: 20_000,
    what: `Dovecot to listen: ${await readFile(join(home, "log"), "utf8").catch(() => "")}`,
  });
  return {
    port,
    async recreate(user, folder) {
      await doveadm("mailbox", "delete", "-u", user, folder);
      await doveadm("mailbox", "create", "-u", user, folder);
    },
    async renumber(user) {
      const [name = "", domain = ""] = user.split("@");
      const maildir = join(mailDir, domain, name);
      const { stdout } = await doveadm("-f", "flow", "mailbox", "status", "-u", user, "uidvalidity", "INBOX");
      for (const index of ["dovecot-uidlist", "dovecot.index", "dovecot.index.log", "dovecot.index.cache"]) {
        await rm(join(maildir, index), { force: true });
      }
      // Sessions that hold the old state in memory are ended
      await doveadm("kick", user).catch(() => {});
      // UIDVALIDITY counts in seconds, and the inbox may be only a second old
      const next = Number(/uidvalidity=(\d+)/.exec(stdout)?.[1]) + 1_000;
      await doveadm("mailbox", "update", "-u", user, "--uid-validity", String(next), "INBOX");
    },
    async save(user, folder, raw) {
      const child = spawn("/usr/bin/doveadm", ["-c", config, "save", "-u", user, "-m", folder], {
        stdio: ["pipe", "ignore", "inherit"],
      });
      child.stdin.end(raw);
      const code = await new Promise((resolve) => child.once("exit", resolve));
      if (code !== 0) throw new Error(`doveadm save ended with ${code}`);
    },
    async mails(user, folder) {
      const { stdout: folders } = await doveadm("mailbox", "list", "-u", user, folder);
      if (folders.trim() === "") return null;
      const { stdout } = await doveadm("-f", "json", "fetch", "-u", user, "hdr.message-id flags", "mailbox", folder);
      const found: Record<string, string>[] = JSON.parse(stdout.trim() || "[]");
      return found.map((mail) => ({
        messageId: mail["hdr.message-id"] ?? "",
        flags: (mail["flags"] ?? "").split(" "),
      }));
    },
    async stop() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** Every path lies inside the ground, so that nothing is shared with a Dovecot of the machine. */
function configOf({
  home,
  queueDir,
  mailDir,
  password,
  port,
}: Record<"home" | "queueDir" | "mailDir" | "password", string> & { port: number }): string {
  return `
base_dir = ${home}/run
state_dir = ${home}/state
log_path = ${home}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <${home}/cert.pem
ssl_key = <${home}/key.pem
disable_plaintext_auth = yes
auth_mechanisms = plain login
first_valid_uid = 1
mail_location = maildir:${mailDir}/%d/%n
mail_plugin_dir = /usr/lib/dovecot/modules
passdb {
  driver = static
  args = password=${password}
}
userdb {
  driver = static
  args = uid=${UID} gid=${UID} home=${mailDir}/%d/%n
}
service imap-login {
  inet_listener imap {
    port = 0
  }
  inet_listener imaps {
    port = ${port}
    ssl = yes
  }
}
service auth {
  unix_listener ${queueDir}/private/auth {
    mode = 0666
  }
}
`;
}

function foldersOf(junk: string | null, prefix: string): string {
  const uses = { ...(junk !== null && { [junk]: "Junk" }), Sent: "Sent", Archive: "Archive" };
  const folders = Object.entries(uses).map(
    ([name, use]) => `  mailbox "${name}" {\n    auto = subscribe\n    special_use = \\${use}\n  }`,
  );
  return `namespace inbox {\n  inbox = yes\n  prefix = ${prefix}\n  separator = ${prefix.at(-1) ?? "/"}\n${folders.join("\n")}\n}`;
}

async function guardsOf(home: string, folder: string): Promise<string> {
  const rights = join(home, "rights");
  await writeFile(rights, `${folder} owner lrip\n`);
  return `mail_plugins = acl\nplugin {\n  acl = vfile:${rights}\n}`;
}
