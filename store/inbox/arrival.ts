import type { Provenance } from "../../domain/bounces/report-proof.ts";
import type { ReplyIntent } from "../../domain/inbox/intent/intents.ts";
import type { FolderUse } from "../../domain/mailboxes/folder-use.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import type { Message } from "../../models/message.ts";
import type { OptOutQuestion } from "./opt-out-question.ts";
import type { Received } from "./received.ts";

/** One mail as it was found in a folder. */
export interface Arrival extends Received {
  mailbox: Mailbox;
  /** What its folder is for; the inbox where a provider shows it there too. */
  folderUse: FolderUse;
  /** The verdict of SPF, DKIM and DMARC on the From address; NONE when there is none. */
  authentication: "PASS" | "FAIL" | "NONE";
  /** Where a report provably comes from. */
  provenance: Provenance;
  /** Whether it was found in the folder of sent mail: it is ours, or a person sent it from their own mail program. */
  isSentFolder: boolean;
}

/**
 * Applies a mail that belongs to a satellite and to nobody's inbox, in the transaction that stores it. Returns whether it did. Whoever puts
 * a worker together hands it in, because the core knows no satellite.
 */
export type HeedArrival = (arrival: Arrival) => Promise<boolean>;

/** Heeds a person's reply after it was stored and filed, in the same transaction. Handed in for the same reason. */
export type HeedReply = (message: Message, intent: ReplyIntent) => Promise<void>;

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
    | "suggestion"
  >
> & { reply?: ReadReply };

/** What a person's reply wants, as it was read. */
export interface ReadReply {
  intent: ReplyIntent;
  /** What a person has to decide before someone is written to again; null when nothing is in doubt. */
  asks: Pick<OptOutQuestion, "recipient" | "from" | "stepId" | "words" | "reason" | "confidence"> | null;
}
