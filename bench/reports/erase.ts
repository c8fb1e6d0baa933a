import { SECOND_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { until } from "../../test/fakes/wait.ts";
import { ADA, nameOf, storedPlace, storeLeadOf } from "../../test/privacy/stored-person.ts";
import { fillLeads } from "../leads/export.ts";
import { type BenchWorkspace, startRig } from "../rig.ts";
import type { Row } from "../table.ts";

const MESSAGES = 5_000;
const EMAILS = 4_000;
const EVENTS = 1_000;
const RECORDS = MESSAGES + EMAILS + EVENTS;
const OTHERS = 20_000;
const GOAL_MS = 10 * SECOND_MS;

/** Measures how long it takes to erase one person with 10,000 records. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const own = await rig.workspace();
    await fillLeads(own.workspaceId, OTHERS);
    await fillPerson(own);
    await rig.worker();
    const started = performance.now();
    const { body } = await own.rest.post("/privacy/erase", { email: ADA.email });
    const answeredMs = performance.now() - started;
    const job = await until(
      async () => {
        const found = (await own.rest.get(`/jobs/${body.id}`)).body;
        return found.finishedAt === null ? null : found;
      },
      { deadlineMs: 600 * SECOND_MS, what: "the erasure to end" },
    );
    const tookMs = performance.now() - started;
    if (job.status !== "COMPLETED") throw new Error(`The erasure ended as ${job.status}`);
    const erased: { what: string; count: number }[] = job.result.erased;
    return {
      title: "Erasure of one person",
      how: `One person with ${MESSAGES.toLocaleString("en")} messages in a thread, ${EMAILS.toLocaleString("en")} emails and ${EVENTS.toLocaleString("en")} events, in a workspace with ${OTHERS.toLocaleString("en")} other leads; over REST, from the request to the end of the job.`,
      measured: [
        {
          what: `the erasure of ${RECORDS.toLocaleString("en")} records`,
          goal: "under 10 s",
          measured: `${(tookMs / SECOND_MS).toFixed(1)} s`,
          met: tookMs < GOAL_MS,
        },
        {
          what: "the answer, after which no email to the person begins",
          goal: "–",
          measured: `${(answeredMs / SECOND_MS).toFixed(1)} s`,
          met: null,
        },
      ],
      runs: { head: ["kind", "erased"], lines: erased.map(({ what, count }) => [what, count]) },
    };
  } finally {
    await rig.close();
  }
}

async function fillPerson({ workspaceId }: BenchWorkspace): Promise<void> {
  const place = await storedPlace(workspaceId);
  const { leadId, threadId } = await storeLeadOf(place, ADA);
  const { ActivityEvent, Message, Send } = scoped(workspaceId);
  const many = (count: number) => Array.from({ length: count });
  await Message.storeAll(
    many(MESSAGES).map(() => {
      const _id = newId("msg");
      const from = { from: ADA.email, fromName: nameOf(ADA), bodyText: `From ${nameOf(ADA)}` };
      return { _id, mailboxId: place.mailboxId, contentKey: _id, threadId, ...from };
    }),
  );
  const email = { kind: "REPLY" as const, threadId, to: ADA.email, subject: nameOf(ADA) };
  await Send.storeAll(many(EMAILS).map(() => ({ _id: newId("snd"), ...email })));
  const event = { type: "LEAD_UPDATED", at: new Date(), leadId, data: {} };
  await ActivityEvent.storeAll(many(EVENTS).map(() => ({ _id: newId("evt"), ...event })));
}
