import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { until } from "../../test/fakes/wait.ts";
import { type Rig, startRig } from "../rig.ts";
import { storeCampaign } from "../sending/campaigns.ts";
import { Part } from "../system/processes.ts";
import { quantile, type Row } from "../table.ts";
import type { ImapFarOrders } from "./imap-far.ts";
import { listeningWorker, PASSWORD } from "./listening.ts";
import { contacted } from "./notice.ts";

/** The usual load; the second round multiplies mailboxes and recipients by the second factor in `TIMES`. */
const MAILBOXES = 50;
const RECIPIENTS = 5_000;
const TIMES = [1, 4];
const REPLIES = 90;
const JUNK = 10;
const REPLY_EVERY_MS = SECOND_MS;
const LOOK_MS = 50;
const DEADLINE_MS = 5 * MINUTE_MS;
const SUBJECT = "A question about widgets";

interface Round {
  times: number;
  /** Emails sent per second while the replies arrived. */
  perSecond: number;
  inboxMs: number[];
  junkMs: number[];
}

/**
 * Measures the time from the arrival of a reply until the sequence of its sender is stopped, while the worker sends as
 * fast as it can.
 */
export async function run(): Promise<Row> {
  const rounds: Round[] = [];
  for (const times of TIMES) rounds.push(await roundOf(times));
  const seconds = (of: readonly number[], share: number) => `${(quantile(of, share) / SECOND_MS).toFixed(2)} s`;
  return {
    title: "Reading replies while sending at full speed",
    how:
      `One worker process reads ${MAILBOXES} mailboxes and sends from them, without gap or cap, to ${RECIPIENTS.toLocaleString("en")} due recipients; ` +
      `then the same with ${TIMES.at(-1)} times as many of each. ${REPLIES} replies arrive in INBOX, one a second, and ${JUNK} in Junk folders at the start.`,
    measured: rounds.flatMap(({ times, perSecond, inboxMs, junkMs }, index) => {
      const goalMs = (index === 0 ? 5 : 30) * SECOND_MS;
      const load = `${times} times the load`;
      return [
        {
          what: `INBOX, p95, ${load}`,
          goal: `under ${goalMs / SECOND_MS} s`,
          measured: seconds(inboxMs, 0.95),
          met: quantile(inboxMs, 0.95) < goalMs,
        },
        {
          what: `INBOX, median; longest, ${load}`,
          goal: "",
          measured: `${seconds(inboxMs, 0.5)}; ${seconds(inboxMs, 1)}`,
          met: null,
        },
        {
          what: `Junk, longest, ${load}`,
          goal: "under 150 s",
          measured: seconds(junkMs, 1),
          met: Math.max(...junkMs) < 2.5 * MINUTE_MS,
        },
        { what: `emails sent per second meanwhile, ${load}`, goal: "", measured: perSecond.toFixed(1), met: null },
      ];
    }),
  };
}

async function roundOf(times: number): Promise<Round> {
  const rig = await startRig();
  const { certificate } = rig;
  const { workspaceId, rest } = await rig.workspace();
  const users = Array.from({ length: MAILBOXES * times }, () => `ann-${randomUUID()}@a.test`);
  const people = Array.from({ length: REPLIES + JUNK * times }, (_, n) => ({
    user: users[n % users.length] ?? "",
    from: `bob${n}@company${n}.test`,
    messageId: `<${randomUUID()}@a.test>`,
    subject: SUBJECT,
    folder: n < JUNK * times ? "Junk" : "INBOX",
  }));
  const far = await Part.start(new URL("./imap-far.ts", import.meta.url), {
    certificate,
    password: PASSWORD,
    replies: people,
  } satisfies ImapFarOrders);
  let worker: Part | null = null;
  try {
    const smtp = { host: "localhost", port: rig.sink.smtpPort, security: "SSL_TLS" as const };
    const sending = { smtp, saveToSent: false, dailySendLimit: 0 };
    const recipients = await contacted(rig, workspaceId, users, people, await far.ask<number>("port"), sending);
    const mailboxIds = (await scoped(workspaceId).Mailbox.find({})).map(({ _id }) => _id);
    const campaignId = await storeCampaign(workspaceId, { recipients: RECIPIENTS * times, mailboxIds });
    worker = await listeningWorker(rig, certificate.cert);
    const isListening = async () =>
      (await MailboxCursor.countDocuments({ folder: "INBOX" }, { acrossWorkspaces: true })) >= users.length;
    await until(isListening, { deadlineMs: DEADLINE_MS, what: "every mailbox to be listened to" });
    await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" });
    await until(async () => (await rig.sink.counts()).mails > 100, {
      deadlineMs: DEADLINE_MS,
      what: "sending to begin",
    });
    return { times, ...(await answered(rig, workspaceId, recipients, JUNK * times, far)) };
  } finally {
    await worker?.stop();
    await far.stop();
    await rig.close();
  }
}

/** Delivers the replies, those in Junk first, and waits until every sender is stopped. */
async function answered(
  rig: Rig,
  workspaceId: string,
  recipients: readonly string[],
  junk: number,
  far: Part,
): Promise<Omit<Round, "times">> {
  const before = { at: performance.now(), mails: (await rig.sink.counts()).mails };
  const arrivedAt = new Map<string, number>();
  const tookMs = new Map<string, number>();
  const look = async () => {
    const waiting = [...arrivedAt.keys()].filter((id) => !tookMs.has(id));
    const some = { _id: trusted({ $in: waiting }), status: "REPLIED" };
    const stopped = waiting.length === 0 ? [] : await scoped(workspaceId).Recipient.find(some, { select: { _id: 1 } });
    for (const { _id } of stopped) tookMs.set(_id, performance.now() - (arrivedAt.get(_id) ?? 0));
    return tookMs.size === recipients.length;
  };
  let isOver = false;
  const looking = (async () => {
    for (; !isOver; await sleep(LOOK_MS)) await look();
  })();
  for (const [index, id] of recipients.entries()) {
    arrivedAt.set(id, performance.now());
    await far.ask("next");
    if (index >= junk) await sleep(REPLY_EVERY_MS);
  }
  const mails = (await rig.sink.counts()).mails - before.mails;
  console.error(`${mails} emails were sent while the replies arrived`);
  const perSecond = (mails * SECOND_MS) / (performance.now() - before.at);
  await until(async () => tookMs.size === recipients.length, { deadlineMs: DEADLINE_MS, what: "every stop" });
  isOver = true;
  await looking;
  const took = recipients.map((id) => tookMs.get(id) ?? Number.NaN);
  return { perSecond, inboxMs: took.slice(junk), junkMs: took.slice(0, junk) };
}
