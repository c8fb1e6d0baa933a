import { z } from "zod";
import { SEND_PHASES, SEND_STATES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { campaignId } from "../campaigns/find.ts";
import { describedIds } from "../described-ids.ts";
import { commaSeparated, nullable, optionalTime, pageFrom, pageOf, paging, record } from "../fields.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";

const { mailboxId, recipientId, stepId, variantId } = describedIds;

const optionalText = nullable(z.string());

export const SendRow = record({
  recipientId: nullable(recipientId),
  email: z.string().describe("The address of the recipient"),
  stepId: nullable(stepId),
  variantId: nullable(variantId),
  state: z
    .enum(SEND_STATES)
    .describe("The state; UNKNOWN: the email may have been sent, and is not sent again automatically"),
  phase: nullable(z.enum(SEND_PHASES)).describe("While SENDING: CLAIMED before the content is sent, then DATA"),
  mailboxId: nullable(mailboxId),
  slotAt: optionalTime.describe("The booked time"),
  sentAt: optionalTime.describe("When it was sent"),
  unknownAt: optionalTime.describe("When its outcome became unknown"),
  messageId: optionalText.describe("Its Message-ID"),
  attempts: z.number().int().describe("The number of attempts"),
  failure: nullable(
    z.object({
      reason: z.string().describe("The reason of the failure"),
      code: optionalText.describe("The status code from the receiving server"),
      text: optionalText.describe("The text from the receiving server"),
    }),
  ).describe("Why it failed"),
}).meta({ id: "Send", description: "One email to one recipient: booked, sent or failed" });

export const sends = operation({
  summary: "List the emails of a campaign, booked, sent or failed, newest first: one row for each recipient and step",
  scope: "recipients:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({
    campaignId,
    ...paging,
    sort: BY_CREATION.sort,
    state: commaSeparated(SEND_STATES).optional().describe("Only emails in one of these states"),
  }),
  output: pageOf(SendRow),
  async run({ workspaceId }, { campaignId, state, sort, ...paging }) {
    await loadCampaign(workspaceId, campaignId);
    const filter = { campaignId, ...(state && { state: trusted({ $in: state }) }) };
    const { items, ...page } = await pageFrom(scoped(workspaceId).Send, filter, paging, {
      sort: BY_CREATION.orderOf(sort),
    });
    return { ...page, items: items.map((send) => ({ ...send, email: send.to })) };
  },
});
