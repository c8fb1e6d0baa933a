import type { MailFigures, PlaceFigures } from "../../domain/deliverability/score.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { counter, type Owned, oneOf, required, tenantModel } from "../../mongo/schema.ts";

/** Whose emails are counted: those of the whole workspace, of a sending domain, or of one mailbox. */
const FIGURES_OF = ["WORKSPACE", "DOMAIN", "MAILBOX"] as const;
export type FiguresOf = (typeof FIGURES_OF)[number];

/** Emails by who receives them: persons at the three mail services, and the two mail providers' hosts. */
export interface Destinations {
  toGoogle: number;
  toYahoo: number;
  toMicrosoft: number;
  toProviderA: number;
  toProviderB: number;
}

/** Measured emails, those seen nowhere included, by who receives them; the rest is received elsewhere. */
export interface MeasuredByReceiver {
  measuredAtProviderA: number;
  inInboxAtProviderA: number;
  measuredAtProviderB: number;
  inInboxAtProviderB: number;
}

/**
 * What became of the campaign emails that were due on one UTC day, and what came back on it. Days count anew for a
 * week, because bounces and opens come later. Where emails landed is that of warmup and placement tests, on the day it
 * was found. `_id` is `<workspaceId>:<of>:<subjectId>:<day>`.
 */
export interface MailFiguresDay extends Owned, MailFigures, Destinations, PlaceFigures, MeasuredByReceiver {
  of: FiguresOf;
  /** The id of the workspace or mailbox, or the domain. */
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
