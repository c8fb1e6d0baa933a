import { DAY_SECONDS } from "../../domain/time/durations.ts";
import type { ConversationTurn } from "../../domain/warmup/engagement.ts";
import { WARMUP_LANGUAGES, type WarmupLanguage } from "../../domain/warmup/enrolment.ts";
import { type Base, globalModel, IS_INSTANT, instant, mixed, oneOf, required, text } from "../../mongo/schema.ts";

const WARMUP_KINDS = ["OPENING", "REPLY"] as const;
const WARMUP_MAIL_STATES = ["PLANNED", "SENT", "FAILED", "UNKNOWN", "MISSED"] as const;
const LANDINGS = ["INBOX", "SPAM", "OTHER", "MISSING"] as const;

/** The place of an email in a mailbox. */
export interface PlaceInMailbox {
  folder: string;
  uidValidity: string;
  uid: number;
}

/**
 * One warmup email, from its plan to what the receiver did with it. `_id` consists of the day, the sender and a number,
 * so that planning twice creates only one email. The email belongs to two workspaces. Only the warmup code reads the
 * whole document, and no API response shows one workspace the other.
 */
export interface WarmupMail extends Base {
  /** The UTC day for which the email is planned. */
  day: string;
  fromWorkspaceId: string;
  fromMailboxId: string;
  fromAddress: string;
  toWorkspaceId: string;
  toMailboxId: string;
  toAddress: string;
  kind: (typeof WARMUP_KINDS)[number];
  /**
   * The email that this one answers, and the email that opened the conversation. An email that opens a conversation has
   * its own id as `opening`.
   */
  answers: string | null;
  opening: string;
  /** The position in the conversation: 1 for the opening, up to 4. */
  turn: ConversationTurn;
  /** The language of the whole conversation, chosen by its opening email. */
  language: WarmupLanguage;
  dueAt: Date;
  /** Its row in the ledger. */
  sendId: string;
  state: (typeof WARMUP_MAIL_STATES)[number];
  sentAt: Date | null;
  /** The folder in which the email was first found; MISSING when it was found in none. */
  landed: { folder: (typeof LANDINGS)[number]; provider: "PROVIDERA" | "PROVIDERB" | "SMTP"; at: Date } | null;
  /** The position of the email in the receiver's mailbox, as it was last read. */
  place: PlaceInMailbox | null;
  /** What the receiver will do with the email; null until it has arrived. */
  wish: { rescue: boolean; important: boolean; answer: boolean } | null;
  /** When the receiver's mailbox acts on the email next; null when nothing is left to do. */
  engageAt: Date | null;
  engaged: {
    readAt: Date | null;
    rescuedAt: Date | null;
    importantAt: Date | null;
    repliedAt: Date | null;
    filedAt: Date | null;
  };
  /**
   * The copy that the sender's provider saved, and when the copy must be moved to the warmup folder or deleted. Null
   * when there is no copy or nothing is left to do.
   */
  sentCopy: PlaceInMailbox | null;
  tidyAt: Date | null;
  /** When it bounced. */
  bouncedAt: Date | null;
}

const KEPT_SECONDS = 100 * DAY_SECONDS;

export const WarmupMail = globalModel<WarmupMail>(
  "WarmupMail",
  "warmup_mails",
  {
    day: required,
    fromWorkspaceId: required,
    fromMailboxId: required,
    fromAddress: required,
    toWorkspaceId: required,
    toMailboxId: required,
    toAddress: required,
    kind: oneOf(WARMUP_KINDS, "OPENING"),
    answers: text,
    opening: required,
    turn: { type: Number, required: true, default: 1 },
    language: oneOf(WARMUP_LANGUAGES, "en"),
    dueAt: { type: Date, required: true },
    sendId: required,
    state: oneOf(WARMUP_MAIL_STATES, "PLANNED"),
    sentAt: instant,
    landed: mixed,
    place: mixed,
    wish: mixed,
    engageAt: instant,
    engaged: {
      type: Object,
      required: true,
      default: () => ({ readAt: null, rescuedAt: null, importantAt: null, repliedAt: null, filedAt: null }),
    },
    sentCopy: mixed,
    tidyAt: instant,
    bouncedAt: instant,
  },
  [
    { fields: { fromMailboxId: 1, day: 1, state: 1 } },
    { fields: { fromMailboxId: 1, dueAt: 1 }, name: "to_send", where: { state: "PLANNED" } },
    { fields: { toMailboxId: 1, day: 1, fromAddress: 1 } },
    { fields: { toMailboxId: 1, engageAt: 1 }, where: { engageAt: IS_INSTANT } },
    { fields: { fromMailboxId: 1, tidyAt: 1 }, where: { tidyAt: IS_INSTANT } },
    // Which mailboxes exchanged email in the last seven days is read from this index alone
    { fields: { kind: 1, day: 1, fromMailboxId: 1, toMailboxId: 1 }, name: "meetings" },
    { fields: { fromWorkspaceId: 1, "landed.at": 1 } },
    { fields: { toWorkspaceId: 1 } },
    { fields: { createdAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
);
