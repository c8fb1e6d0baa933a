import { simulateMonth } from "../../test/domain/warmup/simulated-month.ts";
import { memoryOf, Part } from "../system/processes.ts";
import type { Measured, Row } from "../table.ts";
import type { PlanMeasures, PlanOrders } from "./warmup-plan.ts";

const LARGE: PlanOrders = { mailboxes: 10_000, mails: 20 };
const MONTH = { mailboxes: 1_000, workspaces: 100, domains: 300, targets: [20, 40, 8, 12] };
const SECONDS = 20;
const MEGABYTES = 300;

/** Measures the cost of planning warmup. */
export async function run(): Promise<Row> {
  return {
    title: "Warmup",
    how: `The plan of a day for ${LARGE.mailboxes.toLocaleString("en")} mailboxes with ${LARGE.mails} openings each, in a process of its own that knows who met whom, by chance, in the six days before; and thirty days of ${MONTH.mailboxes.toLocaleString("en")} mailboxes of ${MONTH.domains} domains in ${MONTH.workspaces} workspaces, one planned after the other, with targets that rise to 8 to 40 mails.`,
    measured: [...(await measurePlan()), ...measureMonth()],
  };
}

async function measurePlan(): Promise<Measured[]> {
  const part = await Part.start(new URL("./warmup-plan.ts", import.meta.url), LARGE);
  try {
    const { openings, ms, longestMs } = await part.ask<PlanMeasures>("plan");
    const { peak } = await memoryOf(part.pid);
    const wanted = LARGE.mailboxes * LARGE.mails;
    return [
      {
        what: "plan of a day",
        goal: `under ${SECONDS} s`,
        measured: `${(ms / 1_000).toFixed(1)} s`,
        met: ms < SECONDS * 1_000,
      },
      { what: "openings planned", goal: `${wanted}`, measured: `${openings}`, met: openings === wanted },
      { what: "longest without a page", goal: "", measured: `${longestMs.toFixed(0)} ms`, met: null },
      {
        what: "memory, highest",
        goal: `under ${MEGABYTES} MB`,
        measured: `${peak.toFixed(0)} MB`,
        met: peak < MEGABYTES,
      },
    ];
  } finally {
    await part.stop();
  }
}

function measureMonth(): Measured[] {
  const { openings, left, leastReceived, mostReceived, mostMeetings, mostInSevenDays } = simulateMonth(MONTH);
  return [
    {
      what: "thirty days: openings without a partner",
      goal: "0",
      measured: `${left} of ${openings + left}`,
      met: left === 0,
    },
    {
      what: "least received for a mail sent",
      goal: "0.8",
      measured: leastReceived.toFixed(3),
      met: leastReceived >= 0.8,
    },
    { what: "most received for a mail sent", goal: "1.3", measured: mostReceived.toFixed(3), met: mostReceived <= 1.3 },
    { what: "most meetings of a pair", goal: "at most 8", measured: `${mostMeetings}`, met: mostMeetings <= 8 },
    {
      what: "most of a pair in seven days",
      goal: "at most 2",
      measured: `${mostInSevenDays}`,
      met: mostInSevenDays <= 2,
    },
  ];
}
