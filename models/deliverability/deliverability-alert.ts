import {
  ALERT_SEVERITIES,
  ALERT_STATUSES,
  ALERT_TYPES,
  type AlertNumbers,
  type AlertSeverity,
  type AlertStatus,
  type AlertType,
  SUBJECT_TYPES,
  type SubjectType,
} from "../../domain/deliverability/alerts.ts";
import { IS_TEXT, instant, mixed, type Owned, oneOf, required, tenantModel, text } from "../../mongo/schema.ts";

/** A problem of a domain or mailbox, stored from its detection until its end (rules/deliverability 5). */
export interface DeliverabilityAlert extends Owned {
  type: AlertType;
  severity: AlertSeverity;
  status: AlertStatus;
  subjectType: SubjectType;
  subjectId: string;
  /** The text of the last check that found the problem. */
  message: string;
  numbers: AlertNumbers | null;
  openedAt: Date;
  acknowledgedAt: Date | null;
  /** The credential that acknowledged it. */
  acknowledgedBy: string | null;
  resolvedAt: Date | null;
  /**
   * What the check found when the problem was gone. Null before that, and when the domain or mailbox no longer exists.
   */
  resolution: { message: string; numbers: AlertNumbers | null } | null;
  /** The change that members have not been notified of yet; null: none. */
  untold: "OPENED" | "RESOLVED" | null;
}

export const DeliverabilityAlert = tenantModel<DeliverabilityAlert>(
  "DeliverabilityAlert",
  "deliverability_alerts",
  {
    type: oneOf(ALERT_TYPES),
    severity: oneOf(ALERT_SEVERITIES, "WARNING"),
    status: oneOf(ALERT_STATUSES, "OPEN"),
    subjectType: oneOf(SUBJECT_TYPES),
    subjectId: required,
    message: required,
    numbers: mixed,
    openedAt: { type: Date, required: true },
    acknowledgedAt: instant,
    acknowledgedBy: text,
    resolvedAt: instant,
    resolution: mixed,
    untold: oneOf(["OPENED", "RESOLVED"]),
  },
  [
    // A problem has at most one open alert, even when several checks run at the same time
    {
      name: "standing",
      fields: { workspaceId: 1, type: 1, subjectType: 1, subjectId: 1 },
      unique: true,
      where: { status: { $in: ["OPEN", "ACKNOWLEDGED"] } },
    },
    { fields: { workspaceId: 1, openedAt: -1, _id: -1 } },
    { fields: { workspaceId: 1, status: 1, openedAt: -1, _id: -1 } },
    { fields: { workspaceId: 1, untold: 1 }, where: { untold: IS_TEXT } },
    {
      fields: { type: 1 },
      name: "undecided",
      where: { type: "OPT_OUT_UNDECIDED", status: { $in: ["OPEN", "ACKNOWLEDGED"] } },
    },
  ],
);
