import { setTimeout } from "node:timers/promises";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { idsOf, newId } from "../../mongo/ids.ts";
import { RETENTION_REST, retainNext } from "../../store/evidence/retention.ts";
import { storedPlace } from "../../test/privacy/stored-person.ts";
import { fillLeads } from "../leads/export.ts";
import { type BenchWorkspace, startRig } from "../rig.ts";
import { ms, quantile, type Row } from "../table.ts";
import { callUntil } from "./purge.ts";

const RECORDS = Number(process.env["BENCH_RECORDS"] ?? 40_000);
const EVENTS = Math.round((RECORDS * 2) / 3);
const EMAILS = RECORDS - EVENTS;
const OTHERS = 20_000;
const ALONE_MS = 2 * MINUTE_MS;
const OLD = new Date(Date.now() - 400 * DAY_MS);
const PAGE = 5_000;
const MOST_SHARE = 1.05;

/** Measures a round of retention, and how long REST calls in another workspace take meanwhile. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const old = await rig.workspace();
    const user = await rig.workspace();
    await fillOld(old);
    await fillLeads(user.workspaceId, OTHERS);
    const set = await old.rest.patch("/workspace/retention", { events: 365, messageBodies: 365 });
    if (set.status !== 200) throw new Error(`The retention was answered ${set.status}`);
    await callUntil(user.rest, setTimeout(10 * SECOND_MS));
    const alone = await callUntil(user.rest, setTimeout(ALONE_MS));
    const started = performance.now();
    const round = takeRound();
    const meanwhile = await callUntil(user.rest, round);
    await round;
    const tookMs = performance.now() - started;
    const { counts } = (await old.rest.get("/workspace/retention")).body.lastRound;
    const [before, during] = [quantile(alone, 0.95), quantile(meanwhile, 0.95)];
    return {
      title: "A round of retention",
      how: `${EVENTS.toLocaleString("en")} old events are deleted and the texts of ${EMAILS.toLocaleString("en")} old emails emptied, in turns with rests; meanwhile another workspace of ${OTHERS.toLocaleString("en")} leads is listed, searched and written to over REST, eight calls a second.`,
      measured: [
        {
          what: "the whole round",
          goal: "–",
          measured: `${(tookMs / MINUTE_MS).toFixed(1)} min (${counts.events.toLocaleString("en")} events, ${counts.messageBodies.toLocaleString("en")} texts)`,
          met: null,
        },
        {
          what: "p95 of the service meanwhile, compared with no round",
          goal: "under 5 % more",
          measured: `${((during / before - 1) * 100).toFixed(1)} % (${ms(before)}, then ${ms(during)})`,
          met: during / before < MOST_SHARE,
        },
      ],
      runs: {
        head: ["", "calls", "p50", "p95", "p99"],
        lines: [
          ["alone", alone.length, ...[0.5, 0.95, 0.99].map((share) => ms(quantile(alone, share)))],
          ["during the round", meanwhile.length, ...[0.5, 0.95, 0.99].map((share) => ms(quantile(meanwhile, share)))],
        ],
      },
    };
  } finally {
    await rig.close();
  }
}

/** Takes the turns of the round with the rests of the worker. */
async function takeRound(): Promise<void> {
  const now = new Date(Date.now() + 2 * HOUR_MS);
  for (let started = performance.now(); await retainNext(now); started = performance.now())
    await setTimeout((performance.now() - started) * RETENTION_REST);
}

async function fillOld({ workspaceId }: BenchWorkspace): Promise<void> {
  const { campaignId, mailboxId } = await storedPlace(workspaceId);
  const { ActivityEvent, Send } = scoped(workspaceId);
  const event = { type: "LEAD_UPDATED", at: OLD, data: { fields: ["company"] } };
  const content = { text: "Do you use widgets? ".repeat(40), html: null };
  const email = { campaignId, mailboxId, state: "SENT" as const, to: "n@b.test", content };
  // Each was sent at its own time, as a round continues by the time
  const sentAt = (at: number) => new Date(OLD.getTime() - at);
  for (let from = 0; from < EVENTS; from += PAGE) {
    const page = Array.from({ length: Math.min(PAGE, EVENTS - from) }, (_, at) => from + at);
    await ActivityEvent.storeAll(
      page.map((at) => ({ _id: idsOf(`event ${at}`, OLD.getTime())("evt"), leadId: newId("led"), ...event })),
    );
  }
  for (let from = 0; from < EMAILS; from += PAGE) {
    const page = Array.from({ length: Math.min(PAGE, EMAILS - from) }, (_, at) => from + at);
    await Send.storeAll(page.map((at) => ({ _id: newId("snd"), sentAt: sentAt(at), ...email })));
  }
}
