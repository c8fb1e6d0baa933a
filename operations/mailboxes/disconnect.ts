import { z } from "zod";
import { PROVIDERS } from "../../domain/mailboxes/provider.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { endGrants } from "../../store/mailboxes/grant.ts";
import { nudge } from "../../store/outbox.ts";
import { revokeClaims } from "../../store/sending/revoke.ts";
import { choice } from "../choice.ts";
import type { Services } from "../context.ts";
import { operation } from "../operation.ts";
import { loadMailbox, mailboxId } from "./find.ts";
import { MailboxRecord, viewOf } from "./record.ts";

const scope = "mailboxes:connect" as const;
const input = z.strictObject({ mailboxId });

const disconnectOne = operation({
  summary: "Stop sending from and reading a mailbox, and erase its credentials. Its history stays",
  errors: ["MAILBOX_NOT_FOUND"],
  scope,
  audits: "mailboxes.disconnect",
  input,
  output: MailboxRecord,
  async run({ workspaceId, services }, { mailboxId }) {
    const mailbox = await inTransaction(async () => {
      const mailbox = await loadMailbox(workspaceId, mailboxId);
      if (mailbox.status !== "DISCONNECTED") await silenceMailbox(mailbox, services);
      return loadMailbox(workspaceId, mailboxId);
    });
    return viewOf(mailbox);
  },
});

const deleteOne = operation({
  summary: "Disconnect a mailbox and delete its record",
  errors: ["MAILBOX_NOT_FOUND"],
  scope,
  audits: "mailboxes.delete",
  stepUp: true,
  effects: { DESTROYS: true },
  input,
  output: z.object({
    id: z.string().describe("The deleted id"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId, services }, { mailboxId }) {
    return inTransaction(async () => {
      const { DueCopy, Mailbox, MailboxCursor } = scoped(workspaceId);
      await silenceMailbox(await loadMailbox(workspaceId, mailboxId), services);
      await Mailbox.deleteOne({ _id: mailboxId });
      await MailboxCursor.deleteMany({ mailboxId });
      await DueCopy.deleteMany({ mailboxId });
      return { id: mailboxId, deleted: true as const };
    });
  },
});

export const disconnect = choice(
  scope,
  "Disconnect or delete a mailbox",
  { disconnect: disconnectOne, delete: deleteOne },
  "disconnect",
);

export const DISCONNECTED = { status: "DISCONNECTED", statusReason: null } as const;
/** The same status as after the provider revoked the consent: the mailbox must be connected again. */
export const WITHOUT_CONSENT = { status: "RECONNECT_REQUIRED", statusReason: "TOKEN_REVOKED" } as const;

/**
 * Disconnects a mailbox and revokes its claims: an email whose transmission has not started is no longer sent
 * (rules/sending 7.2). It writes the document that a claim also writes.
 */
export async function silenceMailbox(
  mailbox: Mailbox,
  { settings: { providers } }: Services,
  left: typeof DISCONNECTED | typeof WITHOUT_CONSENT = DISCONNECTED,
): Promise<void> {
  const { workspaceId, _id } = mailbox;
  const cleared = { ...left, sealedPassword: null, grantId: null, retryAt: null };
  await scoped(workspaceId).Mailbox.updateOne({ _id }, { $set: cleared });
  await revokeClaims(workspaceId, { mailboxIds: [_id] });
  const revocable = PROVIDERS.filter((name) => (providers[name].oauth?.revocationUrl ?? null) !== null);
  await endGrants(mailbox, revocable);
  await nudge(workspaceId, "MAILBOX", { mailboxId: _id, signal: "stop" });
}
