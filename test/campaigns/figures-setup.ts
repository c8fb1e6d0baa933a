import { afterAll, beforeAll } from "@jest/globals";
import fc from "fast-check";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { startWorld, type World } from "../support/world.ts";
import { NOW, readyCampaign } from "./campaign-parts.ts";

export let world: World;

const HARD = { type: "HARD" as const, reason: "USER_UNKNOWN", code: "5.1.1", diagnostic: null };

const FIRST = Date.parse("2026-03-28T20:00:00Z");

/** One person: the outcome of each step's email that it reached, and what it answered to which of them. */
export const person = fc.record({
  mails: fc.array(
    fc.record({
      state: fc.constantFrom("SENT" as const, "BOUNCED" as const),
      variant: fc.nat(1),
      minutes: fc.nat(6_000),
    }),
    { maxLength: 3 },
  ),
  after: fc.constantFrom("RESERVED" as const, "UNKNOWN" as const, "REFUSED" as const, null),
  replies: fc.array(fc.nat(2), { maxLength: 2 }),
  isPositive: fc.boolean(),
  isAutoReply: fc.boolean(),
  isHard: fc.boolean(),
  unsubscribes: fc.boolean(),
});

export type Plan = typeof person extends fc.Arbitrary<infer P> ? P : never;

export async function campaignWith(people: Plan[]) {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId } = await readyCampaign(rest, workspaceId, []);
  await rest.patch(`${path}/settings`, { timezone: "Europe/Berlin" });
  const steps = ["One", "Two", "Three"].map((subject) => ({
    delay: NOW,
    variants: ["A", "B"].map((label) => ({ label, subject, bodyText: label })),
  }));
  const { body } = await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  if (body.steps === undefined) throw new Error(JSON.stringify(body));
  await store(workspaceId, campaignId, body.steps, people);
  return { rest, workspaceId, path, campaignId, steps: body.steps as StoredStep[] };
}

export interface StoredStep {
  stepId: string;
  variants: { variantId: string }[];
}

async function store(workspaceId: string, campaignId: string, steps: StoredStep[], people: Plan[]): Promise<void> {
  const { ActivityEvent, Recipient, Send, Thread } = scoped(workspaceId);
  for (const [index, plan] of people.entries()) {
    const recipientId = newId("rcp");
    const leadId = newId("led");
    const mails = plan.mails.map(({ state, variant, minutes }, place) => ({
      _id: newId("snd"),
      campaignId,
      recipientId,
      to: "a@b.test",
      state,
      stepId: steps[place]?.stepId ?? null,
      variantId: steps[place]?.variants[variant]?.variantId ?? null,
      sentAt: new Date(FIRST + minutes * MINUTE_MS),
    }));
    const refusedAt = plan.after === "REFUSED" && mails.length < 3 ? steps[mails.length] : undefined;
    const last = {
      _id: newId("snd"),
      campaignId,
      recipientId,
      to: "a@b.test",
      stepId: steps[mails.length]?.stepId ?? newId("stp"),
    };
    const failure = { reason: "HARD_BOUNCE", code: "5.1.1", text: null };
    if (mails.length > 0) await Send.insertMany(mails);
    if (refusedAt !== undefined)
      await Send.insert({ ...last, state: "FAILED", variantId: refusedAt.variants[0]?.variantId ?? null, failure });
    else if (plan.after === "RESERVED" || plan.after === "UNKNOWN") await Send.insert({ ...last, state: plan.after });
    const at = new Date(FIRST + (7_000 + index) * MINUTE_MS);
    const replies = plan.replies.filter((place) => place < mails.length);
    for (const place of replies) {
      await ActivityEvent.insert({
        _id: newId("evt"),
        type: "REPLIED",
        at,
        leadId,
        campaignId,
        recipientId,
        data: { stepId: steps[place]?.stepId },
      });
    }
    const isBack = (mails.some(({ state }) => state === "BOUNCED") && plan.isHard) || refusedAt !== undefined;
    const facts: Partial<Recipient> = {
      ...(mails.length > 0 && {
        lastSentAt: mails.at(-1)?.sentAt ?? null,
        currentStepId: mails.at(-1)?.stepId ?? null,
      }),
      variantByStep: Object.fromEntries(mails.map(({ stepId, variantId }) => [stepId, variantId ?? ""])),
      nextStepId: steps[mails.length]?.stepId ?? null,
      ...(replies.length > 0 && { repliedAt: at }),
      ...(mails.length > 0 && plan.isAutoReply && { autoRepliedAt: at }),
      ...(mails.length > 0 && plan.unsubscribes && { unsubscribedAt: at }),
      ...(isBack && { bouncedAt: at, bounce: HARD }),
    };
    await Recipient.insert({
      _id: recipientId,
      campaignId,
      leadId,
      email: `${index}@b.test`,
      cid: newId("rcp"),
      shard: 0,
      ...facts,
    });
    const thread = { _id: newId("thr"), mailboxId: newId("mbx"), campaignId, recipientId, lastMessageAt: at };
    if (replies.length > 0 && plan.isPositive)
      await Thread.insert({ ...thread, category: "INTERESTED", sentiment: "POSITIVE" });
  }
}

export const OF_PEOPLE = ["replied", "autoReplied", "positiveReplies", "bounced", "unsubscribed"] as const;

export const OF_MAILS = ["sent", "delivered"] as const;

export type Row = Record<(typeof OF_PEOPLE)[number] | (typeof OF_MAILS)[number] | "contacted", number>;

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
}
