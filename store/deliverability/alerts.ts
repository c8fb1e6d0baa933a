import {
  type AlertChange,
  type AlertCondition,
  alertChanges,
  bandCondition,
  crmCondition,
  domainConditions,
  googleConditions,
  mailboxCondition,
  partnerCondition,
  placeCondition,
  rateConditions,
  UNDECIDED_MS,
  undecidedCondition,
} from "../../domain/deliverability/alerts.ts";
import { Membership } from "../../models/access/membership.ts";
import { Approval } from "../../models/campaigns/approval.ts";
import { DeliverabilityAlert } from "../../models/deliverability/deliverability-alert.ts";
import { scoped } from "../../models/scoped.ts";
import { User } from "../../models/sign-in/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";
import { loadSendingDomains, loadSettings } from "./domains.ts";
import { firstDayOf, loadSums, noFigures } from "./figures.ts";
import { MEASURED_DAYS, measureDomains } from "./states.ts";

/** An alert that members have not been notified of. */
export type Untold = Pick<DeliverabilityAlert, "_id" | "severity" | "message" | "untold" | "resolution">;

const STANDING = ["OPEN", "ACKNOWLEDGED"] as const;
const isStanding = { status: trusted({ $in: STANDING }) };

/**
 * Opens, updates and resolves the alerts of a workspace according to the stored facts about its domains and emails
 * (rules/deliverability 5).
 */
export async function judgeAlerts(workspaceId: string): Promise<void> {
  const conditions = await loadConditions(workspaceId);
  const { DeliverabilityAlert } = scoped(workspaceId);
  const standing = (await DeliverabilityAlert.find(isStanding)).flatMap(
    ({ _id, type, subjectType, subjectId, status, severity }) =>
      status === "RESOLVED" ? [] : [{ id: _id, type, subjectType, subjectId, status, severity }],
  );
  for (const change of alertChanges(conditions, standing)) await applyChange(workspaceId, change);
}

async function loadConditions(workspaceId: string): Promise<AlertCondition[]> {
  const { alertThresholds } = await loadSettings(workspaceId);
  const domains = await loadSendingDomains(workspaceId);
  const measured = await measureDomains(workspaceId, domains, domains);
  const ofDomains = measured.flatMap((state) => {
    const { domain, checkedAt, figures, google } = state;
    const of = { subjectType: "DOMAIN" as const, subjectId: domain, name: domain };
    const rates = [...rateConditions(of, figures, alertThresholds), placeCondition(of, figures, alertThresholds)];
    // Nothing is known about a domain before its first check
    return [
      ...(checkedAt === null ? [] : domainConditions(state)),
      ...rates,
      ...googleConditions(domain, google, Date.now()),
    ];
  });
  const mailboxes = await scoped(workspaceId).Mailbox.read(
    { status: { $ne: "DISCONNECTED" } },
    { select: { email: 1, status: 1, statusReason: 1, health: 1 } },
  );
  const alone = await findWithoutPartner(workspaceId);
  const sums = await loadSums(workspaceId, "MAILBOX", firstDayOf(MEASURED_DAYS));
  const ofMailboxes = mailboxes.flatMap(({ _id: mailboxId, email, status, statusReason, health }) => {
    const of = { subjectType: "MAILBOX" as const, subjectId: mailboxId, name: email };
    const figures = sums.get(mailboxId) ?? noFigures();
    return [
      bandCondition({ mailboxId, email }, health ?? null),
      partnerCondition({ mailboxId, email }, alone.has(mailboxId)),
      mailboxCondition({ mailboxId, email, status, statusReason }),
      ...rateConditions(of, figures, alertThresholds),
      placeCondition(of, figures, alertThresholds),
    ];
  });
  const crms = await scoped(workspaceId).CrmConnection.read(
    {},
    { select: { accountName: 1, status: 1, statusReason: 1 } },
  );
  const ofCrms = crms.map(({ _id: connectionId, accountName: name, status, statusReason }) =>
    crmCondition({ connectionId, name, isLost: status === "RECONNECT_REQUIRED", statusReason }),
  );
  return [...ofDomains, ...ofMailboxes, ...ofCrms, ...(await undecidedConditions(workspaceId))];
}

async function undecidedConditions(workspaceId: string): Promise<AlertCondition[]> {
  const questions = await scoped(workspaceId).Approval.find(
    { ...undecidedSince(Date.now()) },
    { select: { createdAt: 1 } },
  );
  return questions.map(({ _id: approvalId, createdAt: since }) => undecidedCondition({ approvalId, since }));
}

function undecidedSince(now: number) {
  return {
    kind: "OPT_OUT" as const,
    status: "PENDING" as const,
    createdAt: trusted({ $lte: new Date(now - UNDECIDED_MS) }),
  };
}

/**
 * The workspaces where an opt-out question has just become overdue, or was decided after it had raised an alert. Their
 * alerts are updated immediately, because the daily round would be too late. Returns at most `most`.
 */
