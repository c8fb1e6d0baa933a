import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pLimit from "p-limit";
import { AGENT_DEFAULTS } from "../../domain/agent/settings.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { heedReply, type Prepared, prepareReply } from "../../store/agent/prepare-reply.ts";
import { endTask, settleReply } from "../../store/agent/settle-reply.ts";
import { openUsage } from "../../store/agent/usage.ts";
import { expireApprovals } from "../../store/campaigns/approvals.ts";
import { applySentReply } from "../../store/inbox/reply.ts";
import { answerOf, startInbox } from "../inbox/inbox-parts.ts";
import { startWorld, type World } from "../support/world.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { DraftModel, type Seen, type Verb } from "./draft-model.ts";

const AT_ONCE = 6;
/** With fewer orders than these it may happen that nothing expires. */
const MANY = 20;
const STEPS = 12;

let world: World;
/** One order after the other in each, since the settings of the agent are the workspace's. */
let inboxes: Awaited<ReturnType<typeof startInbox>>[];
/** Plays so many random orders beside a model. */
export function playOrders(orders: number): void {
  beforeAll(async () => {
    // Overdue approvals are searched in all workspaces
    world = await startWorld({ apart: true, settings: { hasAgent: true, agentModel: "small" } });
    // Replies are stored as if Temporal were there, and no worker sends them: `record` does
    world.services.engine = { ...world.services.engine, isReachable: async () => true };
    inboxes = await Promise.all(Array.from({ length: AT_ONCE }, () => startInbox(world, { heedReply })));
  }, 60_000);
  afterAll(() => world.close());

  test("any order of simultaneous drafts, decisions, answers and incoming emails leaves a thread as one of the possible sequential orders does", async () => {
    const limit = pLimit(AT_ONCE);
    const counts = { mails: 0, expired: 0, together: 0 };
    const failures: string[] = [];
    const one = async (seed: number) => {
      const inbox = inboxes.pop();
      if (inbox === undefined) throw new Error("More orders than workspaces");
      const wrong = await play(inbox, seed, counts).finally(() => inboxes.push(inbox));
      if (wrong !== null) failures.push(`order ${seed}: ${wrong}`);
    };
    const played = await Promise.allSettled(Array.from({ length: orders }, (_, seed) => limit(() => one(seed + 1))));
    expect(played.filter(({ status }) => status === "rejected").slice(0, 3)).toEqual([]);
    expect(failures.slice(0, 3)).toEqual([]);
    // Orders in which nothing is sent, ends or meets would prove nothing
    expect(counts.mails).toBeGreaterThan(orders / 2);
    if (orders >= MANY) expect(counts.expired).toBeGreaterThan(orders / 4);
    expect(counts.together).toBeGreaterThan(orders);
  }, 600_000);
}

/** Plays one order on its own thread, beside the model. Returns what differed. */
async function play(
  inbox: (typeof inboxes)[number],
  seed: number,
  counts: { mails: number; expired: number; together: number },
) {
  const random = randomFrom(seed);
  const pick = <T>(of: readonly [T, ...T[]]): T => of[Math.floor(random() * of.length)] ?? of[0];
  const thread = await startThread(inbox, seed);
  // Steps of the same moment may have come in either order, and only the next steps show which
  let models = [new DraftModel("APPROVE")];
  const told: string[] = [];
  await thread.play({ do: "set", mode: "APPROVE" });
  for (const first of [{ do: "arrive" }, { do: "prepare", mail: 0 }] as const) {
    await thread.play(first);
    for (const model of models) model.play(first);
  }
  const next = (count: number): Verb => {
    const kind = pick([
      ...(["arrive", "prepare", "prepare", "settle", "settle", "settle", "approve", "approve"] as const),
      ...(["edit", "reject", "answer", "write", "expire", "record", "set"] as const),
    ]);
    const { newestDraft: draft = -1, newestMail: mail = 0 } = models[0] ?? {};
    const text = `${kind} ${count}`;
    if (kind === "edit") return { do: kind, draft, text };
    if (kind === "answer") return { do: kind, text };
    if (kind === "approve" || kind === "reject") return { do: kind, draft };
    if (kind === "prepare") return { do: kind, mail };
    return kind === "set" ? { do: kind, mode: pick(["APPROVE", "AUTO", "SUGGEST", "OFF"]) } : { do: kind };
  };
  for (let step = 0; step < STEPS; step++) {
    const verbs = Array.from({ length: random() < 0.5 ? 2 : 1 }, (_, index) => next(step * 2 + index));
    // The steps of one person or one run come one after the other
    const [one, other] = verbs;
    const isTwice = one !== undefined && one.do === other?.do;
    const played = isTwice ? [one] : verbs;
    told.push(played.map((verb) => ("mode" in verb ? `${verb.do} ${verb.mode}` : verb.do)).join(" + "));
    if (played.length === 2) counts.together += 1;
    await Promise.all(played.map((verb) => thread.play(verb)));
    const seen = await thread.seen();
    const possible = distinct(models.flatMap((before) => ordersOf(played).map((order) => before.after(order))));
    models = possible.filter((after) => JSON.stringify(after.seen()) === JSON.stringify(seen));
    if (models.length === 0 || seen.waiting.length > 1)
      return `${told.join(", ")}\n  is ${JSON.stringify(seen)}\n  not ${possible.map((after) => JSON.stringify(after.seen())).join("\n  nor ")}`;
    if (played.some((verb) => verb.do === "record")) counts.mails += 1;
    if (seen.approvals.some((approval) => approval.endsWith("EXPIRED"))) counts.expired += 1;
  }
  return null;
}

