import type { PlanAddress } from "../../domain/access/address-token.ts";
import { open, type Sealed, seal } from "../../domain/access/seal.ts";
import { AppError } from "../../domain/errors.ts";
import type { Approval, SendRequest } from "../../models/campaigns/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { OPEN_MS } from "../../store/campaigns/approvals.ts";
import { emit } from "../../store/outbox.ts";
import type { Context } from "../context.ts";
import { Asked, shownApproval } from "./approval-record.ts";
import { askedDigest, intentOrAnswer, type SendCall, type VerbRun } from "./boarding.ts";
import { budgetExceeded } from "./budget.ts";
import type { Intent } from "./permit.ts";
import { digestOf, Effect, type PlannedEffect } from "./plan.ts";
import { isShownBy, staleFor } from "./plan-token.ts";

/** The approval that the same call requested before, by its key or plan; null without one. */
export async function findAsked(ctx: Context, call: SendCall, plan: PlanAddress | null): Promise<unknown> {
  const keys = keysOf(call, plan);
  if (keys.length === 0) return null;
  const existing = await scoped(ctx.workspaceId).Approval.findOne({ requestKeys: trusted({ $in: keys }) });
  if (existing === null) return null;
  if (existing.request?.verb !== call.verb || existing.request.asked !== askedDigest(call))
    throw new AppError("IDEMPOTENCY_KEY_REUSED", "This idempotency key belongs to another request");
  return askedOf(ctx, existing);
}

/**
 * Requests a person's approval of the effect, and does nothing else (rules/access 4.4). A call that would change
 * nothing needs no approval.
 */
export async function askPerson(
  ctx: Context,
  call: SendCall,
  plan: PlanAddress | null,
  run: VerbRun,
): Promise<unknown> {
  const check = async (intent: Intent): Promise<PlannedEffect> => {
    const effect = await intent.effect();
    if (plan !== null && !isShownBy(plan, effect)) throw await staleFor(ctx, call, plan, intent, effect);
    return effect;
  };
  const { idempotencyKey } = call.input;
  const sendKey = typeof idempotencyKey === "string" ? idempotencyKey : null;
  const found = await intentOrAnswer(run, { sendKey, unchanged: (intent, answer) => check(intent).then(answer) });
  if ("answer" in found) return found.answer;
  const effect = await check(found.intent);
  const cost = await found.intent.cost();
  const { dailySendBudget: limit } = ctx.policy;
  if (limit !== null && cost > limit) throw budgetExceeded(limit, cost);
  try {
    return askedOf(ctx, await raise(ctx, call, plan, effect, cost));
  } catch (err) {
    // When two identical calls run at once, the second finds the approval that the first one requested
    const first = isDuplicateKey(err) ? await findAsked(ctx, call, plan) : null;
    if (first === null) throw err;
    return first;
  }
}

/** The response to a call that requests an approval. */
function askedOf(ctx: Context, approval: Approval): unknown {
  return Asked.parse({ approval: shownApproval(ctx, approval) });
}

const KINDS = {
  ...({ LAUNCH: "LAUNCH", RESUME: "LAUNCH", TEST_SEND: "TEST_SEND", PLACEMENT_TEST: "PLACEMENT_TEST" } as const),
  ...({ REPLY: "REPLY", SCHEDULED_REPLY: "REPLY", CHANGE: "CHANGE" } as const),
};

function raise(
  ctx: Context,
  call: SendCall,
  plan: PlanAddress | null,
  effect: PlannedEffect,
  cost: number,
): Promise<Approval> {
  const { workspaceId, credentialId, policy, name } = ctx;
  const kind = KINDS[effect.shown.kind];
  const { campaignId = null, threadId = null } = namedIn(call.input);
  const { Approval, Thread } = scoped(workspaceId);
  const _id = newId("apr");
  const request = {
    verb: call.verb,
    fields: sealFields(ctx, _id, fieldsOf(call)),
    asked: askedDigest(call),
    credentialId,
    limit: policy.dailySendBudget,
    ...shownRequest(effect, cost),
  };
  return inTransaction(async () => {
    const thread = threadId === null ? null : await Thread.get(threadId);
    const about = { campaignId: campaignId ?? thread?.campaignId ?? null, threadId };
    const approval = await Approval.insert({
      _id,
      kind,
      ...about,
      request,
      requestKeys: keysOf(call, plan),
      ...whatIsShown(effect),
      reason: `${name} asks for it`,
      expiresAt: new Date(Date.now() + OPEN_MS),
    });
    const data = { approvalId: approval._id, kind, expiresAt: approval.expiresAt };
    await emit(workspaceId, { type: "APPROVAL_REQUESTED", campaignId: about.campaignId, actor: credentialId, data });
    return approval;
  });
}

/** The part of an effect that an approval stores: the shown fields, and the digest of its identity. */
export function shownRequest({ shown, identity }: PlannedEffect, cost: number): Pick<SendRequest, "effect" | "digest"> {
  return { effect: Effect.parse({ ...shown, cost }), digest: digestOf(identity) };
}

/**
 * The first text and every address in an effect, so that they can be erased: addresses of recipients, copies and
 * warnings, and people whose data the texts contain.
 */
export function whatIsShown({
  shown,
  about = [],
}: PlannedEffect): Pick<Approval, "proposedText"> & { addresses: string[] } {
  return { proposedText: shown.texts[0]?.text ?? null, addresses: [...new Set([...addressesIn(shown), ...about])] };
}

function addressesIn(value: unknown): string[] {
  if (typeof value === "string") return (value.match(ADDRESS) ?? []).map((address) => address.toLowerCase());
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(addressesIn) : [];
}

const ADDRESS = /[^\s<>"'(),:;@]{1,64}@[^\s<>"'(),:;@]{1,255}/g;

function namedIn(input: Record<string, unknown>): { campaignId?: string; threadId?: string } {
  const { campaignId, threadId } = input;
  return { ...(typeof campaignId === "string" && { campaignId }), ...(typeof threadId === "string" && { threadId }) };
}

/** Encrypts the fields of a call, because they may contain a password or a token. */
export function sealFields({ workspaceId, services }: Context, approvalId: string, fields: string): Sealed {
  return seal(services.keyRing, placeOf(workspaceId, approvalId), fields);
}

/** Decrypts the fields of the requested call. Earlier versions stored them unencrypted. */
export function askedFields(
  { services }: Context,
  { workspaceId, _id }: Approval,
  { fields }: SendRequest,
): Record<string, unknown> {
  return JSON.parse(typeof fields === "string" ? fields : open(services.keyRing, placeOf(workspaceId, _id), fields));
}

function placeOf(workspaceId: string, documentId: string) {
  return { workspaceId, collection: "approvals", documentId, field: "request.fields" };
}

/** The fields of the call as received, without those of the plan and the idempotency key. */
function fieldsOf({ raw }: SendCall): string {
  const hidden = ["planOnly", "planToken", "idempotencyKey"];
  return JSON.stringify(Object.fromEntries(Object.entries(raw ?? {}).filter(([name]) => !hidden.includes(name))));
}

function keysOf({ input: { idempotencyKey } }: SendCall, plan: PlanAddress | null): string[] {
  return [
    ...(typeof idempotencyKey === "string" ? [`key/${idempotencyKey}`] : []),
    ...(plan === null ? [] : [`plan/${plan.id}`]),
  ];
}
