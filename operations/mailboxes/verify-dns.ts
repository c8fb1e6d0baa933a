import { z } from "zod";
import { VERIFICATION_STATES } from "../../domain/mailboxes/dns-check.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { storeProbe } from "../../store/mailboxes/probe.ts";
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
    "Check the DNS records again, with a probe email from the mailbox to itself, which also shows which headers survive. PENDING until the check is done",
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
      const probeId = await storeProbe(mailbox);
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
