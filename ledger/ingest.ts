import type { Provenance } from "../domain/report-proof.ts";
import type { PurposeKeys } from "../domain/tokens.ts";
import { isDuplicateKey } from "../models/duplicate.ts";
import type { Mailbox } from "../models/mailbox.ts";
import type { Message } from "../models/message.ts";
import { scoped } from "../models/scoped.ts";
import { inTransaction } from "../models/transaction.ts";
import { raiseApproval } from "./approvals.ts";
import { confirmAnswers } from "./evidence.ts";
import { aboutOf } from "./ingest-about.ts";
import { messageOf, type Received } from "./received.ts";
import { fileMessage } from "./threads.ts";

/** One mail as it lay in a folder. */
export interface Arrival extends Received {
  mailbox: Mailbox;
  /** What SPF, DKIM and DMARC said of the From address; NONE when nothing did. */
  authentication: "PASS" | "FAIL" | "NONE";
  /** Where a report was shown to come from. */
  provenance: Provenance;
  /** It lay in the folder of sent mail: ours, or one a person sent from their own program. */
  isSentFolder: boolean;
}

/** What a mail turned out to be about. */
export type About = Partial<
  Pick<
    Message,
    | "kind"
    | "direction"
    | "category"
    | "isDoubtful"
    | "recipientId"
    | "campaignId"
    | "leadId"
    | "sendId"
    | "threadId"
    | "evidence"
    | "bounce"
    | "isDisputed"
  >
> & { asks?: Asks };

/** Words that may ask us to stop: a person decides (B9). `isForged`: they are clear, and the address may not be theirs. */
export interface Asks {
  stepId: string | null;
  words: string;
  isForged: boolean;
}

/**
 * Reads one mail into the ledger: its row and every effect in one transaction, so that a mail read twice, in two folders or by two
 * workers, or cut short by a kill, has its effects once (B28). Answers its kind, DUPLICATE when it was read before.
 * @throws StillRecording while a mail it speaks of is being recorded
 */
export async function ingest(arrival: Arrival, keys: PurposeKeys): Promise<string> {
  try {
    return await inTransaction(() => write(arrival, keys));
  } catch (err) {
    // Another reader of the same mail committed first
    if (isDuplicateKey(err) && (await isStored(arrival))) return "DUPLICATE";
    throw err;
  }
}

async function write(arrival: Arrival, keys: PurposeKeys): Promise<string> {
  const { mailbox, message, unreadable, authentication } = arrival;
  if (await isStored(arrival)) return "DUPLICATE";
  await confirmAnswers(mailbox.workspaceId, message);
  const { asks, ...about }: About = unreadable === null ? await aboutOf(arrival, keys) : { kind: "UNREADABLE" };
  const stored = await scoped(mailbox.workspaceId).Message.insert({
    ...messageOf(mailbox._id, arrival),
    authentication,
    category: about.kind === undefined ? null : (CATEGORY_OF[about.kind] ?? null),
    ...about,
  });
  await fileMessage(stored);
  await raiseApproval(stored, asks ?? null);
  return stored.kind;
}

/** What a kind says by itself; its reader may know better. */
const CATEGORY_OF: Partial<Record<Message["kind"], string>> = { AUTO_REPLY: "AUTO_REPLY", BOUNCE: "BOUNCE", UNSUBSCRIBE: "UNSUBSCRIBE" };

async function isStored({ mailbox, folder, uidValidity, uid, contentKey }: Arrival): Promise<boolean> {
  const either = { mailboxId: mailbox._id, $or: [{ folder, uidValidity, uid }, { contentKey }] };
  return (await scoped(mailbox.workspaceId).Message.findOne(either, { select: { _id: 1 } })) !== null;
}
