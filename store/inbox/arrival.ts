import type { Provenance } from "../../domain/bounces/report-proof.ts";
import type { FolderUse } from "../../domain/mailboxes/folder-use.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import type { Message } from "../../models/message.ts";
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
export type HeedReply = (message: Message) => Promise<void>;

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

/**
 * Words that may ask us to stop, about which a person decides (rules/states 5.4). `isForged`: the words are clear, but the sender's address
 * may be
 * forged.
 */
export interface Asks {
  stepId: string | null;
  words: string;
  isForged: boolean;
}