export async function findUndecided(most: number, now: number): Promise<string[]> {
  const across = { acrossWorkspaces: true };
  const standing = await DeliverabilityAlert.find(
    { type: "OPT_OUT_UNDECIDED", ...isStanding },
    { workspaceId: 1, subjectId: 1 },
    across,
  )
    .limit(most)
    .lean<Pick<DeliverabilityAlert, "workspaceId" | "subjectId">[]>();
  const approvalIds = new Set(standing.map(({ subjectId }) => subjectId));
  const open = await Approval.find(undecidedSince(now), { workspaceId: 1 }, across)
    .limit(most)
    .lean<Pick<Approval, "_id" | "workspaceId">[]>();
  const undecided = new Set(open.map(({ _id }) => _id));
  const isNews = [
    ...open.filter(({ _id }) => !approvalIds.has(_id)),
    ...standing.filter(({ subjectId }) => !undecided.has(subjectId)),
  ];
  return [...new Set(isNews.map(({ workspaceId }) => workspaceId))];
}

/**
 * Applies one change in one write, and only to an alert that is still open, so that two concurrent rounds apply no
 * change twice.
 */
export async function applyChange(workspaceId: string, change: AlertChange): Promise<void> {
  const { DeliverabilityAlert } = scoped(workspaceId);
  const now = new Date();
  if (change.kind === "open") {
    const { type, subjectType, subjectId, severity, message, numbers } = change.condition;
    const fields = {
      type,
      subjectType,
      subjectId,
      severity,
      message,
      numbers,
      status: "OPEN",
      openedAt: now,
      untold: "OPENED",
    } as const;
    await DeliverabilityAlert.insert({ _id: newId("alr"), ...fields }).catch((err: unknown) => {
      if (!isDuplicateKey(err)) throw err;
    });
  } else if (change.kind === "update") {
    const { severity, message, numbers } = change.condition;
    const again = change.isWorse
      ? { status: "OPEN", untold: "OPENED", acknowledgedAt: null, acknowledgedBy: null }
      : {};
    await DeliverabilityAlert.updateOne(
      { _id: change.id, ...isStanding },
      { $set: { severity, message, numbers, ...again } },
    );
  } else {
    const { condition } = change;
    const resolution = condition === null ? null : { message: condition.message, numbers: condition.numbers };
    const set = { status: "RESOLVED", resolvedAt: now, resolution };
    // Members who were not notified that it opened need no notice that it resolved
    const unheard = { _id: change.id, ...isStanding, untold: "OPENED" };
    if ((await DeliverabilityAlert.updateOne(unheard, { $set: { ...set, untold: null } })) > 0) return;
    await DeliverabilityAlert.updateOne({ _id: change.id, ...isStanding }, { $set: { ...set, untold: "RESOLVED" } });
  }
}

/**
 * Marks an alert as seen by a person; it still resolves automatically. A second call changes nothing. Null when no
 * alert has this id.
 */
export async function acknowledge(
  workspaceId: string,
  alertId: string,
  credentialId: string,
): Promise<DeliverabilityAlert | null> {
  const { DeliverabilityAlert } = scoped(workspaceId);
  const set = { status: "ACKNOWLEDGED", acknowledgedAt: new Date(), acknowledgedBy: credentialId };
  await DeliverabilityAlert.updateOne({ _id: alertId, status: "OPEN" }, { $set: set });
  return DeliverabilityAlert.get(alertId);
}

/** The alerts that members have not been notified of, the most severe first. */
export async function loadUntold(workspaceId: string): Promise<Untold[]> {
  const found = await scoped(workspaceId).DeliverabilityAlert.find(
    { untold: trusted({ $gt: "" }) },
    { sort: { _id: 1 } },
  );
  const rank = { CRITICAL: 0, WARNING: 1, INFO: 2 };
  return found.sort((a, b) => rank[a.severity] - rank[b.severity]);
}

/** Marks alerts as notified, unless they have changed since they were read. */
export async function markTold(workspaceId: string, alerts: readonly Untold[]): Promise<void> {
  for (const { _id, untold } of alerts)
    await scoped(workspaceId).DeliverabilityAlert.updateOne({ _id, untold }, { $set: { untold: null } });
}

/** The addresses of the members whose role allows them to fix the problem. */
export async function loadTellable(workspaceId: string): Promise<string[]> {
  const members = await Membership.find({ workspaceId, role: trusted({ $in: ["OWNER", "ADMIN", "MEMBER"] }) }).lean<
    Membership[]
  >();
  const users = await User.find({ _id: trusted({ $in: members.map(({ userId }) => userId) }) }, { email: 1 }).lean<
    Pick<User, "email">[]
  >();
  return users.map(({ email }) => email).sort();
}

/** The mailboxes of a workspace that are in warmup and have no partner. */
export async function findWithoutPartner(workspaceId: string): Promise<Set<string>> {
  const alone = { status: "ACTIVE", statusReason: "NO_PARTNER" };
  const found = await scoped(workspaceId).WarmupEnrolment.read(alone, { select: { _id: 1 } });
  return new Set(found.map(({ _id }) => _id));
}
