import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { QUEUES } from "../../domain/workflow-contract.ts";
import { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { until } from "../../test/fakes/wait.ts";
import { startRig } from "../rig.ts";
import { Part, profiled } from "../system/processes.ts";
import { type Measured, ms, quantile, type Row } from "../table.ts";
import { type ApiSide, atGmail, providersAt, storeApiMailboxes } from "./api-mailboxes.ts";
import type { ApiSideOrders } from "./api-side.ts";

const MAILBOXES = 10;
const POLLED = 60;
const NOTICED = 60;
const DEADLINE_MS = 2 * MINUTE_MS;
const APIS = { arriveAtGmail: "the Gmail API", arriveAtGraph: "Microsoft Graph" } as const;
type Arrival = keyof typeof APIS;

/** Measures the time from the arrival of an email at the provider until it is stored, with notices and by polling. */
export async function run(): Promise<Row> {
  // The API takes Microsoft's notices only where its API is configured
  const rig = await startRig({
    MICROSOFT_CLIENT_ID: "bench",
    MICROSOFT_CLIENT_SECRET: "bench",
    PROVIDERB_TRANSPORT: "GRAPH",
    PROVIDERB_API_URL: "http://localhost:9",
  });
  const graph = Array.from({ length: MAILBOXES }, (_, index) => `ann${index}@graph.test`);
  const side = await Part.start(new URL("./api-side.ts", import.meta.url), { graph } satisfies ApiSideOrders);
  try {
    const { workspaceId } = await rig.workspace();
    await storeApiMailboxes(workspaceId, rig.keyRing, "GRAPH", graph);
    await storeApiMailboxes(workspaceId, rig.keyRing, "GMAIL_API", graph.map(atGmail));
    await side.ask("loseNotices");
    const providers = providersAt(await side.ask<ApiSide>("side"), `${rig.api.url}/hooks/microsoft`);
    await rig.worker(profiled(), { providers, queues: QUEUES });
    const areAsked = async () =>
      (await MailboxCursor.countDocuments({ watchedUntil: trusted({ $ne: null }) }, { acrossWorkspaces: true })) ===
      2 * MAILBOXES;
    await until(areAsked, { deadlineMs: DEADLINE_MS, what: "notices to be asked for" });

    const { Message } = scoped(workspaceId);
    /** Milliseconds until an email that arrives now is stored. */
    const waitOf = async (arrival: Arrival) => {
      const started = performance.now();
      const subject = await side.ask<string>(arrival);
      const isStored = async () => (await Message.count({ subject })) > 0;
      await until(isStored, { deadlineMs: DEADLINE_MS, what: subject, longestMs: 50 });
      return performance.now() - started;
    };
    const polled = async (arrival: Arrival) =>
      Promise.all(
        Array.from({ length: POLLED }, async () => {
          await sleep(Math.random() * MINUTE_MS);
          return waitOf(arrival);
        }),
      );
    const [gmailPolled, graphPolled] = await Promise.all([polled("arriveAtGmail"), polled("arriveAtGraph")]);
    await side.ask("giveNotices");
    const noticed = { arriveAtGmail: [] as number[], arriveAtGraph: [] as number[] };
    for (let round = 0; round < NOTICED; round++)
      for (const arrival of ["arriveAtGmail", "arriveAtGraph"] as const) {
        await sleep(Math.random() * SECOND_MS);
        noticed[arrival].push(await waitOf(arrival));
      }
    return {
      title: "Time from the arrival of an email at Google or Microsoft until it is stored",
      how:
        `${MAILBOXES} mailboxes at each stand-in, which runs in a process of its own. First notices are lost, and ${POLLED} emails arrive at each provider at random times of a minute; ` +
        `then notices come, and ${NOTICED} emails arrive at each, one after the other. The database is asked every 50 ms.`,
      measured: [
        lineOf("arriveAtGmail", "notices", noticed.arriveAtGmail, 5 * SECOND_MS),
        lineOf("arriveAtGraph", "notices", noticed.arriveAtGraph, 5 * SECOND_MS),
        lineOf("arriveAtGmail", "polling", gmailPolled, 35 * SECOND_MS),
        lineOf("arriveAtGraph", "polling", graphPolled, 35 * SECOND_MS),
      ],
    };
  } finally {
    await side.stop();
    await rig.close();
  }
}

function lineOf(arrival: Arrival, how: string, waits: number[], mostMs: number): Measured {
  const p95 = quantile(waits, 0.95);
  const more = `median ${ms(quantile(waits, 0.5))}, longest ${ms(Math.max(...waits))}`;
  return {
    what: `p95 over ${APIS[arrival]}, ${how}`,
    goal: `under ${mostMs / SECOND_MS} s`,
    measured: `${ms(p95)} (${more})`,
    met: p95 < mostMs,
  };
}
