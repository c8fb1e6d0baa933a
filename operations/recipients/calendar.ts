import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { SEND_STATES } from "../../domain/states.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { describedIds } from "../described-ids.ts";
import { commaSeparated, instant, nullable, pageFrom, pageOf, paging, time } from "../fields.ts";
import { loadMailbox } from "../mailboxes/find.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";

const { campaignId, mailboxId, recipientId, sendId, stepId } = describedIds;

/** The default and the largest number of days of a calendar. */
const USUAL_DAYS = 31;
const MOST_DAYS = 92;

const BY = sorting({ at: "slotAt" }, "at");

const Entry = z
  .object({
    sendId,
    campaignId: nullable(campaignId),
    recipientId: nullable(recipientId),
    stepId: nullable(stepId),
    mailboxId: nullable(mailboxId),
    at: time.describe("The booked time; the email leaves then or a little later"),
    state: z.enum(SEND_STATES).describe("RESERVED: not begun; SENT, UNKNOWN and others are the outcome"),
  })
  .meta({ id: "BookedSend", description: "One booked email in the calendar" });

export const calendar = operation({
  summary:
    "List the booked emails of all campaigns by their booked time, with the outcome. Emails are booked some days ahead; later ones have no time yet",
  scope: "campaigns:read",
  errors: ["CAMPAIGN_NOT_FOUND", "MAILBOX_NOT_FOUND"],
  input: z.strictObject({
    ...paging,
    sort: BY.sort,
    from: instant.optional().describe("The start, inclusive; a bare date is 00:00 UTC. Default now"),
    to: instant
      .optional()
      .describe(`The end, exclusive, at most ${MOST_DAYS} days after \`from\`. Default ${USUAL_DAYS} days after it`),
    mailboxId: mailboxId.optional(),
    campaignId: campaignId.optional(),
    state: commaSeparated(SEND_STATES).optional().describe("Only emails in one of these states. Default all"),
  }),
  output: pageOf(Entry),
  async run({ workspaceId }, { from = new Date(), to, mailboxId, campaignId, state, sort, ...paging }) {
    const until = to ?? new Date(from.getTime() + USUAL_DAYS * DAY_MS);
    refuseSpan(from, until);
    if (mailboxId !== undefined) await loadMailbox(workspaceId, mailboxId);
    if (campaignId !== undefined) await loadCampaign(workspaceId, campaignId);
    const filter = {
      slotAt: trusted({ $gte: from, $lt: until }),
      campaignId: campaignId ?? trusted({ $gt: "" }),
      ...(mailboxId !== undefined && { mailboxId }),
      ...(state && { state: trusted({ $in: state }) }),
    };
    const { items, ...page } = await pageFrom(scoped(workspaceId).Send, filter, paging, {
      sort: BY.orderOf(sort),
      select: SHOWN,
    });
    return { ...page, items: items.map(({ _id, slotAt, ...send }) => ({ ...send, sendId: _id, at: slotAt })) };
  },
});

const SHOWN = { campaignId: 1, recipientId: 1, stepId: 1, mailboxId: 1, slotAt: 1, state: 1 } as const;

function refuseSpan(from: Date, to: Date): void {
  const days = (to.getTime() - from.getTime()) / DAY_MS;
  if (days > 0 && days <= MOST_DAYS && from.getTime() > 0) return;
  const issue =
    from.getTime() <= 0
      ? { path: "from", code: "TOO_SMALL", message: "must be after 1970" }
      : days > 0
        ? { path: "to", code: "TOO_BIG", message: `must be at most ${MOST_DAYS} days after \`from\`` }
        : { path: "to", code: "TOO_SMALL", message: "must be after `from`" };
  throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues: [issue] });
}
