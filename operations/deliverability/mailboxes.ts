import { z } from "zod";
import { scoreOf } from "../../domain/mailboxes/score.ts";
import { MAILBOX_STATUSES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { firstDayOf, loadSums, noFigures } from "../../store/deliverability/figures.ts";
import { MEASURED_DAYS } from "../../store/deliverability/states.ts";
import { describedIds } from "../described-ids.ts";
import { pageFrom, pageOf, paging } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { bounceRate, complaintRate, days, replyRate, score, sent, sharesOf, spamPlacementRate } from "./shares.ts";

const { mailboxId } = describedIds;

const MailboxFigures = z
  .object({
    mailboxId,
    email: z.string().describe("The mailbox's address"),
    score,
    sent,
    bounceRate,
    complaintRate,
    replyRate,
    spamPlacementRate,
    status: z.enum(MAILBOX_STATUSES).describe("Whether it can send"),
  })
  .meta({ id: "MailboxDeliverability", description: "The deliverability of one mailbox" });

const BY = sorting({ createdAt: "_id", email: "email" }, "-createdAt");

export const mailboxes = operation({
  summary:
    "List the mailboxes with their score and the shares of their campaign emails that bounced, were reported and got a reply",
  scope: "deliverability:read",
  input: z.strictObject({
    ...paging,
    sort: BY.sort,
    mailboxId: mailboxId.optional().describe("Only this mailbox"),
    days,
  }),
  output: pageOf(MailboxFigures),
  async run({ workspaceId }, { page, pageSize, sort, mailboxId, days }) {
    const filter = mailboxId === undefined ? {} : { _id: mailboxId };
    const found = await pageFrom(scoped(workspaceId).Mailbox, filter, { page, pageSize }, { sort: BY.orderOf(sort) });
    const ids = found.items.map(({ _id }) => _id);
    const [asked, measured] = await Promise.all([
      loadSums(workspaceId, "MAILBOX", firstDayOf(days), ids),
      loadSums(workspaceId, "MAILBOX", firstDayOf(MEASURED_DAYS), ids),
    ]);
    const items = found.items.map(({ _id, email, status }) => ({
      mailboxId: _id,
      email,
      score: scoreOf(measured.get(_id) ?? noFigures(), measured.get(_id)),
      ...sharesOf(asked.get(_id) ?? noFigures()),
      status,
    }));
    return { ...found, items };
  },
});
