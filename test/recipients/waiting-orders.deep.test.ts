import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pLimit from "p-limit";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { RecipientIds } from "../../domain/workflow-contract.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { moveCampaign } from "../../store/campaigns/status.ts";
import { checkDue } from "../../store/recipients/due-step.ts";
import { findOverdue } from "../../store/recipients/overdue.ts";
import { loadSituation } from "../../store/recipients/recipient-state.ts";
import { type Wake, wakeHeld, wakeParked } from "../../store/recipients/waking.ts";
import { claim } from "../../store/sending/claim.ts";
import { lastLook } from "../../store/sending/last-look.ts";
import { recordWithdrawn } from "../../store/sending/record.ts";
import { until } from "../fakes/wait.ts";
import { type Run, Runs } from "../support/runs.ts";
import { startWorld, type World } from "../support/world.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { activeCampaign, somebodyDue } from "./waiting-parts.ts";

const ORDERS = 40;
const AT_ONCE = 12;
/** In every third order; the others have one. */
const PEOPLE = 2;

let world: World;
/** One order after the other in each: every resume writes its workspace, so those of one would wait for each other. */
let workspaces: string[];
beforeAll(async () => {
  world = await startWorld();
  workspaces = await Promise.all(Array.from({ length: AT_ONCE }, async () => (await world.workspace()).workspaceId));
});
afterAll(() => world.close());

/** `...Cut`: the worker dies in the pass that follows. */
type Verb =
  | "pause"
  | "resume"
  | "resumeCut"
  | "restMailbox"
  | "returnMailbox"
  | "returnCut"
  | "lookAgain"
  | "reconcile";
const VERBS: Verb[] = [
  "pause",
  "pause",
  "resume",
  "resume",
  "resumeCut",
  "restMailbox",
  "returnMailbox",
  "returnCut",
  "lookAgain",
  "reconcile",
];

test("in random orders of campaign and mailbox pauses, each waiting recipient is woken and gets each email once", async () => {
  const limit = pLimit(AT_ONCE);
  const seen = { parked: 0, held: 0 };
  const failures: string[] = [];
  const one = async (seed: number) => {
    const workspaceId = workspaces.pop() ?? "";
    const order = await startOrder(workspaceId, seed);
    const forgotten = await order
      .play()
      .catch((error) => [String(error)])
      .finally(order.close);
    seen.parked += order.seen.parked;
    seen.held += order.seen.held;
    workspaces.push(workspaceId);
    if (forgotten.length > 0) failures.push(`order ${seed} (${order.verbs.join(", ")}): ${forgotten.join("; ")}`);
  };
  const orders = await Promise.allSettled(Array.from({ length: ORDERS }, (_, seed) => limit(() => one(seed + 1))));
  expect(orders.filter(({ status }) => status === "rejected").slice(0, 5)).toEqual([]);
  expect(failures.slice(0, 5)).toEqual([]);
  // Orders in which no one ever waits would prove nothing
  expect(seen.parked).toBeGreaterThan(ORDERS / 10);
  expect(seen.held).toBeGreaterThan(ORDERS / 10);
}, 600_000);

