import { randomUUID } from "node:crypto";
import { sentimentOf } from "../../domain/inbox/category.ts";
import { emptyThread, withMail } from "../../domain/inbox/thread.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { Message } from "../../models/inbox/message.ts";
import { Thread } from "../../models/inbox/thread.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import type { Rest } from "../../test/support/rest.ts";
import { startRig } from "../rig.ts";
import { storeCampaign } from "../sending/campaigns.ts";
import { type Measured, median, quantile, type Row } from "../table.ts";

const THREADS = 50_000;
const EACH = 4;
const PAGE = 2_000;
const TURNS = 60;
const GOAL_MS = 20;
const MAILBOXES = 200;
const CATEGORIES = ["INTERESTED", "NOT_INTERESTED", "OUT_OF_OFFICE", null, null, null];
const NAMES = ["Ada", "Grace", "Alan", "Barbara", "Edsger", "Frances", "Donald", "Katherine"];

/** Measures an inbox of 200,000 messages in one workspace, with the requests that people and agents make all day. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const { workspaceId, another } = await rig.workspace();
    const campaignId = await storeCampaign(workspaceId, { recipients: 1, mailboxIds: [] });
    await storeInbox(workspaceId, campaignId);
    const [thread] = await scoped(workspaceId).Thread.find({}, { limit: 1 });
    const measured: Measured[] = [];
    for (const [what, path, hasGoal = true] of [
      ["threads without filter", "/inbox/threads"],
      ["threads unread", "/inbox/threads?unreadOnly=true"],
      ["threads starred", "/inbox/threads?starredOnly=true"],
      ["threads by campaign", `/inbox/threads?campaignId=${campaignId}`],
      ["threads by category", "/inbox/threads?category=INTERESTED"],
      [
        "threads of 10 mailboxes",
        `/inbox/threads?mailboxIds=${Array.from({ length: 10 }, (_, n) => `mbx_${n}`).join(",")}`,
      ],
      ["threads, search that meets few", "/inbox/threads?search=person4711"],
      ["threads, search that meets one in eight", "/inbox/threads?search=grace"],
      ["threads, page 500", "/inbox/threads?page=500", false],
      ["summary", "/inbox/summary"],
      ["one thread", `/inbox/threads/${thread?._id}`],
    ] as const) {
      measured.push(await asked(await another(), what, path, hasGoal));
    }
    return {
      title: "The inbox at 200,000 messages",
      how: `${THREADS.toLocaleString("en")} threads of ${EACH} messages in ${MAILBOXES} mailboxes; ${TURNS} calls over HTTP each, pages of 50.`,
      measured,
    };
  } finally {
    await rig.close();
  }
}

async function asked(rest: Rest, what: string, path: string, hasGoal: boolean): Promise<Measured> {
  const times: number[] = [];
  for (let turn = 0; turn < TURNS; turn++) {
    const started = performance.now();
    const { status, body } = await rest.get(path);
    times.push(performance.now() - started);
    if (status !== 200) throw new Error(`The API answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
  }
  const [p50, p95, first] = [median(times), quantile(times, 0.95), times[0] ?? 0];
  const measured = `${p50.toFixed(1)} ms (p95 ${p95.toFixed(1)}, the first ${first.toFixed(1)})`;
  return {
    what: `GET ${what}, p50`,
    goal: hasGoal ? `under ${GOAL_MS} ms` : "",
    measured,
    met: hasGoal ? p50 < GOAL_MS : null,
  };
}

/** Stores messages as the sync would. Their indexes are built afterwards, which is faster. */
async function storeInbox(workspaceId: string, campaignId: string): Promise<void> {
  const db = scoped(workspaceId);
  const pattern = await db.Message.insert({ _id: newId("msg"), mailboxId: "mbx_0", contentKey: "pattern" });
  await Promise.all([Thread.collection.dropIndexes(), Message.collection.dropIndexes()]);
  const { workspaceId: _w, createdAt: _c, updatedAt: _u, ...blank } = pattern;
  for (let start = 0; start < THREADS; start += PAGE) {
    const made = Array.from({ length: PAGE }, (_, index) => conversationOf(start + index, campaignId));
    await db.Thread.bulk(made.map(({ thread }) => ({ insert: thread })));
    await db.Message.bulk(
      made.flatMap(({ messages }) => messages.map((message) => ({ insert: { ...blank, ...message } }))),
    );
  }
  await Thread.createIndexes();
  await Message.createIndexes();
}

function conversationOf(n: number, campaignId: string) {
  const [mailboxId, threadId] = [`mbx_${n % MAILBOXES}`, newId("thr")];
  const person = { name: `${NAMES[n % NAMES.length]} Person${n}`, address: `person${n}@company-${n % 900}.test` };
  const text = `Thank you for your mail about widgets, number ${n}. `.repeat(20);
  const opened = Date.UTC(2026, 0, 1) + n * MINUTE_MS;
  const isUnread = n % 10 === 0;
  const mails = Array.from({ length: EACH }, (_, index) => {
    const direction = index % 2 === 0 ? ("OUTBOUND" as const) : ("INBOUND" as const);
    return { direction, at: new Date(opened + index * HOUR_MS), isLast: index === EACH - 1 };
  });
  const state = mails.reduce(
    (before, { direction, at, isLast }) =>
      withMail(
        before,
        {
          direction,
          at,
          subject: "",
          text,
          people: [person],
          hasAttachments: n % 9 === 0,
          news: isUnread && isLast ? "NEW" : null,
        },
        "",
      ),
    emptyThread(`A question about widgets, number ${n}`, new Date(opened)),
  );
  const category = CATEGORIES[n % CATEGORIES.length] ?? null;
  const owner = { mailboxId, campaignId: n % 4 === 0 ? campaignId : `cmp_${n % 50}`, recipientId: null, leadId: null };
  const flags = { category, sentiment: sentimentOf(category), isStarred: n % 50 === 0, isArchived: n % 5 === 1 };
  const messages = mails.map(({ direction, at }) => ({
    _id: newId("msg"),
    mailboxId,
    threadId,
    direction,
    contentKey: randomUUID(),
    rfcMessageId: `<${randomUUID()}@bench.test>`,
    kind: direction === "INBOUND" ? ("REPLY" as const) : ("CAMPAIGN" as const),
    receivedAt: at,
    bodyText: text,
    replyText: text,
    from: person.address,
    bodyHtml: `<p>${text}</p>`,
  }));
  return { thread: { _id: threadId, ...state, ...owner, ...flags }, messages };
}
