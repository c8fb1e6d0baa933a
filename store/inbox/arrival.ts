import type { Provenance } from "../../domain/bounces/report-proof.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import type { Message } from "../../models/message.ts";
import type { Received } from "./received.ts";

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
