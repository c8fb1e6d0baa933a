import { z } from "zod";
import { APPROVAL_KINDS, APPROVAL_STATUSES } from "../../domain/states.ts";
import type { Approval as ApprovalDocument } from "../../models/campaigns/approval.ts";
import type { Context } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, record } from "../fields.ts";
import { Effect } from "./plan.ts";
import { isOnUnseen, seenBy } from "./seen-by.ts";

const { campaignId, messageId, recipientId, stepId, threadId } = describedIds;

export const approvalFields = {
  kind: z
    .enum(APPROVAL_KINDS)
    .describe(
      "LAUNCH, TEST_SEND, PLACEMENT_TEST and REPLY: a credential requested this send, or the inbox agent drafted a REPLY; CHANGE: a credential requested another call with an effect; CAMPAIGN_SEND: an email of a campaign with `approvalMode`; OPT_OUT: a reply that may ask to stop. Until someone decides it, no campaign emails the person",
    ),
  status: z
    .enum(APPROVAL_STATUSES)
    .describe(
      "PENDING until someone decides; then REJECTED or APPROVED, and for an email SENT or FAILED; EXPIRED if no one decided in time",
    ),
  version: z
    .number()
    .int()
    .default(1)
    .describe("Increases when the request changes; pass it as `expectedVersion` of a decision"),
  threadId: nullable(threadId),
  messageId: nullable(messageId).describe("The message that caused the request"),
  campaignId: nullable(campaignId),
  recipientId: nullable(recipientId),
  stepId: nullable(stepId),
  proposedText: nullable(z.string()).describe("The text to send, or the words of the reply"),
  effect: nullable(Effect).describe(
    "The effect of approving; null for CAMPAIGN_SEND, OPT_OUT and drafts of the agent, or once erased",
  ),
  verb: nullable(z.string()).describe("The call that requested it, such as `campaigns.launch`; null when no call did"),
  requestedBy: nullable(z.string()).describe(
    "The credential that requested it, which cannot decide; null when none did",
  ),
  reason: nullable(z.string()).describe("The reason of the request"),
  confidence: nullable(z.number()).describe("The confidence of the reading, 0 to 1; null if nothing was read"),
  suggestion: nullable(
    z.object({
      optsOut: z.boolean().describe("Whether the model reads the email as a request to stop"),
      confidence: z.number().describe("The confidence of the model, 0 to 1"),
      reasons: z.array(z.string()).describe("Sentences of the email that the model relied on"),
    }),
  )
    .default(null)
    .describe("How the inbox agent's model reads an OPT_OUT. The model decides nothing; null if it did not run"),
  expiresAt: optionalTime.describe(
    "When the request expires: after 7 days; null for an OPT_OUT, which waits until someone decides",
  ),
  decidedBy: nullable(z.string()).describe("The credential that decided"),
  decidedAt: optionalTime.describe("When it was decided"),
  note: nullable(z.string()).describe("The remark of the person who decided"),
  sentMessageId: nullable(z.string()).describe("The Message-ID of the email that was sent"),
  error: nullable(
    z.object({ code: z.string().describe("An error code"), message: z.string().describe("The error as a sentence") }),
  ).describe("Why the email FAILED"),
};

/** Approval `apr_` (rules/states 7.1). */
export const Approval = record(approvalFields).meta({
  id: "Approval",
  description: "A request that a person decides",
});

/** The response to a call that a person must approve first. */
export const Asked = z
  .object({ approval: Approval.describe("The request that now waits for a person") })
  .meta({ id: "Asked", description: "Nothing was sent: the request waits for a person, at `GET /approvals`" });

/** An approval, limited to what this credential may see. */
export function shownApproval(ctx: Pick<Context, "scopes">, { request, proposedText, ...approval }: ApprovalDocument) {
  const effect = Effect.nullable().parse(request?.effect ?? null);
  return {
    ...approval,
    proposedText: effect !== null && isOnUnseen(ctx, effect) ? null : proposedText,
    effect: effect === null ? null : seenBy(ctx, effect),
    verb: request?.verb ?? null,
    requestedBy: request?.credentialId ?? null,
  };
}
