import { setTimeout as delay } from "node:timers/promises";
import type { WorkflowHandle } from "@temporalio/client";
import { ApplicationFailure } from "@temporalio/common";
import { DAY_MS } from "../../domain/time/durations.ts";

/**
 * The answers of a recorded run's activities: by name, by how many calls of any activity came before (from 1), and by
 * the server's clock.
 */
type Answers = (activity: string, count: number, now: number) => unknown;

export interface Story {
  workflow: string;
  path: string;
  answers: Answers;
  /** Input beside the ids that every run gets. Null: started without input, as schedules do. */
  input?: Record<string, unknown> | null;
  drive?(handle: WorkflowHandle): Promise<void>;
  /** Recorded on a server that suggests to continue as new after twenty events, in real time. */
  isShort?: true;
  /** The change that this run precedes: recorded without it, so that the other side of its `patched()` is replayed too. */
  before?: string;
}

const sent = (now: number, next: string) => ({ kind: "sent", nextAt: now + 3 * DAY_MS, next });
const LAST = { kind: "sent", nextAt: null, next: null };
const GONE = { status: "GONE", cursor: {}, ingested: 0 };
const once =
  (result: unknown): Answers =>
  () =>
    result;

/** Waits until the run says that it waits for something, and then signals it. */
const tells =
  (signal: string, argument: object = {}, waitingFor?: string) =>
  async (handle: WorkflowHandle) => {
    for (;;) {
      const state = await handle.query<{ waitingFor: string }>("state");
      if (waitingFor === undefined ? state.waitingFor !== "its first slot" : state.waitingFor === waitingFor) break;
      await delay(15);
    }
    await handle.signal(signal, argument);
  };

