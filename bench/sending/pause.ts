import { setTimeout as sleep } from "node:timers/promises";
import { OPEN } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { until } from "../../test/fakes/wait.ts";
import type { Rest } from "../../test/support/rest.ts";
import { type Rig, startRig } from "../rig.ts";
import { median, ms, type Row, spread } from "../table.ts";
import { storeCampaign, storeMailboxes } from "./campaigns.ts";

const RECIPIENTS = 10_000;
const CYCLES = 6;
const SENDING_MS = 6_000;
const QUIET_MS = 2_500;
const DEADLINE_MS = 60_000;

interface Cycle {
  pauseMs: number;
  /** Milliseconds from the response to the last email that the SMTP server accepted; 0 when none came after it. */
  lastMailMs: number;
  resumeMs: number;
  firstMailMs: number;
  open: number;
  /** Emails sent in the second before the pause was requested, as proof that the campaign was sending. */
  lately: number;
}

/** Measures pausing in the middle of sending, and resuming, while thousands of recipients wait. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    await rig.worker();
    const { workspaceId, rest } = await rig.workspace();
    const mailboxIds = await storeMailboxes(workspaceId, rig.keyRing, rig.sink.smtpPort, 50);
    const campaignId = await storeCampaign(workspaceId, { recipients: RECIPIENTS, mailboxIds });
    await timed(rest, campaignId, "launch");
    const cycles: Cycle[] = [];
    while (cycles.length < CYCLES) cycles.push(await cycleOf(rig, rest, workspaceId, campaignId));
    return rowOf(cycles);
  } finally {
    await rig.close();
  }
}

async function cycleOf(rig: Rig, rest: Rest, workspaceId: string, campaignId: string): Promise<Cycle> {
  await until(async () => (await rig.sink.counts()).mails > 0, { deadlineMs: DEADLINE_MS, what: "the first mail" });
  await sleep(SENDING_MS);
  const askedAt = Date.now();
  const pauseMs = await timed(rest, campaignId, "pause");
  const answeredAt = Date.now();
  await sleep(QUIET_MS);
  const { mails } = await rig.sink.take();
  const open = await scoped(workspaceId).Recipient.count({ campaignId, status: trusted({ $in: [...OPEN] }) });
  const resumeMs = await timed(rest, campaignId, "resume");
  const resumedAt = Date.now();
  await until(async () => (await rig.sink.counts()).mails > 0, {
    deadlineMs: DEADLINE_MS,
    what: "a mail after the resume",
  });
  const lastMailMs = Math.max(0, Math.max(...mails) - answeredAt);
  const lately = mails.filter((at) => at > askedAt - 1_000 && at <= askedAt).length;
  return { pauseMs, lastMailMs, resumeMs, firstMailMs: Date.now() - resumedAt, open, lately };
}

async function timed(rest: Rest, campaignId: string, action: "launch" | "pause" | "resume"): Promise<number> {
  const started = performance.now();
  const { status, body } = await rest.post(`/campaigns/${campaignId}/control`, { action });
  const took = performance.now() - started;
  if (status !== 200) throw new Error(`${action} was answered with ${status}: ${JSON.stringify(body)}`);
  return took;
}

function rowOf(cycles: Cycle[]): Row {
  const of = (field: keyof Cycle) => cycles.map((cycle) => cycle[field]);
  const answer = (field: "pauseMs" | "resumeMs") => ({
    goal: "under 150 ms",
    measured: `${ms(median(of(field)))} (${spread(of(field), 0)})`,
    met: median(of(field)) < 150,
  });
  return {
    title: "Pause and resume",
    how: `A campaign of ${RECIPIENTS.toLocaleString("en")} recipients on 50 mailboxes, paused ${CYCLES} times in the middle of sending; ${Math.min(...of("open")).toLocaleString("en")} or more were open each time. The time of the last email is that of the SMTP server.`,
    measured: [
      { what: "pause: response time, p50", ...answer("pauseMs") },
      { what: "resume: response time, p50", ...answer("resumeMs") },
      {
        what: "last email after the response to a pause, longest",
        goal: "under 1 s",
        measured: ms(Math.max(...of("lastMailMs"))),
        met: Math.max(...of("lastMailMs")) < 1_000,
      },
      { what: "mails in the second before each pause", goal: "", measured: spread(of("lately"), 0), met: null },
      { what: "first mail after a resume, p50", goal: "", measured: ms(median(of("firstMailMs"))), met: null },
    ],
  };
}
