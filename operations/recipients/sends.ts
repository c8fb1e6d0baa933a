import { z } from "zod";
import { SEND_PHASES, SEND_STATES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { campaignId } from "../campaigns/find.ts";
import { commaSeparated, nullable, optionalTime, pageFrom, pageOf, paging, record } from "../fields.ts";
import { operation } from "../operation.ts";

const optionalText = nullable(z.string());

const Row = record({
  recipientId: optionalText,
  email: z.string(),
  stepId: optionalText,
  variantId: optionalText,
  state: z.enum(SEND_STATES),
  phase: nullable(z.enum(SEND_PHASES)),
  mailboxId: optionalText,
  slotAt: optionalTime,
  sentAt: optionalTime,
  unknownAt: optionalTime,
  messageId: optionalText,
  attempts: z.number().int(),
  failure: nullable(z.object({ reason: z.string(), code: optionalText, text: optionalText })),
}).meta({ id: "Send", description: "One mail to one recipient: booked, sent or failed" });

export const sends = operation({
  summary: "List the mails of a campaign, booked, sent or failed, newest first: one row for each recipient and step",
  scope: "recipients:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ campaignId, ...paging, state: commaSeparated(SEND_STATES).optional() }),
  output: pageOf(Row),
  async run({ workspaceId }, { campaignId, state, ...paging }) {
    await loadCampaign(workspaceId, campaignId);
    const filter = { campaignId, ...(state && { state: trusted({ $in: state }) }) };
    const { items, ...page } = await pageFrom(scoped(workspaceId).Send, filter, paging);
    return { ...page, items: items.map((send) => ({ ...send, email: send.to })) };
  },
});
