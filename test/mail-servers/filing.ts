import { execFile } from "node:child_process";
import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** How a Dovecot files mail that the filter has marked, and which filter it teaches. */
export interface Filing {
  /** The port at which the filter is taught. */
  control: number;
  junk: string;
  /** Where Postfix hands mail over. */
  queueDir: string;
}

/** The provider's copies of its users' emails go to Sent, and emails that the filter has marked go to Junk. */
const fileScript = (junk: string) => `require ["envelope", "subaddress", "fileinto", "imap4flags"];
if envelope :detail "to" "sent" { fileinto :flags "\\\\Seen" "Sent"; stop; }
if header :contains "X-Spam" "Yes" { fileinto "${junk}"; stop; }
`;
/** Moving an email out of Junk teaches the filter; throwing it away says nothing. */
const HAM = `require ["vnd.dovecot.pipe", "copy", "imapsieve", "environment", "variables"];
if environment :matches "imap.mailbox" "*" { set "folder" "\${1}"; }
if string "\${folder}" "Trash" { stop; }
pipe :copy "learn-ham";
`;
const SPAM = `require ["vnd.dovecot.pipe", "copy", "imapsieve"];
pipe :copy "learn-spam";
`;

/**
 * Writes the scripts that file mail and teach the filter at this port; the part of Dovecot's configuration that uses
 * them.
 */
export async function writeFiling(
  home: string,
  filing: Filing,
): Promise<{ text: string; compile(config: string): Promise<void> }> {
  const dir = join(home, "sieve");
  const bin = join(dir, "bin");
  await mkdir(bin, { recursive: true });
  const scripts = { "file.sieve": fileScript(filing.junk), "ham.sieve": HAM, "spam.sieve": SPAM };
  for (const [name, script] of Object.entries(scripts)) await writeFile(join(dir, name), script);
  for (const kind of ["ham", "spam"]) {
    const program = join(bin, `learn-${kind}`);
    await writeFile(program, `#!/bin/sh\nexec /usr/bin/rspamc -h 127.0.0.1:${filing.control} learn_${kind}\n`);
    await chmod(program, 0o755);
  }
  return {
    text: textOf({ dir, bin, ...filing }),
    // The delivering process may not write here, so the scripts are compiled before
    async compile(config) {
      for (const name of Object.keys(scripts)) await run("/usr/bin/sievec", ["-c", config, join(dir, name)]);
    },
  };
}

function textOf({ dir, bin, queueDir, junk }: Record<"dir" | "bin", string> & Filing): string {
  return `
protocols = imap lmtp
recipient_delimiter = +
service lmtp {
  unix_listener ${queueDir}/private/dovecot-lmtp {
    mode = 0666
  }
}
protocol lmtp {
  mail_plugins = sieve
  postmaster_address = postmaster@a.test
}
protocol imap {
  mail_plugins = imap_sieve
}
plugin {
  sieve_before = ${dir}/file.sieve
  sieve_plugins = sieve_imapsieve sieve_extprograms
  sieve_global_extensions = +vnd.dovecot.pipe +vnd.dovecot.environment
  sieve_pipe_bin_dir = ${bin}
  imapsieve_mailbox1_name = *
  imapsieve_mailbox1_from = ${junk}
  imapsieve_mailbox1_causes = COPY
  imapsieve_mailbox1_before = file:${dir}/ham.sieve
  imapsieve_mailbox2_name = ${junk}
  imapsieve_mailbox2_causes = COPY APPEND
  imapsieve_mailbox2_before = file:${dir}/spam.sieve
}
`;
}
