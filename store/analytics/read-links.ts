import { scoped } from "../../models/scoped.ts";
import { type LinkCount, linksIn, sumsOfLinks } from "./link-clicks.ts";
import { type DaysAsked, planOf, storedDays } from "./read-report.ts";

/**
 * The links of a report, one entry for each address of a step (rules/analytics 4). They come from the same stored or
 * live days as the counts. Call it in a transaction.
 */
export async function readLinks(query: DaysAsked): Promise<LinkCount[]> {
  const { workspaceId } = query;
  const { live, changedIds } = await planOf(query);
  const sums = sumsOfLinks();
  const changed = changedIds.map((id) => ({
    campaignId: id.slice(0, id.indexOf(":")),
    day: Number(id.slice(id.lastIndexOf(":") + 1)),
  }));
  const stored = await scoped(workspaceId).ReportLink.aggregate<
    { _id: Pick<LinkCount, "campaignId" | "stepId" | "url"> } & LinkCount
  >(
    { ...storedDays(query), ...(changed.length > 0 && { $nor: changed }) },
    {
      $group: {
        _id: { campaignId: "$campaignId", stepId: "$stepId", url: "$url" },
        clicks: { $sum: "$clicks" },
        uniqueClicks: { $sum: "$uniqueClicks" },
        conversions: { $sum: "$conversions" },
      },
    },
  );
  for (const { _id, ...counts } of stored) sums.add({ ...counts, ..._id });
  for (const { campaignIds, span } of live)
    for (const link of await linksIn(workspaceId, campaignIds, span)) sums.add(link);
  return sums.all();
}
