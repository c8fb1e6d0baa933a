import { z } from "zod";
import { inTransaction } from "../../mongo/transaction.ts";
import { readLinks } from "../../store/analytics/read-links.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, pageOf, paging, skipOf } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { daysAsked, readDays } from "./asked-days.ts";

const { campaignId, stepId } = describedIds;

const count = z.number().int();

const Link = z
  .object({
    url: z.string().describe("The link's address, without `svc`, which differs for each person"),
    campaignId,
    stepId: nullable(stepId).describe("The step whose emails have it"),
    clicks: count.describe("How often people followed it; robots are left out"),
    uniqueClicks: count.describe("People who followed it for the first time"),
    conversions: count.describe("Conversions through it"),
  })
  .meta({ id: "ReportLink", description: "The results of one link in a step's emails" });

const BY = sorting(
  { clicks: "clicks", uniqueClicks: "uniqueClicks", conversions: "conversions", url: "url" },
  "-clicks",
);
export const linksAsked = {
  ...daysAsked,
  campaignId: campaignId.optional().describe("Only of this campaign. By default of all"),
  sort: BY.sort,
};

export const links = operation({
  summary: "Report on links: how often people followed each, and its conversions, the most followed first",
  scope: "analytics:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ ...paging, ...linksAsked }),
  output: pageOf(Link),
  async run({ workspaceId }, { page, pageSize, ...asked }) {
    const skip = skipOf({ page, pageSize });
    const all = await sortedLinks(workspaceId, asked);
    return { items: all.slice(skip, skip + pageSize), total: all.length, page, pageSize };
  },
});

export interface LinksAsked {
  from?: string | undefined;
  to?: string | undefined;
  campaignId?: string | undefined;
  sort: string;
}

/** All links of a report in the requested order, ties by address. */
export function sortedLinks(workspaceId: string, { campaignId, sort, ...days }: LinksAsked) {
  return inTransaction(async () => {
    const asked = await readDays(workspaceId, {
      ...days,
      campaignIds: campaignId === undefined ? undefined : [campaignId],
    });
    const [[field, direction] = ["clicks", -1]] = Object.entries(BY.orderOf(sort));
    const value = (link: Awaited<ReturnType<typeof readLinks>>[number]) =>
      field === "uniqueClicks" || field === "conversions" || field === "url" ? link[field] : link.clicks;
    const tie = (link: { url: string; campaignId: string; stepId: string | null }) =>
      `${link.url} ${link.campaignId} ${link.stepId}`;
    return (await readLinks(asked)).sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      if (a !== b) return (a < b ? -1 : 1) * direction;
      return tie(one) < tie(other) ? -1 : 1;
    });
  });
}
