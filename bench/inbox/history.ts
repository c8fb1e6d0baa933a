import type { Delay } from "../../domain/sequences/sequence.ts";
import { scoped } from "../../models/scoped.ts";
import { recipientWorkflowId } from "../../temporal/run.ts";
import { until } from "../../test/fakes/wait.ts";
import { type Rig, startRig } from "../rig.ts";
import { storeCampaign, storeMailboxes } from "../sending/campaigns.ts";
import { median, type Row } from "../table.ts";

const RECIPIENTS = 60;
const STEPS: Delay[] = [0, 0, 0].map((value) => ({ value, unit: "MINUTES" }));
/** The value of TimerStarted in Temporal's enum EventType. */
const TIMER_STARTED = 17;

/** Measures how many history events a recipient's workflow has in Temporal. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    await rig.worker();
    const { workspaceId, rest } = await rig.workspace();
    const mailboxIds = await storeMailboxes(workspaceId, rig.keyRing, rig.sink.smtpPort, 20);
    const campaignId = await storeCampaign(workspaceId, { recipients: RECIPIENTS, mailboxIds, delays: STEPS });
    await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
    const ended = async () => (await scoped(workspaceId).Campaign.get(campaignId))?.status === "COMPLETED";
    await until(ended, { deadlineMs: 120_000, what: "the end of the campaign" });
    const recipients = await scoped(workspaceId).Recipient.find({ campaignId }, { select: { _id: 1 } });
    return rowOf(await Promise.all(recipients.map(({ _id }) => lengthOf(rig, _id))));
  } finally {
    await rig.close();
  }
}

interface Length {
  events: number;
  /** Timers beyond those between the steps. Each means that a step was attempted too early. */
  replans: number;
}

async function lengthOf({ client }: Rig, recipientId: string): Promise<Length> {
  const handle = client.workflow.getHandle(recipientWorkflowId(recipientId));
  await handle.result();
  const { events } = await handle.fetchHistory();
  const timers = events?.filter(({ eventType }) => eventType === TIMER_STARTED).length ?? 0;
  return { events: events?.length ?? 0, replans: timers - (STEPS.length - 1) };
}

function rowOf(lengths: Length[]): Row {
  const perMail = lengths.filter(({ replans }) => replans <= 0).map(({ events }) => events / STEPS.length);
  const whole = lengths.map(({ events }) => events);
  return {
    title: "History events",
    how: `${RECIPIENTS} recipients of ${STEPS.length} steps without delay, the histories read from the server when they had ended; ${lengths.length - perMail.length} of them had been replanned.`,
    measured: [
      {
        what: "events per mail without replans, highest",
        goal: "at most 12",
        measured: `${Math.max(...perMail).toFixed(1)} (median ${median(perMail).toFixed(1)})`,
        met: Math.max(...perMail) <= 12,
      },
      {
        what: "events per recipient of 3 steps, highest",
        goal: "at most 40",
        measured: `${Math.max(...whole)} (median ${median(whole)})`,
        met: Math.max(...whole) <= 40,
      },
    ],
  };
}
