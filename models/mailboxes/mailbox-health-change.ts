import { BANDS, type Band, HEALTH_MEASURES, type HealthMeasure } from "../../domain/mailboxes/band.ts";
import { CHANGED_BY, type HealthChange } from "../../domain/mailboxes/health-fold.ts";
import { DAY_SECONDS } from "../../domain/time/durations.ts";
import { instant, number, type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

/** One change of a mailbox's health band, its step or its end (rules/health 3.1). */
export interface MailboxHealthChange extends Owned, HealthChange {
  mailboxId: string;
  at: Date;
  from: Band;
  to: Band;
  measure: HealthMeasure | null;
  /** The credential that reset the band; null when the facts changed it. */
  actor: string | null;
}

const KEPT_SECONDS = 400 * DAY_SECONDS;

export const MailboxHealthChange = tenantModel<MailboxHealthChange>(
  "MailboxHealthChange",
  "mailbox_health",
  {
    mailboxId: required,
    at: { type: Date, required: true },
    from: oneOf(BANDS, "HEALTHY"),
    to: oneOf(BANDS, "HEALTHY"),
    fromStep: number,
    step: number,
    until: instant,
    measure: oneOf(HEALTH_MEASURES),
    numerator: number,
    denominator: number,
    threshold: number,
    by: oneOf(CHANGED_BY, "FACTS"),
    actor: text,
  },
  [
    { fields: { workspaceId: 1, mailboxId: 1, at: -1, _id: -1 } },
    { fields: { createdAt: 1 }, expireAfterSeconds: KEPT_SECONDS },
  ],
);
