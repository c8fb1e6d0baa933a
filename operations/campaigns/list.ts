import { z } from "zod";
import { CAMPAIGN_STATUSES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { commaSeparated, pageFrom, pageOf, paging, search } from "../fields.ts";
import { findNamed } from "../find-named.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { metricsOfAll } from "./metrics.ts";
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
    const metrics = include.includes("metrics") ? await metricsOfAll(page.items) : [];
    const statuses = include.includes("sendingStatus") ? await sendingStatusesOf(page.items) : [];
    const items = page.items.map((campaign, index) => ({
      ...campaign,
      metrics: metrics[index],
      sendingStatus: statuses[index],
    }));
    return { ...page, items };
  },
});
