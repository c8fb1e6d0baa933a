import { oldestKey } from "../../domain/access/tokens.ts";
import { AppError } from "../../domain/errors.ts";
import { feedbackCustomer } from "../../domain/mail/message.ts";
import { relayKeyOf } from "../../domain/sending/relay-id.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { isOverTime } from "../../mongo/unfit.ts";

/** An email that a recipient reported, with the workspace that it came from. */
export interface ReportedMail {
  workspaceId: string;
  workspaceName: string | null;
  ownerEmail: string | null;
  isSuspended: boolean;
  /** Null when the report named only the workspace. */
  send: {
    id: string;
    kind: Send["kind"];
    campaignId: string | null;
    from: string | null;
    state: Send["state"];
    at: Date | null;
  } | null;
}

const MAIL_REF = /^[a-z2-7]{20}$/;
const FEEDBACK_ID = /^[a-z2-7]{4,15}:([a-z2-7]{12}):[a-z]{1,20}:[a-z2-7]{5,15}$/;
/** The index that `relayIds` are in; it starts with the mailbox, so the whole of it is read. */
const BY_RELAY = "mailboxId_1_relayIds_1";
const MOST = 20;
const LONGEST_MS = 60_000;

/**
 * Finds the workspaces of a reported email (rules/mail 1.8). `named` is a Message-ID, ours or the provider's, the value
 * of X-Mail-Ref, or the value of Feedback-ID; the name of the header in front of it is left out.
 * Only a Feedback-ID needs the keys. `mostMs`: the longest that one search may take.
 * @throws AppError LIMIT_EXCEEDED when a search takes longer
 */
export async function findReported(
  named: string,
  loadKeys: () => Promise<ReferenceKeys>,
  mostMs = LONGEST_MS,
): Promise<ReportedMail[]> {
  const value = named.replace(/^(?:message-id|x-mail-ref|feedback-id)\s*:/i, "").trim();
  const [, customer] = FEEDBACK_ID.exec(value.toLowerCase()) ?? [];
  if (customer !== undefined) return findCustomer(customer, await loadKeys());
  return Promise.all((await findSends(value, mostMs).catch(refuseOverTime)).map(reportedOf));
}

interface ReferenceKeys {
  reference: readonly { key: Buffer }[];
}

function refuseOverTime(error: unknown): never {
  if (!isOverTime(error)) throw error;
  const instead = "run npm run workspace:find at the server, which searches for longer";
  throw new AppError("LIMIT_EXCEEDED", `The search took too long: ${instead}`);
}

async function findSends(value: string, mostMs: number): Promise<Send[]> {
  const bare = value.replace(/^<|>$/g, "");
  const byId = await findAcross({ messageIds: trusted({ $in: [`<${bare}>`, bare] }) }, mostMs);
  if (byId.length > 0) return byId;
  const mailRef = value.toLowerCase();
  const byRef = MAIL_REF.test(mailRef) ? await findAcross({ mailRef }, mostMs) : [];
  const relayKey = relayKeyOf(value);
  return byRef.length > 0 || relayKey === null ? byRef : findAcross({ relayIds: relayKey }, mostMs, BY_RELAY);
}

function findAcross(filter: Record<string, unknown>, mostMs: number, index?: string): Promise<Send[]> {
  const query = Send.find(filter, null, { acrossWorkspaces: true }).limit(MOST).maxTimeMS(mostMs);
  return (index === undefined ? query : query.hint(index)).lean<Send[]>().exec();
}

async function reportedOf({ _id: id, workspaceId, kind, campaignId, mailboxId, state, sentAt: at }: Send) {
  const mailbox =
    mailboxId === null
      ? null
      : await Mailbox.findOne({ _id: mailboxId, workspaceId }, { email: 1 }).lean<Pick<Mailbox, "email">>();
  const send = { id, kind, campaignId, from: mailbox?.email ?? null, state, at };
  return { ...workspaceFacts(workspaceId, await Workspace.findOne({ _id: workspaceId }).lean<Workspace>()), send };
}

async function findCustomer(customer: string, { reference }: ReferenceKeys): Promise<ReportedMail[]> {
  const key = oldestKey(reference);
  const found: ReportedMail[] = [];
  for await (const { _id } of Workspace.find({}, { _id: 1 }).lean<{ _id: string }>().cursor()) {
    if (feedbackCustomer(key, _id) !== customer) continue;
    found.push({ ...workspaceFacts(_id, await Workspace.findOne({ _id }).lean<Workspace>()), send: null });
  }
  return found;
}

function workspaceFacts(workspaceId: string, workspace: Workspace | null) {
  return {
    workspaceId,
    workspaceName: workspace?.name ?? null,
    ownerEmail: workspace?.ownerEmail ?? null,
    isSuspended: (workspace?.suspension ?? null) !== null,
  };
}
