import type { KeyRing } from "../../domain/access/seal.ts";
import { normalizeAddress } from "../../domain/mail/message.ts";
import type { MailProviders, ProviderName } from "../../domain/mailboxes/provider.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { connectMailbox } from "../../store/mailboxes/connect.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { findOwner } from "../access/workspaces.ts";

export interface DelegatedRequest {
  workspaceId: string;
  provider: ProviderName;
  addresses: readonly string[];
}

/** What a worker found when it opened the mailbox for the first time. WAITING: no worker has tried yet. */
export type DelegatedOutcome = { email: string; mailboxId: string } & (
  | { kind: "OPEN" }
  | { kind: "REFUSED"; message: string }
  | { kind: "WAITING" }
);

/**
 * Connects mailboxes for the operator by the permission of their organisation (rules/sending 5.15). Only the operator
 * may: that permission covers every allowed mailbox, whichever workspace asks. All are stored, or none; then a worker
 * opens each of them. The call is recorded in the workspace's audit log. @throws Error
 */
export async function connectDelegated(
  keyRing: KeyRing,
  providers: MailProviders,
  { workspaceId, provider, addresses }: DelegatedRequest,
): Promise<Mailbox[]> {
  const { servers, oauth, api = null, delegation = null } = providers[provider];
  if (delegation === null || api === null || servers === null)
    throw new Error(`${provider === "A" ? "GOOGLE_SERVICE_ACCOUNT" : "MICROSOFT_APP_ONLY"} is not set`);
  const emails = addresses.map((given) => {
    const address = normalizeAddress(given)?.address;
    if (address === undefined) throw new Error(`${given} is not an e-mail address`);
    return address;
  });
  const owner = await findOwner(workspaceId);
  if (owner === null || (await Workspace.exists({ _id: workspaceId, deletedAt: null })) === null)
    throw new Error(`There is no workspace ${workspaceId}`);
  return inTransaction(async () => {
    const mailboxes: Mailbox[] = [];
    for (const email of new Set(emails)) {
      const grant = { provider, delegatedTo: email, refreshToken: "", accessToken: "", expiresAt: new Date(0) };
      // Microsoft's application logs in as itself and names the mailbox in each request
      const username = delegation.kind === "MICROSOFT" ? oauth?.clientId : undefined;
      const login = {
        username,
        provider: `PROVIDER${provider}` as const,
        transport: api.transport,
        ...servers,
        login: { grant },
      };
      const { mailbox } = await connectMailbox(keyRing, workspaceId, { email, ...login });
      mailboxes.push(mailbox);
    }
    const input = { workspaceId, mailboxIds: mailboxes.map(({ _id }) => _id) };
    const actor = { kind: "CONSOLE" as const, id: owner };
    await appendAuditEntry({ workspaceId, actor, action: "mailboxes.connect", input }, "DONE", null);
    return mailboxes;
  });
}

/** Whether a worker has opened the mailboxes since they were connected, in the order of `mailboxes`. */
export async function findOutcomes(workspaceId: string, mailboxes: readonly Mailbox[]): Promise<DelegatedOutcome[]> {
  const ids = mailboxes.map(({ _id }) => _id);
  const now = new Map(
    (await scoped(workspaceId).Mailbox.find({ _id: trusted({ $in: ids }) })).map((mailbox) => [mailbox._id, mailbox]),
  );
  return mailboxes.map(({ _id: mailboxId, email, freedAt }) => {
    const mailbox = now.get(mailboxId);
    const connectedAt = freedAt?.getTime() ?? 0;
    if (mailbox?.lastError) return { email, mailboxId, kind: "REFUSED", message: mailbox.lastError.message };
    const isOpen = (mailbox?.lastSyncAt?.getTime() ?? 0) >= connectedAt;
    return { email, mailboxId, kind: isOpen ? "OPEN" : "WAITING" };
  });
}
