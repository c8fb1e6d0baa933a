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
    measure: z.string().describe("What was measured"),
    numerator: z.number().describe("How many"),
    denominator: z.number().describe("Out of how many"),
    threshold: z.number().describe("From which share, or number where the denominator is 1, on there is an alert"),
  }),
);

const Alert = record({
  type: z.enum(ALERT_TYPES).describe("What is wrong"),
  severity: z.enum(ALERT_SEVERITIES).describe("How much it weighs"),
  status: z
    .enum(ALERT_STATUSES)
    .describe("ACKNOWLEDGED: a person has seen it. It resolves by itself when its cause is gone"),
  subjectType: z.enum(SUBJECT_TYPES).describe("What it is about"),
  subjectId: z.string().describe("The domain, or the id of the mailbox"),
  message: z.string().describe("What was found last, with its numbers"),
  numbers: numbers.describe("The numbers by themselves; null where it is a fact and no share"),
  openedAt: time.describe("When it was first found"),
  acknowledgedAt: optionalTime.describe("When a person acknowledged it"),
  resolvedAt: optionalTime.describe("When its cause was gone"),
  resolution: nullable(
    z.object({
      message: z.string().describe("The same as a sentence"),
      numbers: numbers.describe("The numbers by themselves"),
    }),
  ).describe("What was found then; null before, and where its domain or mailbox is there no more"),
}).meta({ id: "DeliverabilityAlert", description: "Something that is amiss with a domain or a mailbox" });

const BY = sorting({ openedAt: "openedAt" }, "-openedAt");

export const list = operation({
  summary: "List alerts about domains and mailboxes, the newest first",
  scope: "deliverability:read",
  input: z.strictObject({
    ...paging,
    sort: BY.sort,
    status: z.enum(ALERT_STATUSES).optional().describe("Only those in this state"),
    severity: z.enum(ALERT_SEVERITIES).optional().describe("Only those that weigh this much"),
    since: instant.optional().describe("Only those opened since this instant"),
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
  summary: "Mark an alert as seen. It stays until its cause is gone, and opens again when it gets worse",
  scope: "mailboxes:write",
  errors: ["ALERT_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  input: z.strictObject({ alertId }),
  output: Alert,
  async run({ workspaceId, credentialId }, { alertId }) {
    const alert = await markAcknowledged(workspaceId, alertId, credentialId);
    if (alert === null) throw new AppError("ALERT_NOT_FOUND", "No alert has this id");
    if (alert.status !== "RESOLVED") return alert;
    const details = { from: alert.status, action: "acknowledge" };
    throw new AppError("INVALID_STATE_TRANSITION", "An alert that has resolved cannot be acknowledged", details);
  },
});
