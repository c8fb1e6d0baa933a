import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { applyLeadChange, blankLead } from "../../domain/leads/lead.ts";
import { readAddress } from "../../domain/values/address.ts";
import { PROMISE_KINDS, PROMISE_STATUSES, type ReplyPromise } from "../../models/agent/reply-promise.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { newLead } from "../../store/leads/new-lead.ts";
import { emit } from "../../store/outbox.ts";
import { lockGuardReasons } from "../../store/suppression/suppress.ts";
import { choice } from "../choice.ts";
import { actorOf, type Context } from "../context.ts";
import type { Declaration } from "../declaration.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, pageFrom, pageOf, paging, record } from "../fields.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";

const { campaignId, leadId, messageId, promiseId, recipientId, threadId } = describedIds;

const Promised = record({
  kind: z.enum(PROMISE_KINDS).describe("TIME: contact the person again later; REFERRAL: contact someone else"),
  status: z
    .enum(PROMISE_STATUSES)
    .describe(
      "PENDING; DUE: the thread returned to the inbox as unread; CANCELLED; ACCEPTED: a referral that became a lead",
    ),
  threadId,
  messageId: messageId.describe("The email that contains it"),
  leadId: nullable(leadId),
  campaignId: nullable(campaignId),
  recipientId: nullable(recipientId),
  sentence: z.string().describe("The sentence that contains it"),
  saidBy: nullable(z.string()).describe("The address of its writer, who may not be the lead"),
  foundBy: z.enum(["RULES", "MODEL"]).describe("Whether rules or a model found it"),
  dueAt: optionalTime.describe("When it is due; null for a referral"),
  address: nullable(z.string()).describe("The address that a referral names"),
  proposedLeadId: nullable(leadId).describe("The lead that a referral became"),
  decidedBy: nullable(z.string()).describe("The credential that cancelled or accepted it"),
  decidedAt: optionalTime.describe("When it was decided"),
}).meta({ id: "Promise", description: "What a person announced in an email" });

const list = operation({
  summary: "List what people announced in their emails: contact them again later, or contact someone else",
  scope: "inbox:read",
  input: z.strictObject({
    ...paging,
    sort: BY_CREATION.sort,
    status: z.enum(PROMISE_STATUSES).optional().describe("Only those in this state"),
    kind: z.enum(PROMISE_KINDS).optional().describe("Only those of this kind"),
    leadId: leadId.optional().describe("Only those of this lead"),
    threadId: threadId.optional().describe("Only those of this thread"),
  }),
  output: pageOf(Promised),
  run: ({ workspaceId }, { page, pageSize, sort, ...asked }) => {
    const filter = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined));
    return pageFrom(scoped(workspaceId).ReplyPromise, filter, { page, pageSize }, { sort: BY_CREATION.orderOf(sort) });
  },
});

const shared = {
  scope: "inbox:write" as const,
  errors: ["INVALID_STATE_TRANSITION", "PROMISE_NOT_FOUND"] as const,
  input: z.strictObject({ promiseId }),
  output: Promised,
};

const cancel = operation({
  ...shared,
  summary: "Cancel a promise: nothing happens when it is due, or it is settled if it is due already",
  async run({ workspaceId, credentialId }, { promiseId }) {
    const promise = await loadPromise(workspaceId, promiseId);
    if (promise.status === "CANCELLED") return promise;
    return decide(promise, "cancel", ["PENDING", "DUE"], { status: "CANCELLED", decidedBy: credentialId });
  },
});

const accept = operation({
  ...shared,
  summary:
    "Make a lead of the person whom a referral names; an existing lead with that address stays as it is. Also needs leads:write",
  effects: { SENDS: true },
  alsoScopes: ["leads:write"],
  async run(ctx, { promiseId }) {
    const { workspaceId, credentialId } = ctx;
    return inTransaction(async () => {
      const promise = await loadPromise(workspaceId, promiseId);
      if (promise.status === "ACCEPTED") return promise;
      const address = promise.kind === "REFERRAL" ? readAddress(promise.address ?? "") : null;
      if (address === null) throw wrongState(promise, "accept");
      const proposedLeadId = await leadAt(ctx, address, promise.threadId);
      return decide(promise, "accept", ["PENDING"], { status: "ACCEPTED", decidedBy: credentialId, proposedLeadId });
    });
  },
});

const manage = choice("inbox:write", "Cancel a promise, or make a lead of a referral", { cancel, accept });

async function leadAt(
  ctx: Context,
  { address, domain }: { address: string; domain: string },
  threadId: string,
): Promise<string> {
  const { workspaceId, credentialId: actor } = ctx;
  const { Lead } = scoped(workspaceId);
  const existing = await Lead.findOne({ email: address }, { select: { _id: 1 } });
  // A deletion at the same moment conflicts, so that the promise does not refer to a deleted lead
  if (existing !== null && (await Lead.touch(existing._id))) return existing._id;
  const reasons = await lockGuardReasons(workspaceId, address);
  const createdFrom = { kind: "REFERRAL", actor: actorOf(ctx), name: null, id: threadId, at: new Date() } as const;
  const content = applyLeadChange(blankLead(address, domain), {});
  const lead = await Lead.insert(newLead(content, reasons, { ...createdFrom, source: SOURCE }));
  await emit(workspaceId, { type: "LEAD_CREATED", leadId: lead._id, actor, data: { source: SOURCE } });
  return lead._id;
}

const SOURCE = "REFERRAL";

/** @throws AppError INVALID_STATE_TRANSITION when another person decided first or the promise expired */
async function decide(
  known: ReplyPromise,
  action: string,
  from: ReplyPromise["status"][],
  change: Partial<ReplyPromise>,
): Promise<ReplyPromise> {
  const { ReplyPromise } = scoped(known.workspaceId);
  const decision = { $set: { ...change, decidedAt: new Date() } };
  const after = await ReplyPromise.findOneAndUpdate({ _id: known._id, status: trusted({ $in: from }) }, decision);
  if (after === null) throw wrongState((await ReplyPromise.get(known._id)) ?? known, action);
  return after;
}

/** @throws AppError PROMISE_NOT_FOUND */
async function loadPromise(workspaceId: string, promiseId: string): Promise<ReplyPromise> {
  const promise = await scoped(workspaceId).ReplyPromise.get(promiseId);
  if (promise === null) throw new AppError("PROMISE_NOT_FOUND", "No promise has this id");
  return promise;
}

function wrongState({ kind, status: from }: ReplyPromise, action: string): AppError {
  return new AppError(
    "INVALID_STATE_TRANSITION",
    `A promise of kind ${kind} that is ${from} cannot do this: ${action}`,
    { from, action },
  );
}

export const promisesDeclaration = {
  verbs: {
    "promises.list": list,
    "promises.manage": manage,
  },
  routes: [
    ["get", "/promises", list],
    ["post", "/promises/:promiseId", manage],
  ],
  examples: {
    sending: [{ at: "post /promises/:promiseId", title: "Create a lead from a referral", body: { action: "accept" } }],
  },
} as const satisfies Declaration;
