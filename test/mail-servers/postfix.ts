import { execFile } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "../fakes/wait.ts";
import { answers, type Ground, UID } from "./ground.ts";

const run = promisify(execFile);

export interface PostfixPorts {
  /** Accepts mail from its users, with TLS and a login. */
  submission: number;
  /** Plays the remote side, and refuses by the address. */
  remote: number;
  /** No server listens here. */
  dead: number;
  /** Receives for the domains of `RECEIVING`, to be asked who is there. */
  receiving?: number;
}

/** A filter that is asked about each email when it has come from outside, before Dovecot files it. */
export interface FilteredDelivery {
  /** The port for mail from outside, to which users' emails come too. */
  mx: number;
  milter: number;
  /** Whose mail the provider copies into Sent. */
  copied: readonly string[];
}

export interface Postfix {
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** The reply of the remote side at RCPT, by the first part of the address. */
const ANSWERS = [
  ["gone@remote.test", "550 5.1.1 User unknown"],
  ["full@remote.test", "452 4.2.2 The mailbox is full"],
  ["spam@remote.test", "550 5.7.1 Message rejected due to content restrictions"],
] as const;

/** The answer of the receiving server at RCPT: about an address, else about its domain. */
const RECEIVING = [
  ["ann@firm.test", "OK"],
  ["bert@firm.test", "OK"],
  ["firm.test", "550 5.1.1 User unknown"],
  ["any.test", "OK"],
  ["grey.test", "450 4.2.0 Greylisted, see http://postgrey.schweikert.ch/"],
  ["block.test", "554 5.7.1 Service unavailable; client host blocked using zen.spamhaus.org"],
  ["busy.test", "421 4.7.0 Too many connections, try again later"],
  ["slow.test", "sleep 30"],
] as const;

/**
 * A Postfix of its own. Mail for the domains of its users goes into Maildirs, mail for remote.test to a second server
 * of it that refuses, and mail for dead.test to a closed port. A delivery that is put off is given up at once, so that
 * its report comes while a test waits.
 */
export async function startPostfix(
  { dir, queueDir, mailDir, certificate }: Ground,
  ports: PostfixPorts,
  users: readonly string[],
  filtered: FilteredDelivery | null = null,
): Promise<Postfix> {
  const config = join(dir, "postfix");
  await mkdir(config);
  await writeFile(join(config, "cert.pem"), certificate.cert);
  await writeFile(join(config, "key.pem"), certificate.key, { mode: 0o600 });
  await writeFile(
    join(config, "main.cf"),
    mainOf({ dir, queueDir, mailDir, config, users, ports }) + deliveryOf(filtered),
  );
  await writeFile(join(config, "master.cf"), masterOf(ports, filtered));
  const log = () => readFile(join(dir, "postfix.log"), "utf8").catch(() => "");
  const postfix = (verb: string) => run("/usr/sbin/postfix", ["-c", config, verb]);
  await postfix("start").catch(async (err) => {
    throw new Error(`Postfix does not start: ${err} ${await log()}`);
  });
  await until(() => answers(ports.submission), { deadlineMs: 20_000, what: "Postfix to listen" });
  return {
    log,
    async stop() {
      await postfix("stop");
    },
  };
}

interface Places {
  dir: string;
  queueDir: string;
  mailDir: string;
  config: string;
  users: readonly string[];
  ports: PostfixPorts;
}

function mainOf({ dir, queueDir, mailDir, config, users, ports }: Places): string {
  const mailboxes = users.map((user) => `{ ${user} = ${user.split("@").reverse().join("/")}/ }`);
  const answersOf = ANSWERS.map(([address, answer]) => `{ ${address} = ${answer} }`);
  return `
compatibility_level = 3.6
queue_directory = ${queueDir}
data_directory = ${dir}/postfix-data
maillog_file = ${dir}/postfix.log
maillog_file_prefixes = ${dir}
mail_owner = postfix
setgid_group = postdrop
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.a.test
mydomain = a.test
myorigin = a.test
mydestination =
mynetworks =
alias_maps =
alias_database =
smtp_host_lookup = native
virtual_mailbox_domains = ${[...new Set(users.map((user) => user.split("@")[1]))].join(", ")}
virtual_mailbox_base = ${mailDir}
virtual_mailbox_maps = inline:{ ${mailboxes.join(", ")} }
virtual_uid_maps = static:${UID}
virtual_gid_maps = static:${UID}
virtual_minimum_uid = 1
transport_maps = inline:{ { remote.test = smtp:[127.0.0.1]:${ports.remote} }, { dead.test = smtp:[127.0.0.1]:${ports.dead} } }
maximal_queue_lifetime = 0
bounce_queue_lifetime = 0
queue_run_delay = 2s
minimal_backoff_time = 1s
smtpd_tls_cert_file = ${config}/cert.pem
smtpd_tls_key_file = ${config}/key.pem
smtpd_sasl_type = dovecot
smtpd_sasl_path = private/auth
smtpd_relay_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtputf8_enable = yes
refusals = inline:{ ${answersOf.join(", ")} }
receiving = inline:{ ${RECEIVING.map(([whom, answer]) => `{ ${whom} = ${answer} }`).join(", ")} }
`;
}

function deliveryOf(filtered: FilteredDelivery | null): string {
  if (filtered === null) return "";
  const copies = filtered.copied.map((user) => `{ ${user} = ${user.replace("@", "+sent@")} }`);
  return `virtual_transport = lmtp:unix:private/dovecot-lmtp
recipient_delimiter = +
milter_default_action = tempfail
sender_bcc_maps = inline:{ ${copies.join(", ")} }
`;
}

function masterOf({ submission, remote, receiving }: PostfixPorts, filtered: FilteredDelivery | null): string {
  const service = (name: string, type: string, command: string, isPrivate = "y", wakeup = "-", most = "-") =>
    `${name} ${type} ${isPrivate} - n ${wakeup} ${most} ${command}`;
  return `${[
    service(`127.0.0.1:${submission}`, "inet", "smtpd", "n"),
    "  -o smtpd_tls_wrappermode=yes",
    "  -o smtpd_sasl_auth_enable=yes",
    ...(filtered === null ? [] : throughFilter(filtered, service)),
    service(`127.0.0.1:${remote}`, "inet", "smtpd", "n"),
    "  -o myhostname=mx.remote.test",
    "  -o smtpd_relay_restrictions=",
    "  -o smtpd_recipient_restrictions=check_recipient_access,$refusals,reject",
    ...(receiving === undefined
      ? []
      : [
          service(`127.0.0.1:${receiving}`, "inet", "smtpd", "n"),
          "  -o myhostname=mx.receiving.test",
          "  -o smtpd_relay_restrictions=",
          "  -o smtpd_recipient_restrictions=check_recipient_access,$receiving,reject",
        ]),
    service("cleanup", "unix", "cleanup", "n", "-", "0"),
    service("qmgr", "unix", "qmgr", "n", "300", "1"),
    service("rewrite", "unix", "trivial-rewrite"),
    service("bounce", "unix", "bounce", "y", "-", "0"),
    service("defer", "unix", "bounce", "y", "-", "0"),
    service("trace", "unix", "bounce", "y", "-", "0"),
    service("proxymap", "unix", "proxymap", "-"),
    service("smtp", "unix", "smtp"),
    service("lmtp", "unix", "lmtp"),
    service("error", "unix", "error"),
    service("retry", "unix", "error"),
    // It writes as the owner of each Maildir
    "virtual unix - n n - - virtual",
    service("anvil", "unix", "anvil", "y", "-", "1"),
    service("scache", "unix", "scache", "y", "-", "1"),
    service("tlsmgr", "unix", "tlsmgr", "y", "1000?", "1"),
    service("flush", "unix", "flush", "n", "1000?", "0"),
    service("showq", "unix", "showq", "n"),
    service("postlog", "unix-dgram", "postlogd", "n", "-", "1"),
  ].join("\n")}\n`;
}

/**
 * What users send goes to the port for mail from outside, where the filter is asked; the provider's copies are made
 * there.
 */
function throughFilter({ mx, milter }: FilteredDelivery, service: (...fields: string[]) => string): string[] {
  return [
    `  -o content_filter=smtp:[127.0.0.1]:${mx}`,
    "  -o receive_override_options=no_address_mappings",
    service(`127.0.0.1:${mx}`, "inet", "smtpd", "n"),
    `  -o smtpd_milters=inet:127.0.0.1:${milter}`,
  ];
}
