import { createHash } from "node:crypto";
import { ApiKey } from "../../models/access/api-key.ts";
import type { AuditEntry } from "../../models/access/audit-entry.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { currentSession, outsideTransaction } from "../../mongo/transaction.ts";

export type Changed = Required<Pick<AuditEntry, "before" | "after" | "changed">>;

export const NOTHING_CHANGED: Changed = { before: null, after: null, changed: [] };

/** A kind of record that operations change, and the input field that names the record. */
interface Kind {
  named: string;
  read(workspaceId: string, id: string): Promise<object | null>;
}

const approval: Kind = { named: "approvalId", read: (workspaceId, id) => scoped(workspaceId).Approval.get(id) };
const blocked: Kind = { named: "entryId", read: (workspaceId, id) => scoped(workspaceId).BlockListEntry.get(id) };
const campaign: Kind = { named: "campaignId", read: (workspaceId, id) => scoped(workspaceId).Campaign.get(id) };
const connector: Kind = { named: "id", read: (workspaceId, id) => scoped(workspaceId).ConnectorGrant.get(id) };
const key: Kind = {
  named: "id",
  read: (workspaceId, _id) => ApiKey.findOne({ _id, workspaceId }).session(currentSession()).lean<ApiKey>().exec(),
};
const lead: Kind = { named: "ids", read: (workspaceId, id) => scoped(workspaceId).Lead.get(id) };
const mailbox: Kind = { named: "mailboxId", read: (workspaceId, id) => scoped(workspaceId).Mailbox.get(id) };
const workspace: Kind = {
  named: "workspaceId",
  read: (workspaceId) => Workspace.findOne({ _id: workspaceId }).session(currentSession()).lean<Workspace>().exec(),
};
const send: Kind = { named: "sendId", read: (workspaceId, id) => scoped(workspaceId).Send.get(id) };
const webhook: Kind = {
  named: "webhookId",
  read: (workspaceId, id) => scoped(workspaceId).WebhookSubscription.get(id),
};

/** The operations that change one record; all others have no digests. */
const KINDS: Readonly<Record<string, Kind>> = {
  "approvals.approve": approval,
  "approvals.edit": approval,
  "approvals.reject": approval,
  "blockList.add": blocked,
  "blockList.remove": blocked,
  "campaigns.launch": campaign,
  "campaigns.pause": campaign,
  "campaigns.resume": campaign,
  "campaigns.complete": campaign,
  "campaigns.archive": campaign,
  "campaigns.unarchive": campaign,
  "connectors.grant": connector,
  "connectors.changePolicy": connector,
  "connectors.revoke": connector,
  "keys.create": key,
  "keys.revoke": key,
  "leads.suppress": lead,
  "leads.unsuppress": lead,
  "mailboxes.connect": mailbox,
  "mailboxes.disconnect": mailbox,
  "mailboxes.delete": mailbox,
  "mailboxes.undoConsent": mailbox,
  "sends.markNotSent": send,
  "sends.markSent": send,
  "sends.resend": send,
  "webhooks.create": webhook,
  "webhooks.update": webhook,
  "webhooks.delete": webhook,
  "webhooks.rotateSecret": webhook,
  "workspace.endSuspension": workspace,
  "workspace.suspend": workspace,
  "workspace.update": workspace,
};

/**
 * Returns how the running transaction has changed the one record of an operation (rules/security 6.2). Call it at the
 * end of the transaction. A read outside the transaction still returns the previous state, because no other transaction
 * can change the record meanwhile.
 */
export async function changeBy(workspaceId: string, action: string, input: unknown, answer: unknown): Promise<Changed> {
  const kind = KINDS[action];
  if (kind === undefined) return NOTHING_CHANGED;
  const id = theOne(fieldOf(input, kind.named) ?? fieldOf(answer, "_id") ?? fieldOf(answer, "id")); // of a new record
  if (id === null) return NOTHING_CHANGED;
  const after = await kind.read(workspaceId, id);
  return between(await outsideTransaction(() => kind.read(workspaceId, id)), after);
}

/**
 * The digests of a record before and after, and the names of the changed keys. A created or deleted record has no
 * changed keys.
 */
function between(before: object | null, after: object | null): Changed {
  const [was, is] = [partsOf(before), partsOf(after)];
  const isBoth = before !== null && after !== null;
  const keys = isBoth ? [...new Set([...was.keys(), ...is.keys()])].sort() : [];
  return { before: digestOf(was), after: digestOf(is), changed: keys.filter((key) => was.get(key) !== is.get(key)) };
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

/** An id, or the only id of an array; else null. */
function theOne(value: unknown): string | null {
  const one: unknown = Array.isArray(value) && value.length === 1 ? value[0] : value;
  return typeof one === "string" ? one : null;
}

/** Each key of a record with its value as text. */
function partsOf(record: object | null): Map<string, string> {
  return new Map(Object.entries(record ?? {}).map(([key, value]) => [key, canonical(value)]));
}

function digestOf(parts: Map<string, string>): string | null {
  if (parts.size === 0) return null;
  const sorted = [...parts].sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("hex");
}

/** JSON with the keys of each object sorted, so that equal values have equal text. */
function canonical(value: unknown): string {
  const isPlain = (one: unknown): one is object => typeof one === "object" && one !== null && !Array.isArray(one);
  const ordered = (_: string, one: unknown) =>
    isPlain(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one;
  return JSON.stringify(value, ordered) ?? "null";
}
