import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import type { Scope } from "../../domain/scopes.ts";
import type { Approval as ApprovalDocument } from "../../models/campaigns/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { filterUndecided } from "../../store/campaigns/approvals.ts";
import { letGoOn } from "../../store/inbox/opt-out-question.ts";
import { choice } from "../choice.ts";
import { type Context, lacks } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, record } from "../fields.ts";
import { operation } from "../operation.ts";
import { Approval, approvalFields, shownApproval } from "./approval-record.ts";
import { loadApproval } from "./approvals.ts";
import { approveRequest } from "./approve.ts";
import { approveDraft } from "./approve-draft.ts";
import { approveMailOfCampaign, approveOptOut } from "./approve-question.ts";
import { verbNamed } from "./named-verbs.ts";

const { approvalId } = describedIds;

const expectedVersion = z
  .number()
  .int()
  .min(1)
  .optional()
  .describe(
    "The `version` of the approval that you read; if it has changed, the call fails with 409 VERSION_CONFLICT. Default: any",
  );
const note = z.string().max(1_000).optional().describe("Your remark, at most 1,000 characters, kept with the decision");

const shared = {
  scope: "inbox:write" as const,
  orScope: "campaigns:launch" as const,
  errors: ["APPROVAL_NOT_FOUND", "INVALID_STATE_TRANSITION", "SENDING_NOT_ALLOWED", "VERSION_CONFLICT"] as const,
  output: Approval,
};
const Approved = record({
  ...approvalFields,
  answer: nullable(z.record(z.string(), z.unknown())).describe(
    "For a CHANGE that this call made: the response of the approved call, with a secret that is shown once; null otherwise",
  ),
}).meta({ id: "ApprovalDecided", description: "An approval after the decision" });

/** Further error codes with which an approved operation may refuse. */
const OF_VERBS = [
  ...(["CAMPAIGN_NOT_FOUND", "CAMPAIGN_NOT_VALID", "LEAD_NOT_FOUND", "LIMIT_EXCEEDED", "MAILBOX_NOT_FOUND"] as const),
  ...([
    "MESSAGE_NOT_FOUND",
    "MISSING_VARIABLES",
    "NO_SENDING_MAILBOX",
    "PLAN_STALE",
    "RECIPIENT_SUPPRESSED",
    "RENDER_LIMIT",
  ] as const),
  ...([
    "SEND_BUDGET_EXCEEDED",
    "SEND_FAILED",
    "STEP_NOT_FOUND",
    "TEMPLATE_INVALID",
    "THREAD_NOT_FOUND",
    "VARIANT_NOT_FOUND",
  ] as const),
] as const;

const approve = operation({
  ...shared,
  summary:
    "Approve the request as shown: a launch starts, an email is sent once. If the effect has changed meanwhile, nothing is done and the approval shows the new effect. If approved before, the response is the outcome",
  errors: [...shared.errors, ...OF_VERBS],
  sends: true,
  audits: "approvals.approve",
  effects: { SENDS: isDraft },
  showsOnce: ["answer"],
  input: z.strictObject({ approvalId, expectedVersion, note }),
  output: Approved,
  run: (ctx, { approvalId, ...asked }) => approved(ctx, approvalId, asked),
});

const edit = operation({
  ...shared,
  summary: "Approve a reply with another text, which is sent once instead of the proposed text",
  errors: [...shared.errors, ...OF_VERBS],
  sends: true,
  audits: "approvals.edit",
  effects: { SENDS: isDraft },
  input: z.strictObject({
    approvalId,
    text: z
      .string()
      .max(200_000)
      .refine((text) => text.trim() !== "", { message: "must not be empty", params: { code: "TOO_SMALL" } })
      .meta({ pattern: "\\S" })
      .describe("The plain text to send, at most 200,000 characters; proposed HTML is left out"),
    expectedVersion,
    note,
  }),
  output: Approved,
  run: (ctx, { approvalId, ...asked }) => approved(ctx, approvalId, asked),
});

const reject = operation({
  ...shared,
  summary:
    "Reject the request. Nothing is sent. For an OPT_OUT: the person did not opt out, and the campaigns paused for it continue",
  audits: "approvals.reject",
  effects: { SENDS: isOptOut },
  input: z.strictObject({ approvalId, expectedVersion, note }),
  async run(ctx, { approvalId, expectedVersion, note }) {
    const approval = await loadDecidable(ctx, approvalId, expectedVersion);
    if (approval.status === "REJECTED") return shownApproval(ctx, approval);
    const decided = { decidedBy: ctx.credentialId, decidedAt: new Date(), note: note ?? null };
    const rejected = await inTransaction(async () => {
      const { Approval } = scoped(ctx.workspaceId);
      const found = await Approval.findOneAndUpdate(
        { _id: approvalId, ...filterUndecided() },
        { $set: { status: "REJECTED", ...decided } },
      );
      if (found?.kind === "OPT_OUT") await letGoOn(found);
      return found;
    });
    if (rejected === null) throw wrongState(await loadApproval(ctx.workspaceId, approvalId), "reject");
    return shownApproval(ctx, rejected);
  },
});

export const decide = choice(
  "inbox:write",
  "Decide a request for approval: approve it, approve a reply with another text, or reject it",
  {
    approve,
    reject,
    edit,
  },
);

interface Asking {
  text?: string;
  expectedVersion?: number | undefined;
  note?: string | undefined;
}

