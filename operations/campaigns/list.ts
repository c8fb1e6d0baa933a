import { z } from "zod";
import { CAMPAIGN_STATUSES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { commaSeparated, pageFrom, pageOf, paging, search } from "../fields.ts";
import { findNamed } from "../find-named.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { readMetrics } from "./metrics.ts";
import { ListedCampaign } from "./record.ts";
import { sendingStatusesOf } from "./sending-status.ts";

const BY = sorting(
  { createdAt: "_id", updatedAt: "updatedAt", launchedAt: "launchedAt", name: "name", status: "status" },
  "-createdAt",
);
const INCLUDED = ["metrics", "sendingStatus"] as const;

export const list = operation({
  summary: "List campaigns, newest first; search by part of the name",
  scope: "campaigns:read",
  input: z.strictObject({
    ...paging,
    sort: BY.sort,
    status: commaSeparated(CAMPAIGN_STATUSES).optional().describe("Only campaigns in one of these states"),
    include: commaSeparated(INCLUDED)
      .optional()
      .describe("What to add to each campaign: its figures, and why it sends or does not"),
    search: search.optional().describe("Parts of the name, 1 to 100 characters; accents and case are ignored"),
  }),
  output: pageOf(ListedCampaign),
  async run({ workspaceId }, { status, include = [], search: words, sort, ...paging }) {
    const { Campaign } = scoped(workspaceId);
    const filter = {
      ...(status && { status: trusted({ $in: status }) }),
      ...(words !== undefined && { _id: trusted({ $in: await findNamed(Campaign, words, ["name"]) }) }),
    };
    const page = await pageFrom(Campaign, filter, paging, { sort: BY.orderOf(sort) });
    // A part that takes too long is null, and the list does not fail because of it
    const asksMetrics = include.includes("metrics");
    const asksStatus = include.includes("sendingStatus");
    const metrics = asksMetrics ? await readMetrics(page.items) : [];
    const statuses = asksStatus ? await sendingStatusesOf(page.items) : [];
    const items = page.items.map((campaign, index) => {
      const figures = {
        ...(asksMetrics && { metrics: metrics[index] ?? null }),
        ...(asksStatus && { sendingStatus: statuses[index] ?? null }),
      };
      const isPartial = Object.values(figures).includes(null);
      return { ...campaign, ...figures, ...(include.length > 0 && { partial: isPartial }) };
    });
    return { ...page, items };
  },
});
