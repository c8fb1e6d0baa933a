import { deedOf, TOLD_EVENTS } from "../../domain/crm/activity.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { CrmActivity, CrmActivityState } from "../../models/crm/crm-activity.ts";
import { CrmConnection } from "../../models/crm/crm-connection.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_INSTANT } from "../../mongo/schema.ts";

/**
 * How many milliseconds of earlier events are read again, because a transaction may commit that much later than the
 * instants of its events.
 */
const OVERLAP_MS = 5 * MINUTE_MS;
const PAGE = 1_000;
/**
 * How often an activity that the vendor temporarily refuses is attempted, and the milliseconds between the attempts.
 */
const MOST_TRIES = 10;
const AGAIN_MS = HOUR_MS;

/** Connections of all workspaces with write-back, with ids after `after`. */
export function findToldConnections(after: string, limit: number): Promise<CrmConnection[]> {
  const filter = { toldUntil: trusted(IS_INSTANT), _id: trusted({ $gt: after }), status: "CONNECTED" as const };
  return CrmConnection.find(filter, null, { acrossWorkspaces: true })
    .sort({ _id: 1 })
    .limit(limit)
    .lean<CrmConnection[]>()
    .exec();
}

/**
 * Collects the events since the last collection that must be written to the CRM: only those of contacts that were
 * imported through this connection, and each event once. Returns how many were collected.
 */
export async function collectDeeds(
  { workspaceId, _id: connectionId, toldUntil, toldFrom }: CrmConnection,
  now: Date,
): Promise<number> {
  if (toldUntil === null) return 0;
  const { ActivityEvent, CrmConnection: Connections, CrmMember, Lead } = scoped(workspaceId);
  let noted = 0;
  const from = new Date(toldUntil.getTime() - OVERLAP_MS);
  for (const type of TOLD_EVENTS) {
    for (let since = { at: from, id: "" }; ; ) {
      const later = { $or: [{ at: { $gt: since.at } }, { at: since.at, _id: { $gt: since.id } }], at: { $lte: now } };
      const events = await ActivityEvent.read({ type, ...later }, { sort: { at: 1, _id: 1 }, limit: PAGE });
      const deeds = events.flatMap(({ _id, data, at, leadId, campaignId }) => {
        const deed = deedOf(type, data);
        if (deed === null || leadId === null) return [];
        const since = deed === "DO_NOT_CONTACT" ? toldFrom.doNotContact : toldFrom.activities;
        return since !== null && at >= since ? [{ _id, deed, at, leadId, campaignId }] : [];
      });
      const leads = await Lead.read({ _id: { $in: deeds.map(({ leadId }) => leadId) } }, { select: { email: 1 } });
      const emailOf = new Map(leads.map(({ _id, email }) => [_id, email]));
      const members = await CrmMember.read({ connectionId, email: { $in: [...emailOf.values()] } });
      const memberOf = new Map(members.map((member) => [member.email, member]));
      for (const { _id, deed, at, leadId, campaignId } of deeds) {
        const member = memberOf.get(emailOf.get(leadId) ?? "");
        if (member === undefined || member.email === null) continue;
        // An opt-out that came from the CRM is not written back to it
        if (deed === "DO_NOT_CONTACT" && member.isOptedOut) continue;
        const { recordId, email } = member;
        const deedOfEvent = { connectionId, recordId, email, deed, at, campaignId };
        noted += await insertOnce(workspaceId, `${connectionId}:${_id}`, { ...deedOfEvent, ...UNTOLD, dueAt: now });
      }
      const last = events.at(-1);
      if (last === undefined || events.length < PAGE) break;
      since = { at: last.at, id: last._id };
    }
  }
  await Connections.updateOne({ _id: connectionId, toldUntil }, { $set: { toldUntil: now } });
  return noted;
}

const UNTOLD = { state: "PENDING", attempts: 0, externalId: null, error: null } as const;

async function insertOnce(workspaceId: string, _id: string, fields: Partial<CrmActivity>): Promise<number> {
  const { CrmActivity } = scoped(workspaceId);
  if ((await CrmActivity.get(_id)) !== null) return 0;
  await CrmActivity.updateOne({ _id }, { $setOnInsert: fields }, { upsert: true });
  return 1;
}

/** The activities of a connection that are due, oldest first. */
export function findDueDeeds(
  workspaceId: string,
  connectionId: string,
  now: Date,
  limit: number,
): Promise<CrmActivity[]> {
  const due = {
    connectionId,
    dueAt: trusted({ $gt: new Date(0), $lte: now }),
    state: trusted({ $in: ["PENDING", "WRITING"] }),
  };
  return scoped(workspaceId).CrmActivity.find(due, { sort: { dueAt: 1, _id: 1 }, limit });
}

/**
 * Takes an activity in order to write it to the CRM. If another process took it earlier without recording a result, it
 * may already have been written; it becomes UNKNOWN, unless writing it twice changes nothing. Returns whether the
 * caller must write it.
 */
export async function takeDeed({ workspaceId, _id, state, deed }: CrmActivity): Promise<boolean> {
  if (state === "WRITING" && deed !== "DO_NOT_CONTACT") {
    await settleDeed(workspaceId, _id, { state: "UNKNOWN", error: "KILLED" });
    return false;
  }
  const { CrmActivity } = scoped(workspaceId);
  return (await CrmActivity.updateOne({ _id, state }, { $set: { state: "WRITING" }, $inc: { attempts: 1 } })) > 0;
}

/** Settles an activity permanently. */
export async function settleDeed(
  workspaceId: string,
  _id: string,
  {
    state,
    externalId = null,
    error = null,
  }: { state: CrmActivityState; externalId?: string | null; error?: string | null },
): Promise<void> {
  await scoped(workspaceId).CrmActivity.updateOne({ _id }, { $set: { state, externalId, error, dueAt: null } });
}

/**
 * Schedules another attempt for an activity that the vendor certainly did not accept. After the last attempt it becomes
 * FAILED.
 */
export async function putOffDeed(
  { workspaceId, _id, attempts }: CrmActivity,
  error: string,
  waitMs: number | null,
  now: Date,
): Promise<void> {
  if (attempts + 1 >= MOST_TRIES) return settleDeed(workspaceId, _id, { state: "FAILED", error });
  const dueAt = new Date(now.getTime() + (waitMs ?? AGAIN_MS));
  await scoped(workspaceId).CrmActivity.updateOne({ _id }, { $set: { state: "PENDING", error, dueAt } });
}
