import { Context } from "@temporalio/activity";
import { CrmTrouble } from "../../connectors/crm/vendor.ts";
import { CRM_VENDORS } from "../../connectors/crm/vendors.ts";
import { activityContent } from "../../domain/crm/activity.ts";
import { SYNC_EVERY_MS } from "../../domain/crm/limits.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { CrmActivity } from "../../models/crm/crm-activity.ts";
import type { CrmConnection } from "../../models/crm/crm-connection.ts";
import type { CrmImport } from "../../models/crm/crm-import.ts";
import { scoped } from "../../models/scoped.ts";
import { findDueImports, keepInStep } from "../../store/crm/imports.ts";
import {
  collectDeeds,
  findDueDeeds,
  findToldConnections,
  putOffDeed,
  settleDeed,
  takeDeed,
} from "../../store/crm/write-back.ts";
import { throughAll } from "../round.ts";
import { type CrmDeps, CrmLost, type CrmSessions } from "./sessions.ts";

export interface CrmRoundActivities {
  /** Returns how many imports were begun. */
  keepCrmLists(): Promise<number>;
  /** Returns how many activities were written. */
  writeCrmBack(): Promise<number>;
}

const PAGE = 100;
/**
 * A list is imported again up to this many milliseconds early, because the hourly runs do not start exactly on time.
 */
const EARLY_MS = 5 * MINUTE_MS;

/** The activities of the rounds over the CRM connections of every workspace. */
export function crmRoundActivities(
  sessions: CrmSessions,
  { log, waits }: Pick<CrmDeps, "log" | "waits">,
): CrmRoundActivities {
  function keepCrmLists(): Promise<number> {
    const before = new Date(Date.now() - SYNC_EVERY_MS + EARLY_MS);
    const startImport = async (one: CrmImport) => ((await keepInStep(one, before)) ? 1 : 0);
    return throughAll(
      (last) => findDueImports(last, before, PAGE),
      startImport,
      log,
      "failed to sync a list with its CRM",
    );
  }

  function writeCrmBack(): Promise<number> {
    return throughAll(
      (last) => findToldConnections(last, PAGE),
      reportConnection,
      log,
      "failed to write back to a CRM",
    );
  }

  async function reportConnection(connection: CrmConnection, beat: () => void): Promise<number> {
    const { workspaceId, _id: connectionId } = connection;
    const now = new Date();
    await collectDeeds(connection, now);
    let written = 0;
    for (;;) {
      const due = await findDueDeeds(workspaceId, connectionId, now, PAGE);
      for (const deed of due) {
        beat();
        const outcome = await writeDeed(connection, deed);
        if (outcome === "STOP") return written;
        if (outcome === "WRITTEN") written++;
      }
      if (due.length < PAGE) return written;
    }
  }

  /** Writes one activity to the CRM. STOP: the vendor accepts nothing now, so the rest waits for the next round. */
  async function writeDeed(
    { workspaceId, _id: connectionId, provider }: CrmConnection,
    deed: CrmActivity,
  ): Promise<"WRITTEN" | "NOT" | "STOP"> {
    if (!(await takeDeed(deed))) return "NOT";
    const vendor = CRM_VENDORS[provider];
    const { recordId, email, at, campaignId } = deed;
    const signal = Context.current().cancellationSignal;
    try {
      const campaign = campaignId === null ? null : await scoped(workspaceId).Campaign.get(campaignId);
      const externalId = await sessions.within({ workspaceId, connectionId }, signal, async (call) => {
        if (deed.deed === "DO_NOT_CONTACT") await vendor.writeDoNotContact(call, recordId, email);
        else return vendor.writeActivity(call, recordId, activityContent(deed.deed, at, campaign?.name ?? null));
        return null;
      });
      await settleDeed(workspaceId, deed._id, { state: "DONE", externalId });
      return "WRITTEN";
    } catch (error) {
      if (error instanceof CrmLost) {
        await putOffDeed(deed, "LOST", null, new Date());
        return "STOP";
      }
      if (!(error instanceof CrmTrouble)) throw error;
      const { fault, reasons, waitMs } = error;
      log.info({ workspaceId, connectionId, deed: deed.deed, fault, reasons }, "failed to write an activity to a CRM");
      if (fault === "RATE_LIMITED" || fault === "DAY_USED_UP") {
        await putOffDeed(deed, fault, waitMs ?? (fault === "RATE_LIMITED" ? waits.rateMs : waits.dailyMs), new Date());
        return "STOP";
      }
      if (fault === "AWAY" || fault === "ANSWER_INVALID") {
        // The vendor may have accepted the activity, so repeating it could create a duplicate
        if (deed.deed === "DO_NOT_CONTACT") await putOffDeed(deed, fault, null, new Date());
        else await settleDeed(workspaceId, deed._id, { state: "UNKNOWN", error: fault });
        return fault === "AWAY" ? "STOP" : "NOT";
      }
      await settleDeed(workspaceId, deed._id, { state: "FAILED", error: fault });
      return "NOT";
    }
  }

  return { keepCrmLists, writeCrmBack };
}
