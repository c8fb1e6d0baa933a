import { z } from "zod";
import { ALERT_SEVERITIES, ALERT_STATUSES, ALERT_TYPES, SUBJECT_TYPES } from "../../domain/deliverability/alerts.ts";
import { AppError } from "../../domain/errors.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { acknowledge as markAcknowledged } from "../../store/deliverability/alerts.ts";
import { describedIds } from "../described-ids.ts";
import { instant, nullable, optionalTime, pageFrom, pageOf, paging, record, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";

const { alertId } = describedIds;

const numbers = nullable(
  z.object({
    measure: z.string().describe("The measure"),
    numerator: z.number().describe("The affected count"),
    denominator: z.number().describe("The total"),
    threshold: z.number().describe("The share from which an alert opens; a number if the denominator is 1"),
  }),
);

const Alert = record({
  type: z.enum(ALERT_TYPES).describe("The problem"),
  severity: z.enum(ALERT_SEVERITIES).describe("The severity"),
  status: z
    .enum(ALERT_STATUSES)
    .describe("ACKNOWLEDGED: a person has seen it. It resolves by itself when the cause is gone"),
  subjectType: z.enum(SUBJECT_TYPES).describe("The type of the subject"),
  subjectId: z.string().describe("The domain, or the id of the mailbox, CRM connection or approval"),
  message: z.string().describe("The last finding, with its numbers"),
  numbers: numbers.describe("The numbers alone; null if the problem is not a share or number"),
  openedAt: time.describe("When the problem was first found"),
  acknowledgedAt: optionalTime.describe("When a person acknowledged it"),
  resolvedAt: optionalTime.describe("When the cause was found to be gone"),
  resolution: nullable(
    z.object({
      message: z.string().describe("The finding as a sentence"),
      numbers: numbers.describe("The numbers alone"),
    }),
  ).describe("The finding when it resolved; null before, or if the domain or mailbox was removed"),
}).meta({ id: "DeliverabilityAlert", description: "A problem of a domain or a mailbox" });

const BY = sorting({ openedAt: "openedAt" }, "-openedAt");

export const list = operation({
  summary: "List alerts about domains and mailboxes, the newest first",
  scope: "deliverability:read",
  input: z.strictObject({
    ...paging,
    sort: BY.sort,
    status: z.enum(ALERT_STATUSES).optional().describe("Only alerts with this status"),
    severity: z.enum(ALERT_SEVERITIES).optional().describe("Only alerts of this severity"),
    since: instant.optional().describe("Only alerts opened since this instant"),
  }),
  output: pageOf(Alert),
  run({ workspaceId }, { page, pageSize, sort, status, severity, since }) {
    const filter = {
      ...(status !== undefined && { status }),
      ...(severity !== undefined && { severity }),
      ...(since !== undefined && { openedAt: trusted({ $gte: since }) }),
    };
    return pageFrom(scoped(workspaceId).DeliverabilityAlert, filter, { page, pageSize }, { sort: BY.orderOf(sort) });
  },
});

export const acknowledge = operation({
  summary: "Mark an alert as seen. It resolves when the cause is gone, and opens again if the problem gets worse",
  scope: "mailboxes:write",
  errors: ["ALERT_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  input: z.strictObject({ alertId }),
  output: Alert,
  async run({ workspaceId, credentialId }, { alertId }) {
    const alert = await markAcknowledged(workspaceId, alertId, credentialId);
    if (alert === null) throw new AppError("ALERT_NOT_FOUND", "No alert has this id");
    if (alert.status !== "RESOLVED") return alert;
    const details = { from: alert.status, action: "acknowledge" };
    throw new AppError("INVALID_STATE_TRANSITION", "A resolved alert cannot be acknowledged", details);
  },
});