function distinct(models: readonly DraftModel[]): DraftModel[] {
  return [...new Map(models.map((model) => [model.whole(), model])).values()];
}

function ordersOf(verbs: readonly Verb[]): Verb[][] {
  return verbs.length < 2 ? [[...verbs]] : [[...verbs], [...verbs].reverse()];
}

/**
 * A thread of one person, on which the verbs are played for real: by REST where there is a door, else as the worker
 * would.
 */
async function startThread({ workspaceId, rest, mailbox, contacted, arrive }: (typeof inboxes)[number], seed: number) {
  const { AgentTask, Approval, Message, OutgoingMail, SavedDraft, Send } = scoped(workspaceId);
  const email = `person-${seed}-${randomUUID().slice(0, 6)}@b.test`;
  const person = await contacted(email);
  const mails: string[] = [];
  let threadId = "";
  let held: (Prepared & { kind: "ask" }) | null = null;
  const approvalsOf = () => Approval.find({ threadId, kind: "REPLY" }, { sort: { createdAt: 1 } });
  const decide = async (verb: Verb) => {
    const named = "draft" in verb ? (await approvalsOf())[verb.draft] : undefined;
    const body = { action: verb.do, ...(verb.do === "edit" && { text: verb.text }) };
    const { status } = await rest.post(`/approvals/${named?._id ?? "apr_none"}`, body);
    if (![200, 404, 409].includes(status)) throw new Error(`A decision was answered ${status}`);
  };
  async function prepare(verb: Verb): Promise<void> {
    const messageId = "mail" in verb ? (mails[verb.mail] ?? "") : "";
    const { day } = await openUsage(workspaceId);
    const prepared = await prepareReply(workspaceId, messageId, day);
    if (prepared.kind === "ask") held = prepared;
    else if (prepared.kind === "skip")
      await endTask(workspaceId, messageId, { status: "SKIPPED", result: prepared.why });
  }
  async function settle(): Promise<void> {
    const ground = held?.ground;
    held = null;
    if (ground === undefined) return;
    const draft = `Draft of mail ${mails.indexOf(ground.message._id)}`;
    await settleReply(
      ground,
      { category: null, confidence: 1, draft, reasons: [], promises: [] },
      null,
      await openUsage(workspaceId),
    );
  }
  async function record(): Promise<void> {
    await inTransaction(async () => {
      const waiting = await Send.find({ threadId, kind: "REPLY", state: "RESERVED" });
      const named = await Promise.all(
        waiting.map(async ({ _id }) => ({ _id, text: (await OutgoingMail.get(_id))?.text ?? "" })),
      );
      const [first] = named.sort((one, other) => (one.text < other.text ? -1 : 1));
      if (first === undefined) return;
      const done = {
        state: "SENT" as const,
        sentAt: new Date(),
        messageId: `<${randomUUID()}@a.test>`,
        content: { text: "", html: null },
      };
      const send = await Send.findOneAndUpdate({ _id: first._id }, { $set: done });
      if (send !== null) await applySentReply(send);
    });
  }
  const verbs: Record<Verb["do"], (verb: Verb) => Promise<unknown>> = {
    async arrive() {
      const { _id } = await arrive(answerOf(person, `Mail ${mails.length}`));
      mails.push(_id);
      threadId = (await Message.get(_id))?.threadId ?? "";
    },
    prepare,
    settle,
    approve: decide,
    edit: decide,
    reject: decide,
    async answer(verb) {
      const text = "text" in verb ? verb.text : "";
      const { status, body } = await rest.post(`/inbox/threads/${threadId}/reply`, {
        text,
        idempotencyKey: `key-${randomUUID()}`,
      });
      if (status !== 200) throw new Error(`An answer was answered ${status} ${JSON.stringify(body)}`);
    },
    write: () =>
      arrive(
        {
          from: mailbox.email,
          to: [email],
          inReplyTo: person.send.messageId,
          references: person.send.messageIds,
          text: "By hand",
        },
        { folder: "Sent", folderUse: "SENT", isSentFolder: true },
      ),
    async expire() {
      const expiresAt = new Date(Date.now() - 1_000);
      await Approval.updateMany({ threadId, kind: "REPLY", status: "PENDING" }, { $set: { expiresAt } });
      await expireApprovals();
    },
    record,
    async set(verb) {
      const mode = "mode" in verb ? verb.mode : "OFF";
      const settings = { ...AGENT_DEFAULTS, dailyLimit: 1_000, disclosure: null, enabled: mode !== "OFF" };
      const changed = { ...settings, ...(mode !== "OFF" && { mode }) };
      const { status } = await rest.patch("/agent/settings", { settings: changed });
      if (status !== 200) throw new Error(`The settings were answered ${status}`);
    },
  };
  return {
    play: (verb: Verb) => verbs[verb.do](verb),
    async seen(): Promise<Seen> {
      const approvals = await approvalsOf();
      const sends = await Send.find({ threadId, kind: trusted({ $in: ["REPLY", "SCHEDULED"] }) });
      const texts = await Promise.all(
        sends.map(async ({ _id, state }) => `${(await OutgoingMail.get(_id))?.text}: ${state}`),
      );
      const tasks = await AgentTask.find({ threadId });
      return {
        waiting: approvals.filter(({ status }) => status === "PENDING").map(({ proposedText }) => proposedText ?? ""),
        suggested: (await SavedDraft.get(threadId))?.text ?? null,
        approvals: approvals.map(({ proposedText, status }) => `${proposedText}: ${status}`).sort(),
        mails: texts.sort(),
        tasks: tasks
          .map(({ _id, status, result }) => `${mails.indexOf(_id)}: ${[status, result].filter(Boolean).join(" ")}`)
          .sort(),
      };
    },
  };
}