async function approved(ctx: Context, id: string, { text, expectedVersion, note = "" }: Asking) {
  const action = text === undefined ? "approve" : "edit";
  const approval = await loadDecidable(ctx, id, expectedVersion);
  const { status, kind } = approval;
  // Approving an opt-out only stops emails, so it needs no permission to send
  if (kind !== "OPT_OUT") refuseUnlessMayApprove(ctx, approval);
  if (status === "REJECTED" || status === "EXPIRED" || isPast(approval)) throw wrongState(approval, action);
  if (text !== undefined && kind !== "REPLY") throw wrongState(approval, action);
  let answer: unknown = null;
  if (kind === "OPT_OUT") await approveOptOut(ctx, approval, note);
  else if (kind === "CAMPAIGN_SEND") await approveMailOfCampaign(ctx, approval, note);
  else if (kind === "REPLY" && !approval.request)
    await approveDraft(ctx, approval, { note, ...(text !== undefined && { text }) });
  else answer = await approveRequest(ctx, approval, { note, ...(text !== undefined && { text }) });
  const after = await loadApproval(ctx.workspaceId, id);
  if (after.version !== approval.version) throw otherVersion(after);
  if (after.status === "PENDING" || after.status === "EXPIRED" || after.status === "REJECTED")
    throw wrongState(after, action);
  return { ...shownApproval(ctx, after), answer: isRecord(answer) ? answer : null };
}

/**
 * Checks who may approve. A request of a credential needs a signed-in person. An email of a campaign needs a credential
 * that may send directly. A draft of the inbox agent can also be approved by a credential that may send planned emails
 * (rules/access 4.5). Every credential with the scope may reject.
 * @throws AppError SENDING_NOT_ALLOWED, WORKSPACE_SUSPENDED, ADDRESS_NOT_CONFIRMED
 */
function refuseUnlessMayApprove({ kind, policy: { SENDS: way }, barred }: Context, approval: ApprovalDocument): void {
  if (barred !== undefined) throw barred;
  if (approval.request && kind !== "CONSOLE")
    throw notAllowed("Only a person in the console may approve a request of a credential", "PERSON_NEEDED");
  if (way === "NONE") throw notAllowed("A credential that is not allowed to send cannot approve", "POLICY");
  if (way === "DIRECT" || (way === "PLAN" && isDraftOfAgent(approval))) return;
  throw notAllowed("Only a credential that sends directly may approve", "DIRECT_ONLY");
}

/** Returns true for a draft of the inbox agent, which no credential requested. */
function isDraftOfAgent({ kind, request }: Pick<ApprovalDocument, "kind" | "request">): boolean {
  return kind === "REPLY" && !request;
}

/**
 * Returns true when the decision sends a draft of the inbox agent. Under the policies APPROVAL and NONE the operation
 * itself refuses, because no approval may wait for another approval.
 */
async function isDraft(
  { workspaceId, policy: { SENDS: way } }: Context,
  { approvalId }: { approvalId: string },
): Promise<boolean> {
  if (way !== "DIRECT" && way !== "PLAN") return false;
  const found = await scoped(workspaceId).Approval.findOne({ _id: approvalId, kind: "REPLY", status: "PENDING" });
  return found !== null && isDraftOfAgent(found);
}

/** Returns true for an opt-out question. Rejecting it lets campaigns contact the person again. */
async function isOptOut({ workspaceId }: Context, { approvalId }: { approvalId: string }): Promise<boolean> {
  return (await scoped(workspaceId).Approval.findOne({ _id: approvalId, kind: "OPT_OUT", status: "PENDING" })) !== null;
}

/** Loads an approval, if this credential holds the scope that deciding it requires. */
async function loadDecidable(ctx: Context, id: string, expected: number | undefined): Promise<ApprovalDocument> {
  const approval = await loadApproval(ctx.workspaceId, id);
  const scope = scopeOf(approval);
  if (!ctx.scopes.has(scope)) throw lacks(scope);
  if (expected !== undefined && expected !== (approval.version ?? 1)) throw otherVersion(approval);
  return approval;
}

function otherVersion({ version: currentVersion = 1 }: ApprovalDocument): AppError {
  return new AppError("VERSION_CONFLICT", "The request has changed since you read it", { currentVersion });
}

function scopeOf({ kind, request }: ApprovalDocument): Scope {
  if (kind === "LAUNCH" || kind === "TEST_SEND" || kind === "PLACEMENT_TEST") return "campaigns:launch";
  if (kind === "CAMPAIGN_SEND") return "recipients:write";
  if (kind === "CHANGE" && request) return verbNamed(request.verb)?.scope ?? "inbox:write";
  return kind === "REPLY" && request ? "inbox:send" : "inbox:write";
}

function isPast({ status, expiresAt }: ApprovalDocument): boolean {
  return status === "PENDING" && expiresAt !== null && expiresAt <= new Date();
}

function notAllowed(message: string, reason: string): AppError {
  return new AppError("SENDING_NOT_ALLOWED", message, { reason });
}

function wrongState(approval: ApprovalDocument, action: string): AppError {
  const from = isPast(approval) ? "EXPIRED" : approval.status;
  return new AppError(
    "INVALID_STATE_TRANSITION",
    `The action ${action} is not possible: the approval of kind ${approval.kind} is ${from}`,
    {
      from,
      action,
    },
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
