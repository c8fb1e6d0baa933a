import { IS_INSTANT, IS_TEXT, instant, mixed, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

/**
 * How far a folder has been read. `_id` is `<mailboxId>:<folder>`. It moves only after the emails it passes have been
 * ingested. Email that the server had before the cursor was created is history and has no effects.
 */
export interface MailboxCursor extends Owned {
  mailboxId: string;
  folder: string;
  uidValidity: string;
  lastUid: number;
  /**
   * The HIGHESTMODSEQ of the folder when it was last read to its end; null when the server keeps none. Over a provider's
   * API: where its list of changes continues, a history id of Gmail or a delta link of Graph.
   */
  highestModseq: string | null;
  /**
   * The emails that were there at the first look and are still to be filed without effects: the next UID and the last.
   * Null when all have been filed.
   */
  history: { next: number; last: number } | null;
  /** The emails whose reading last broke the connection, and how often in a row the first of them did. */
  stuck: { uidValidity: string; uid: number; until: number; tries: number } | null;
  /**
   * Since when an email that the server has announced has been waiting to be read. Set once the wait has taken some
   * time; null while no email waits.
   */
  unreadSince: Date | null;
  /**
   * By what the notices of the provider name this mailbox, the provider's id of what was asked for (Graph alone), until
   * when they come, and when the last one came.
   */
  watchedAs: string | null;
  watchId: string | null;
  watchedUntil: Date | null;
  noticedAt: Date | null;
  /** The last daily count against the provider's list, and how many emails it found that had not been read. */
  counted: { at: Date; missed: number } | null;
  /** The emails that could not be read over the provider's API, or are being read. */
  troubled: TroubledEmail[] | null;
}

/** An email by its provider's id: how often its reading ended the process, and how often it failed. */
export interface TroubledEmail {
  id: string;
  kills: number;
  failures: number;
  since: Date;
  /** When it was last given up; null before the first time. */
  skippedAt: Date | null;
}

export const MailboxCursor = tenantModel<MailboxCursor>(
  "MailboxCursor",
  "mailbox_cursors",
  {
    mailboxId: required,
    folder: required,
    uidValidity: required,
    lastUid: { type: Number, required: true },
    highestModseq: text,
    history: mixed,
    stuck: mixed,
    unreadSince: instant,
    watchedAs: text,
    watchId: text,
    watchedUntil: instant,
    noticedAt: instant,
    counted: mixed,
    troubled: mixed,
  },
  [
    { fields: { unreadSince: 1 }, where: { unreadSince: IS_INSTANT } },
    { fields: { watchedAs: 1 }, where: { watchedAs: IS_TEXT } },
    { fields: { noticedAt: 1 }, where: { noticedAt: IS_INSTANT } },
  ],
);