/** A campaign of its own with a mailbox and people who are due, and a random story of what happens meanwhile. */
async function startOrder(workspaceId: string, seed: number) {
  const random = randomFrom(seed);
  const seen = { parked: 0, held: 0 };
  const db = scoped(workspaceId);
  const active = await activeCampaign(workspaceId);
  const { campaignId, mailbox } = active;
  const people: RecipientIds[] = [];
  const many = seed % 3 === 0 ? PEOPLE : 1;
  while (people.length < many) people.push(await somebodyDue(active));
  const verbs = Array.from(
    { length: 4 + Math.floor(random() * 4) },
    () => VERBS[Math.floor(random() * VERBS.length)] ?? "resume",
  );
  // In every second order everybody waits before the story begins. In the others it begins with the first look, and the
  // machine decides which look is first
  const stopped = seed % 2 === 0 ? null : random() < 0.5 ? "pause" : "restMailbox";
  const runs = new Runs(look, () => (random() < 0.4 ? 12 * random() : 0));

  /** What the activity does: everything between a due slot and a recorded outcome, without a server. */
  async function look(ids: RecipientIds) {
    await sleep(3 * random());
    const situation = await loadSituation(ids);
    if (situation === null) return { kind: "stop", reason: "GONE" } as const;
    const found = await checkDue(situation);
    if (found.kind === "parked") seen.parked++;
    if (found.kind === "held") seen.held++;
    if (found.kind !== "due") return found;
    const { campaign, recipient } = situation;
    const claimed = await claim({
      send: found.send,
      mailbox: found.mailbox,
      attemptId: randomUUID(),
      messageId: `<${randomUUID()}@a.test>`,
      campaign: { campaignId, fence: campaign.fence, settings: settingsOf(campaign.settings), shard: recipient.shard },
      bytesHash: "",
      mailRef: newId("snd"),
      subject: "",
      content: { text: "", html: null },
      tracking: null,
      variantId: null,
      checks: {},
    });
    const again = { kind: "replan", at: Date.now() + 5, why: "a second look" } as const;
    if (claimed.kind !== "claimed") return again;
    const { send, request } = claimed;
    if ((await lastLook(request)) !== null) {
      await recordWithdrawn(send, request.attemptId);
      return again;
    }
    await db.Send.updateOne({ _id: send._id }, { $set: { state: "SENT", phase: null, sentAt: new Date() } });
    await db.Recipient.updateOne({ _id: recipient._id }, { $set: { status: "COMPLETED" }, $inc: { sentCount: 1 } });
    return "SENT" as const;
  }

  const move = (to: "ACTIVE" | "PAUSED") =>
    inTransaction(() =>
      moveCampaign(workspaceId, campaignId, {
        from: [to === "ACTIVE" ? "PAUSED" : "ACTIVE"],
        to,
        ...(to === "PAUSED" && { pauseReason: "MANUAL" }),
        actor: null,
      }),
    );
  const setMailbox = (status: "PAUSED" | "CONNECTED") =>
    db.Mailbox.updateOne({ _id: mailbox._id, status: trusted({ $ne: status }) }, { $set: { status } });
  const reconcile = async () => {
    const campaign = await db.Campaign.get(campaignId);
    if (campaign?.status !== "ACTIVE") return;
    // An hour of looks in one: all recipients that are overdue now
    for (const ids of await findOverdue(campaign, Date.now() + MINUTE_MS)) {
      await runs.wake(ids, "resume", campaign.fence);
      await runs.wake(ids, "replan");
    }
  };
  /** A worker that dies on the way: the signal that it was about to send is lost, and the pass with it. */
  const dying = () => {
    let left = Math.floor(2 * random());
    const wake: typeof runs.wake = async (...told) => {
      if (left-- <= 0) throw new Error("killed");
      await runs.wake(...told);
    };
    return wake;
  };
  /** One pass follows each change that lets recipients continue, as the outbox does it. */
  async function resume(wake: Wake): Promise<void> {
    if ((await move("ACTIVE")) !== null) await wakeParked(workspaceId, campaignId, wake);
  }
  async function returnMailbox(wake: Wake): Promise<void> {
    if ((await setMailbox("CONNECTED")) > 0) await wakeHeld(workspaceId, mailbox._id, wake);
  }

  async function act(verb: Verb): Promise<unknown> {
    switch (verb) {
      case "pause":
        return move("PAUSED");
      case "resume":
        return resume(runs.wake);
      case "resumeCut":
        return resume(dying()).catch(() => {});
      case "restMailbox":
        return setMailbox("PAUSED");
      case "returnMailbox":
        return returnMailbox(runs.wake);
      case "returnCut":
        return returnMailbox(dying()).catch(() => {});
      case "lookAgain":
        return Promise.all(people.map((ids) => runs.wake(ids, "replan")));
      case "reconcile":
        return reconcile();
    }
  }

  /** Everything has been delivered, and each run waits or has ended. */
  async function settle(): Promise<void> {
    await runs.delivered();
    await until(() => [...runs.all.values()].every(isStill), { deadlineMs: 60_000, what: "everybody to wait" });
  }

  const wasCut = verbs.includes("resumeCut") || verbs.includes("returnCut");

  /**
   * The recipients whose note does not name what their run waits for. After a pass that died on the way the note may be
   * gone, but then there is an instant from which the recipient is overdue.
   */
  async function unnoted(): Promise<string[]> {
    const rows = await db.Recipient.find({ campaignId });
    return rows.flatMap(({ _id, parkedEpoch, awaitedMailboxId, nextSendAt }) => {
      const waits = runs.all.get(_id)?.waits;
      const isKnown =
        (waits?.kind !== "PARKED" || waits.epoch === parkedEpoch) &&
        (waits?.kind !== "HELD" || awaitedMailboxId === mailbox._id);
      return isKnown || (wasCut && nextSendAt !== null)
        ? []
        : [JSON.stringify({ waits, parkedEpoch, awaitedMailboxId, nextSendAt })];
    });
  }

  return {
    verbs: [...(stopped === null ? [] : [stopped]), ...verbs],
    seen,
    close: () => runs.close(),
    /** Returns what went wrong. */
    async play(): Promise<string[]> {
      if (stopped !== null) await act(stopped);
      for (const ids of people) runs.open(ids);
      if (stopped !== null) await settle();
      const story = verbs.map(async (verb, index) => {
        await sleep(4 * index * random());
        await act(verb);
      });
      await Promise.all(story);
      await settle();
      const wrong = await unnoted();
      // All is well again. The pass behind each change wakes the recipients that are left, or the reconciler does for a
      // pass that died
      await returnMailbox(runs.wake);
      await resume(runs.wake);
      await settle();
      if (wasCut) {
        await reconcile();
        await settle();
      }
      const sent = await db.Send.count({ campaignId, state: "SENT" });
      const rows = await db.Recipient.find({ campaignId });
      const left = rows.filter(({ sentCount }) => sentCount !== 2);
      return [
        ...wrong,
        ...(sent === many ? [] : [`${sent} mails`]),
        ...left.map(({ _id, sentCount, parkedEpoch, awaitedMailboxId, nextSendAt }) =>
          JSON.stringify({ sentCount, parkedEpoch, awaitedMailboxId, nextSendAt, waits: runs.all.get(_id)?.waits }),
        ),
      ];
    },
  };
}

function isStill({ waits }: Run): boolean {
  return ["PARKED", "HELD", "ENDED"].includes(waits.kind) || (waits.kind === "TIMER" && waits.at > Date.now() + 1_000);
}