/** Every path through a workflow on which old runs may be now. */
export const STORIES: readonly Story[] = [
  {
    workflow: "warmup",
    path: "wrote-read-and-closed",
    answers: (_, count, now) => {
      const plan = { target: 2, sent: count, nextSlotAt: null, nextEngagementAt: null };
      const turns = [
        { kind: "send", at: now + 60_000, mailId: "wml_1", plan },
        { kind: "engage", at: now + 60_000, plan },
        { kind: "close", at: now + 60_000, plan },
        { kind: "gone", plan },
      ];
      return turns[count - 1] ?? turns[3];
    },
  },
  {
    workflow: "warmup",
    path: "parked-and-stopped",
    answers: once({ kind: "parked", plan: { target: 0, sent: 0, nextSlotAt: null, nextEngagementAt: null } }),
    async drive(handle) {
      for (;;) {
        if ((await handle.query("plan")) !== null) break;
        await delay(15);
      }
      await handle.signal("changed");
      await delay(300);
      await handle.signal("stop");
    },
  },
  { workflow: "planWarmup", path: "planned", answers: once({ mails: 40 }), input: null },
  {
    workflow: "recipient",
    path: "sent-three-times",
    answers: (_, count, now) => (count === 3 ? LAST : sent(now, `step ${count + 1}`)),
  },
  {
    workflow: "recipient",
    path: "parked-and-resumed",
    answers: (_, count) => (count === 1 ? { kind: "parked", epoch: 1 } : LAST),
    drive: tells("resume", { epoch: 2 }),
  },
  ...[undefined, "replan-while-parked"].map(
    (before): Story => ({
      workflow: "recipient",
      path: "told-to-look-while-parked",
      answers: once({ kind: "parked", epoch: 1 }),
      async drive(handle) {
        await tells("replan")(handle);
        // A run that handles the signal looks and parks again; a run that does not keeps waiting
        await delay(500);
        await handle.signal("stop", { reason: "REPLIED" });
      },
      ...(before !== undefined && { before }),
    }),
  ),
  {
    workflow: "recipient",
    path: "held-and-freed",
    answers: (_, count) => (count === 1 ? { kind: "held", why: "the mailbox, PAUSED" } : LAST),
    drive: tells("replan", {}, "the mailbox, PAUSED"),
  },
  ...[undefined, "continue-as-new"].map(
    (before): Story => ({
      workflow: "recipient",
      path: "woken-again-and-again",
      answers: (_, count) =>
        count < 6 ? { kind: "replan", at: 0, why: "a second look" } : { kind: "held", why: "the mailbox, PAUSED" },
      drive: tells("stop", { reason: "REPLIED" }, "the mailbox, PAUSED"),
      isShort: true,
      ...(before !== undefined && { before }),
    }),
  ),
  {
    workflow: "recipient",
    path: "stopped",
    answers: (_, count, now) => sent(now, `step ${count + 1}`),
    drive: tells("stop", { reason: "REPLIED" }),
  },
  {
    workflow: "recipient",
    path: "acted-and-posted",
    answers: (activity, count, now) => {
      if (activity === "actStep") return { kind: "replan", at: now + DAY_MS, why: "step 2 due", by: "post" };
      if (activity === "postStep") return { kind: "over", to: "mail" };
      return count === 1 ? { kind: "over", to: "act" } : LAST;
    },
  },
  {
    workflow: "campaign",
    path: "fed-and-finished",
    answers: (activity, count, now) => {
      if (activity === "standingOf") return { status: count <= 8 ? "ACTIVE" : "ENDED", wakeAt: now + DAY_MS };
      if (activity === "admitRecipients") return { count: 2, isDrained: count > 4, wakeAt: now + DAY_MS };
      return activity === "checkCompletion" ? true : 0;
    },
  },
  {
    workflow: "campaign",
    path: "gone",
    answers: (activity, count, now) =>
      activity === "standingOf" ? { status: count === 1 ? "WAITING" : "GONE", wakeAt: now + DAY_MS } : 0,
  },
  { workflow: "deliverWebhook", path: "delivered", answers: once("delivered") },
  {
    workflow: "deliverWebhook",
    path: "dead-lettered",
    answers: (activity) => {
      if (activity === "postEvent") throw ApplicationFailure.retryable("503", "DeliveryFailed");
    },
  },
  {
    workflow: "deliverWebhook",
    path: "delivered-at-the-third-attempt",
    answers: (_, count) => {
      if (count === 1) throw ApplicationFailure.retryable("503", "DeliveryFailed");
      return "delivered";
    },
    input: { attempt: 2 },
  },
  {
    workflow: "deliverWebhook",
    path: "requeued-meanwhile",
    answers: once("waiting"),
    input: { attempt: 7 },
  },
  {
    workflow: "feedWebhook",
    path: "three-turns",
    answers: (_, count) => ({ posted: 1_000, delivered: 999, isEmpty: count === 3 }),
  },
  {
    workflow: "feedWebhook",
    path: "long",
    answers: (_, count) => ({ posted: 1_000, delivered: 1_000, isEmpty: count === 6 }),
    isShort: true,
  },
  {
    workflow: "singleSend",
    path: "after-a-lease",
    answers: (_, count, now) =>
      count === 1 ? { kind: "later", at: now + 150_000 } : { kind: "sent", messageId: "<1@example.com>" },
  },
  {
    workflow: "scheduledReply",
    path: "sent-at-its-hour",
    answers: (_, count, now) =>
      count === 1 ? { kind: "later", at: now + 150_000 } : { kind: "ended", status: "SENT" },
  },
  {
    workflow: "scheduledReply",
    path: "cancelled",
    answers: once({ kind: "ended", status: "SENT" }),
    drive: (handle) => handle.signal("cancel"),
  },
  {
    workflow: "mailboxSync",
    path: "one-round",
    answers: (_, count) => (count === 1 ? { status: "LISTENING", cursor: { INBOX: 7 }, ingested: 1 } : GONE),
  },
  ...[undefined, "worker-shutdown"].map(
    (before): Story => ({
      workflow: "mailboxSync",
      path: "its-worker-replaced",
      answers: (_, count) => {
        if (count === 1) throw ApplicationFailure.nonRetryable("The worker shuts down", "WorkerShutdown");
        return GONE;
      },
      ...(before !== undefined && { before }),
    }),
  ),
  { workflow: "mailboxFreed", path: "woken", answers: once(3) },
  {
    workflow: "job",
    path: "worked-off",
    answers: (_, count) => ({
      status: count === 1 ? "RUNNING" : "COMPLETED",
      progress: { total: 2, processed: count, succeeded: count, failed: 0 },
    }),
  },
  {
    workflow: "job",
    path: "waited",
    answers: (_, count) => ({
      status: count < 3 ? "RUNNING" : "COMPLETED",
      progress: { total: 2, processed: count, succeeded: count, failed: 0 },
      ...(count === 1 && { resumeAfterMs: 60_000 }),
    }),
  },
  {
    workflow: "job",
    path: "failed",
    answers: (activity) => {
      if (activity === "workOnJob") throw ApplicationFailure.nonRetryable("The rows are gone", "Gone");
      return { status: "FAILED" };
    },
  },
  {
    workflow: "job",
    path: "waited",
    answers: (_, count) => ({
      status: count === 1 ? "RUNNING" : "COMPLETED",
      progress: { total: 2, processed: count, succeeded: count, failed: 0 },
      ...(count === 1 && { waitMs: 60_000 }),
    }),
  },
  { workflow: "connectCrm", path: "connected", answers: once({ kind: "connected", connectionId: "crm_1" }) },
  { workflow: "readCrmSegments", path: "read", answers: once({ kind: "read" }), input: { connectionId: "crm_1" } },
  { workflow: "syncCrm", path: "begun", answers: once(2), input: null },
  { workflow: "writeCrmBack", path: "written", answers: once(3), input: null },
  {
    workflow: "connectConsent",
    path: "connected",
    answers: once({ kind: "connected", mailboxId: "mbx_1", email: "a@example.com" }),
  },
  { workflow: "revokeGrant", path: "told", answers: once(null) },
  {
    workflow: "testConnection",
    path: "tested",
    answers: once({ smtp: { ok: true, error: null }, imap: { ok: true, error: null } }),
  },
  { workflow: "testConnections", path: "tested", answers: once([]) },
  { workflow: "readSheet", path: "read", answers: once({ kind: "read", parts: 1 }) },
  {
    workflow: "connectCalendar",
    path: "connected",
    answers: once({ kind: "connected" }),
    input: { consentId: "con_1" },
  },
  { workflow: "readCalendar", path: "read", answers: once({ kind: "read" }), input: { from: 1, to: 2 } },
  { workflow: "mailAgencyReports", path: "told", answers: once(1), input: null },
  { workflow: "askStripe", path: "opened", answers: once({ kind: "opened" }), input: { orderId: "ord_1" } },
  { workflow: "syncBilling", path: "stored", answers: once("stored"), input: { eventId: "evt_1" } },
  { workflow: "agentReply", path: "drafted", answers: once({ kind: "settled" }) },
  {
    workflow: "agentReply",
    path: "given-up",
    answers: (activity) => {
      if (activity === "draftAgentReply") throw ApplicationFailure.nonRetryable("The model did not answer");
      return null;
    },
  },
  { workflow: "listAgentModels", path: "listed", answers: once({ kind: "answered", models: [] }) },
  { workflow: "askLeadSearch", path: "answered", answers: once({ kind: "answered" }) },
  {
    workflow: "placementTest",
    path: "cancelled",
    answers: (activity) => (activity === "beginPlacementTest" ? null : "CANCELLED"),
  },
  {
    workflow: "placementTest",
    path: "sent-and-found",
    answers: (activity, count, now) => {
      if (activity === "beginPlacementTest")
        return { lanes: [["snd_1", "snd_2"], ["snd_3"]], mailboxIds: ["mbx_2", "mbx_3"] };
      if (activity === "sendOnce")
        return count < 4 ? { kind: "later", at: now + 1_000 } : { kind: "sent", messageId: "<1@example.com>" };
      return activity === "closePlacementTest" ? "COMPLETED" : null;
    },
  },
  { workflow: "scoreContents", path: "scored", answers: once(2), input: { scoreIds: ["one", "two"] } },
  { workflow: "checkTrackingDomain", path: "looked-at", answers: once(null) },
  { workflow: "verifyMailboxDns", path: "without-a-probe", answers: once(null), input: { probeId: null } },
  {
    workflow: "verifyMailboxDns",
    path: "with-a-probe",
    answers: (activity) =>
      activity === "sendOnce" ? { kind: "sent", messageId: "<1@example.com>" } : activity === "readProbe" ? true : null,
    input: { probeId: "snd_1" },
  },
  {
    workflow: "verifyMailboxDns",
    path: "with-a-waiting-probe",
    answers: (activity, count, now) => {
      if (activity !== "sendOnce") return activity === "readProbe" ? true : null;
      return count < 3 ? { kind: "later", at: now + 1_000 } : { kind: "sent", messageId: "<1@example.com>" };
    },
    input: { probeId: "snd_1" },
  },
  {
    workflow: "verifyMailboxDns",
    path: "with-a-waiting-probe",
    before: "probe-waits",
    answers: (activity, _count, now) => (activity === "sendOnce" ? { kind: "later", at: now + 1_000 } : null),
    input: { probeId: "snd_1" },
  },
  { workflow: "dailyDnsChecks", path: "checked", answers: once({ checked: 2 }), input: null },
  { workflow: "judgeMailboxes", path: "judged", answers: once(2), input: null },
  { workflow: "countDays", path: "counted", answers: once(3), input: null },
  { workflow: "refreshAudiences", path: "refreshed", answers: once(1), input: null },
];

/** The name of its file without the extension. */
export function nameOf({ workflow, path, before }: Story): string {
  return [workflow, path, ...(before === undefined ? [] : [`before-${before}`])].join(".");
}
