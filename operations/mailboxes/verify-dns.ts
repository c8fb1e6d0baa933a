import { z } from "zod";
import { bandOf } from "../../domain/mailboxes/band.ts";
import { VERIFICATION_STATES } from "../../domain/mailboxes/dns-check.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../../store/outbox.ts";
import { choice } from "../choice.ts";
import { optionalTime } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadMailbox, mailboxId } from "./find.ts";
import { Checks, MailboxRecord, verificationOf, viewOf } from "./record.ts";

const input = z.strictObject({ mailboxId });

const status = operation({
  summary: "Show the last check of MX, SPF, DKIM and DMARC. Checks run on connecting, on `resend` and every day",
  scope: "mailboxes:read",
  errors: ["MAILBOX_NOT_FOUND"],
  input,
  output: z.object({
    mailboxId,
    status: z.enum(VERIFICATION_STATES).describe("Whether the records are correct"),
    checks: Checks,
    checkedAt: optionalTime.describe("When they were last checked"),
  }),
  async run({ workspaceId }, { mailboxId }) {
    return { mailboxId, ...verificationOf(await loadMailbox(workspaceId, mailboxId)) };
  },
});

const resend = operation({
  summary:
    "Check the DNS records again, with a probe email from the mailbox to itself. PENDING until the check is done",
  scope: "mailboxes:write",
  errors: ["MAILBOX_NOT_FOUND"],
  effects: { SENDS: true },
  input,
  output: MailboxRecord,
  async run({ workspaceId }, { mailboxId }) {
    const mailbox = await inTransaction(async () => {
      const mailbox = await loadMailbox(workspaceId, mailboxId);
      const verification = { ...verificationOf(mailbox), status: "PENDING" as const };
      await scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { verification } });
      const probeId = await probeOf(mailbox);
      await nudge(workspaceId, "MAILBOX", { mailboxId, signal: "verify", probeId });
      return loadMailbox(workspaceId, mailboxId);
    });
    return viewOf(mailbox);
  },
});

const skip = operation({
  summary: "Skip the DNS check of this mailbox",
  scope: "mailboxes:write",
  errors: ["MAILBOX_NOT_FOUND"],
  effects: { SENDS: true },
  input,
  output: MailboxRecord,
  async run({ workspaceId }, { mailboxId }) {
    const verification = { ...verificationOf(await loadMailbox(workspaceId, mailboxId)), status: "SKIPPED" as const };
    await scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { verification } });
    return viewOf(await loadMailbox(workspaceId, mailboxId));
  },
});

export const verifyDns = choice(
  "mailboxes:read",
  "Read, repeat or skip the DNS checks of a mailbox",
  { status, resend, skip },
  "status",
);

const PROBE_EVERY_MS = MINUTE_MS;

/**
 * Creates the send and the text of a DKIM probe email. Returns null when the mailbox cannot send, or a probe was sent
 * within the last minute.
 */
async function probeOf({ workspaceId, _id: mailboxId, email, status, health }: Mailbox): Promise<string | null> {
  if ((status !== "CONNECTED" && status !== "PAUSED") || bandOf({ health }) === "BLOCKED") return null;
  const { OutgoingMail, Send } = scoped(workspaceId);
  const since = new Date(Date.now() - PROBE_EVERY_MS);
  if ((await OutgoingMail.findOne({ kind: "PROBE", mailboxId, createdAt: trusted({ $gt: since }) })) !== null)
    return null;
  const _id = newId("snd");
  const subject = "Mailbox check";
  await Send.insert({
    _id,
    kind: "TEST",
    sendKey: `dns-probe/${_id}`,
    to: email,
    state: "RESERVED",
    subject,
    mailboxId,
  });
  const text = "This email checks that the mailbox can send and receive. There is nothing to do.\n";
  await OutgoingMail.insert({ _id, kind: "PROBE", mailboxId, to: email, subject, html: null, text });
  return _id;
}
