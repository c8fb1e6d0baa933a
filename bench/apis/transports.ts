import { scoped } from "../../models/scoped.ts";
import { until } from "../../test/fakes/wait.ts";
import { type Rig, startRig } from "../rig.ts";
import { storeCampaign, storeMailboxes } from "../sending/campaigns.ts";
import { middleRate } from "../sending/mails.ts";
import { Part, profiled } from "../system/processes.ts";
import { median, type Row, spread } from "../table.ts";
import { type Api, type ApiSide, providersAt, storeApiMailboxes } from "./api-mailboxes.ts";
import type { ApiSideOrders, Left } from "./api-side.ts";

/** So many that Microsoft's 30 emails a minute and mailbox do not slow a campaign down. */
const MAILBOXES = 120;
const RECIPIENTS = 120;
const ROUNDS = 3;
const STEPS = [0, 0].map((value) => ({ value, unit: "MINUTES" as const }));
const DEADLINE_MS = 120_000;
const TRANSPORTS = ["SMTP_IMAP", "GMAIL_API", "GRAPH"] as const;
type Transport = (typeof TRANSPORTS)[number];

/** Measures sending over the APIs of both providers, compared with SMTP. The three are measured in turn. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  const addresses = (at: string) => Array.from({ length: MAILBOXES }, (_, index) => `sender${index}@${at}.test`);
  const graph = addresses("graph");
  const side = await Part.start(new URL("./api-side.ts", import.meta.url), { graph } satisfies ApiSideOrders);
  try {
    await rig.worker(profiled(), { providers: providersAt(await side.ask<ApiSide>("side")) });
    const senders = {
      SMTP_IMAP: await senderOf(rig, side, "SMTP_IMAP", []),
      GMAIL_API: await senderOf(rig, side, "GMAIL_API", addresses("gmail")),
      GRAPH: await senderOf(rig, side, "GRAPH", graph),
    };
    // Compilers and caches warm up; this is not counted
    for (const transport of TRANSPORTS) await senders[transport](RECIPIENTS / 2);
    const rounds: Record<Transport, number>[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const rates = { SMTP_IMAP: 0, GMAIL_API: 0, GRAPH: 0 };
      for (const transport of TRANSPORTS) rates[transport] = await senders[transport](RECIPIENTS);
      console.error(JSON.stringify(rates));
      rounds.push(rates);
    }
    return rowOf(rounds);
  } finally {
    await side.stop();
    await rig.close();
  }
}

/** Returns what sends a campaign over a transport, and the emails per second that left in the middle of it. */
async function senderOf(
  rig: Rig,
  side: Part,
  transport: Transport,
  addresses: readonly string[],
): Promise<(recipients: number) => Promise<number>> {
  const { workspaceId, rest } = await rig.workspace();
  const mailboxIds =
    transport === "SMTP_IMAP"
      ? await storeMailboxes(workspaceId, rig.keyRing, rig.sink.smtpPort, MAILBOXES)
      : await storeApiMailboxes(workspaceId, rig.keyRing, transport, addresses);
  const taken = async () => {
    const [{ mails }, { gmail, graph }] = await Promise.all([rig.sink.take(), side.ask<Left>("take")]);
    return { SMTP_IMAP: mails, GMAIL_API: gmail, GRAPH: graph }[transport];
  };
  const count = async () =>
    transport === "SMTP_IMAP"
      ? (await rig.sink.counts()).mails
      : (await side.ask<{ gmail: number; graph: number }>("counts"))[COUNT_OF[transport]];
  return async (recipients) => {
    const campaignId = await storeCampaign(workspaceId, { recipients, mailboxIds, delays: STEPS });
    await taken();
    const { body } = await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
    if (body.launched !== true) throw new Error(`The campaign was not launched: ${JSON.stringify(body)}`);
    const mails = recipients * STEPS.length;
    await until(async () => (await count()) >= mails, { deadlineMs: DEADLINE_MS, what: `${mails} mails` });
    const ended = async () => (await scoped(workspaceId).Campaign.get(campaignId))?.status === "COMPLETED";
    await until(ended, { deadlineMs: DEADLINE_MS, what: "the end of the campaign" });
    return middleRate(await taken());
  };
}

const COUNT_OF: Readonly<Record<Api, "gmail" | "graph">> = { GMAIL_API: "gmail", GRAPH: "graph" };

function rowOf(rounds: Record<Transport, number>[]): Row {
  const rate = (transport: Transport) => median(rounds.map((round) => round[transport])).toFixed(1);
  const compared = (api: Api) => {
    const ratios = rounds.map((round) => round[api] / round.SMTP_IMAP);
    return {
      what: `${api} (${rate(api)}/s) compared with SMTP (${rate("SMTP_IMAP")}/s)`,
      goal: "at least 0.8",
      measured: `${median(ratios).toFixed(2)} (${spread(ratios, 2)})`,
      met: median(ratios) >= 0.8,
    };
  };
  return {
    title: "Emails per second over SMTP and over the APIs of Google and Microsoft",
    how:
      `${ROUNDS} rounds of three campaigns on one worker, each of ${RECIPIENTS} recipients and two steps from ${MAILBOXES} mailboxes without gap or cap: ` +
      "over SMTP, over the Gmail API and over Microsoft Graph. The stand-ins run in processes of their own on the same cores, without delays, and count units as Google does. " +
      "An email is one SMTP dialogue, four requests to Gmail, or two to Graph. Rates over the middle 80 % of a run, ratios within a round.",
    measured: [compared("GMAIL_API"), compared("GRAPH")],
    runs: {
      head: ["round", "SMTP a second", "Gmail API", "Graph"],
      lines: rounds.map((round, index) => [index + 1, ...TRANSPORTS.map((transport) => round[transport].toFixed(1))]),
    },
  };
}
