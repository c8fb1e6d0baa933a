import type { PlaceInMailbox } from "../../models/warmup/warmup-mail.ts";
import type { DueMail } from "../../store/warmup/engagements.ts";

/**
 * A due email with its last known place. An API has no UIDs: there `uidValidity` is the provider's id of the email, and
 * `uid` is 1.
 */
export type Sought = DueMail & { uid: number; uidValidity: string };

/** Where an email is now, and what has happened to it there. */
export interface PlacedMail {
  place: PlaceInMailbox;
  isAnswered: boolean;
  isFlagged: boolean;
  /** Whether the provider shows the email outside of the inbox, for example among promotions. */
  isApart: boolean;
}

/**
 * What warmup does in a mailbox, by IMAP or over its provider's API. Folders have the names with which emails are
 * stored. The actions take emails of the last `find`, and a repetition changes nothing.
 */
export interface TreatedMailbox {
  /** Those of the emails that are in this folder now, found at their last place or by their Message-ID. */
  find(folder: string, mails: readonly Sought[]): Promise<Map<Sought, PlacedMail>>;
  markRead(mails: readonly PlacedMail[]): Promise<void>;
  flag(mails: readonly PlacedMail[]): Promise<void>;
  /** Gives emails the mark of important ones, at a provider that has one. */
  markImportant(mails: readonly PlacedMail[]): Promise<void>;
  /**
   * Marks emails as wanted and moves them from Junk to the inbox. Returns their new places in this order; null when the
   * server refused.
   */
  rescue(mails: readonly PlacedMail[]): Promise<PlaceInMailbox[] | null>;
  /** Moves emails to another folder. Returns their new places in this order; null when the server refused. */
  move(mails: readonly PlacedMail[], to: string): Promise<PlaceInMailbox[] | null>;
  /** Deletes emails; over an API they go to its bin. */
  remove(mails: readonly PlacedMail[]): Promise<void>;
  /** The folder of this name, created when it does not exist; null when the server does not permit it. */
  ensureFolder(name: string): Promise<string | null>;
  close(): void;
}
