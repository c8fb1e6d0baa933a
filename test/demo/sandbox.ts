import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { assertFree } from "../../embedded/ports.ts";
import { type Certificate, makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { tallyOf } from "./tally.ts";
import { makeFiling, WARM_MAILBOXES, warmImportOf } from "./warm-mailboxes.ts";

/**
 * The demo's world of mail by itself, for trying the service by hand. Its certificate is kept, so that a running
 * service knows it again.
 */
const { values } = parseArgs({
  options: {
    mailbox: { type: "string", multiple: true, default: ["ann@sandbox.test"] },
    "smtp-port": { type: "string", default: "1465" },
    "imap-port": { type: "string", default: "1993" },
    folder: { type: "string", default: ".sandbox" },
    warmup: { type: "boolean", default: false },
  },
});
const { folder, warmup: isWarm } = values;
const mailboxes = isWarm ? [...values.mailbox, ...WARM_MAILBOXES] : values.mailbox;
const ports = { smtp: Number(values["smtp-port"]), imap: Number(values["imap-port"]) };
const PEOPLE = `
  The start of a recipient's address decides what happens to an email. This terminal shows each email that arrives:
    reply    a reply                    hard     a bounce: no such user    grey    refused once, then accepted
    ooo      an out-of-office reply     softdsn  a bounce: mailbox full    drop    accepted, but the answer is lost
    unsub    a one-click unsubscribe    refuse   550, no such user         others  accepted, and nothing else
    large    552, the email is too big  soft     452, mailbox full`;

try {
  await assertFree(ports.smtp, "--smtp-port");
  for (const index of mailboxes.keys()) await assertFree(ports.imap + index, "--imap-port");
  const sandbox = await startSandbox({
    mailboxes,
    ports,
    certificate: await certificateIn(folder),
    ...(isWarm && { filing: makeFiling() }),
  });
  if (isWarm) await writeFile(join(folder, "warmup.json"), JSON.stringify(warmImportOf(sandbox)), { mode: 0o600 });
  console.log(greeting(sandbox));
  sandbox.smtp.onMail(({ user, to, subject }) => console.log(`  ${user} to ${to.join(", ")}: ${subject}`));
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void end(sandbox));
} catch (err) {
  console.error(err instanceof Error ? err.message : String(err));
  process.exitCode = 1;
}

/** Says at the end what was sent and where it lies, to compare with what the service says. */
async function end(sandbox: Sandbox): Promise<void> {
  if (isWarm) console.log(`\n${tallyOf(sandbox, mailboxes)}`);
  await sandbox.close();
}

/** The service is configured to trust `ca.pem`; the key is for no one else. */
async function certificateIn(place: string): Promise<Certificate> {
  const [key, cert] = [join(place, "key.pem"), join(place, "ca.pem")];
  if (!existsSync(cert)) {
    const made = await makeCertificate();
    await mkdir(place, { recursive: true, mode: 0o700 });
    await writeFile(key, made.key, { mode: 0o600 });
    await writeFile(cert, made.cert);
  }
  return { key: await readFile(key, "utf8"), cert: await readFile(cert, "utf8") };
}

function greeting(sandbox: Sandbox): string {
  const places = mailboxes.map(
    (address) => `  ${address}: SMTP localhost:${sandbox.smtpPort}, IMAP localhost:${sandbox.imapPortOf(address)}`,
  );
  return [
    "A sandbox of mail servers, TLS from the first byte. Nothing leaves this machine.",
    ...places,
    `  password: ${sandbox.password}`,
    PEOPLE,
    ...(isWarm ? [`\n  ${join(folder, "warmup.json")} connects twelve of them to warm up: docs/guides/warmup.md`] : []),
    "",
    `  Start the service with: EGRESS_ALLOW='localhost:*' EXTRA_CA_FILE=${join(folder, "ca.pem")} npm start`,
    "",
  ].join("\n");
}
