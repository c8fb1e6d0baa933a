import type { MailFigures, PlaceFigures } from "../../domain/deliverability/score.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { counter, type Owned, oneOf, required, tenantModel } from "../../mongo/schema.ts";

/** Whose emails are counted: those of the whole workspace, of a sending domain, or of one mailbox. */
const FIGURES_OF = ["WORKSPACE", "DOMAIN", "MAILBOX"] as const;
export type FiguresOf = (typeof FIGURES_OF)[number];

/** Emails by receiver: the three large mail services, and the hosts of the two mail providers. */
export interface Destinations {
  toGoogle: number;
  toYahoo: number;
  toMicrosoft: number;
  toProviderA: number;
  toProviderB: number;
}

/**
 * Emails of warmup and placement tests whose folder was checked, by receiver. Emails that were not found in any folder
 * are included. Emails with other receivers are not.
 */
export interface MeasuredByReceiver {
  measuredAtProviderA: number;
  inInboxAtProviderA: number;
  measuredAtProviderB: number;
  inInboxAtProviderB: number;
}

/**
 * The results of the campaign emails that were due on one UTC day, and the replies and complaints that arrived on that
 * day. Each day is counted again for a week, because bounces and opens arrive later. The folders in which emails landed
 * come from warmup and placement tests and count on the day they were found. `_id` is
 * `<workspaceId>:<of>:<subjectId>:<day>`.
 */
export interface MailFiguresDay extends Owned, MailFigures, Destinations, PlaceFigures, MeasuredByReceiver {
  of: FiguresOf;
  /** The workspace id, the domain, or the mailbox id. */
  subjectId: string;
  day: string;
  /** The beginning of the day, by which it expires. */
  at: Date;
}

const KEPT_SECONDS = 400 * DAY_SECONDS;

export const MailFiguresDay = tenantModel<MailFiguresDay>(
  "MailFiguresDay",
  "mail_figures",
  {
    of: oneOf(FIGURES_OF, "MAILBOX"),
    subjectId: required,
    day: required,
    at: { type: Date, required: true },
    sent: counter,
    bounced: counter,
    complained: counter,
    replied: counter,
    tracked: counter,
    opened: counter,
    toGoogle: counter,
    toYahoo: counter,
    toMicrosoft: counter,
    toProviderA: counter,
    toProviderB: counter,
    seen: counter,
    inSpam: counter,
    inInbox: counter,
    missing: counter,
    measuredAtProviderA: counter,
    inInboxAtProviderA: counter,
    measuredAtProviderB: counter,
    inInboxAtProviderB: counter,
  },
  [
    { fields: { workspaceId: 1, of: 1, subjectId: 1, day: 1 } },
    { fields: { workspaceId: 1, of: 1, day: 1 } },
    { fields: { at: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
);
