import { COUNTED_CLASSES, type MailTracking } from "../../domain/hits.ts";
import { withoutCid } from "../../domain/templates/link-target.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import type { TimeSpan } from "../campaigns/facts.ts";
import { conversionsIn } from "./outcomes.ts";

/** Clicks on an address in emails of a step, and conversions that resulted from them. */
export interface LinkCount {
  campaignId: string;
  stepId: string | null;
  url: string;
  clicks: number;
  uniqueClicks: number;
  conversions: number;
}

const AT_ONCE = 1_000;

/**
 * The counted clicks of a time span, by address (rules/analytics 4). The addresses are without `svc`, which differs for
 * each person. A person's first click on an address counts as unique.
 */
export async function linksIn(
  workspaceId: string,
  campaignIds: readonly string[],
  span: TimeSpan,
): Promise<LinkCount[]> {
  if (campaignIds.length === 0) return [];
  const wanted = new Set(campaignIds);
  const { Hit, Send } = scoped(workspaceId);
  const sums = sumsOfLinks();
  // Hits do not contain the campaign. For campaigns without tracked links, this avoids a search of all campaigns' hits.
  // An email of unknown outcome may have been clicked
  const withLinks = { campaignId: { $in: [...campaignIds] }, "tracking.clicks": true };
  const [tracked] = await Send.read(withLinks, { select: { _id: 1 }, limit: 1 });
  const hits =
    tracked === undefined
      ? []
      : await Hit.aggregate<{ sendId: string; linkIndex: number | null }>(
          { at: { $gte: span.from, $lt: span.to }, kind: "CLICK", hitClass: { $in: [...COUNTED_CLASSES] } },
          { $project: { sendId: 1, linkIndex: 1 } },
        );
  const bySend = Map.groupBy(hits, ({ sendId }) => sendId);
  const ids = [...bySend.keys()];
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = { _id: trusted({ $in: ids.slice(from, from + AT_ONCE) }) };
    const mails: Pick<Send, "_id" | "campaignId" | "stepId" | "tracking">[] = await Send.find(some, {
      select: { campaignId: 1, stepId: 1, tracking: 1 },
    });
    for (const { _id, campaignId, stepId, tracking } of mails) {
      if (campaignId === null || !wanted.has(campaignId) || !tracking?.clicks) continue;
      const clicked = Map.groupBy(bySend.get(_id) ?? [], ({ linkIndex }) => urlAt(tracking, linkIndex));
      for (const [url, own] of clicked) {
        if (url === null) continue;
        const first = firstClick(tracking, url);
        const isFirst = first !== null && first >= span.from && first < span.to;
        sums.add({ campaignId, stepId, url, clicks: own.length, uniqueClicks: isFirst ? 1 : 0, conversions: 0 });
      }
    }
  }
  for (const { campaignId, stepId, url } of await conversionsIn({
    workspaceId,
    campaignId: { $in: [...campaignIds] },
    span,
  }))
    if (url !== null)
      sums.add({ campaignId, stepId, url: withoutCid(url), clicks: 0, uniqueClicks: 0, conversions: 1 });
  return sums.all();
}

/** Adds up counts per campaign, step and address. */
export function sumsOfLinks(): { add(count: LinkCount): void; all(): LinkCount[] } {
  const sums = new Map<string, LinkCount>();
  return {
    add({ campaignId, stepId, url, clicks, uniqueClicks, conversions }) {
      const key = JSON.stringify([campaignId, stepId, url]);
      const sum = sums.get(key) ?? { campaignId, stepId, url, clicks: 0, uniqueClicks: 0, conversions: 0 };
      sums.set(key, sum);
      sum.clicks += clicks;
      sum.uniqueClicks += uniqueClicks;
      sum.conversions += conversions;
    },
    all: () => [...sums.values()],
  };
}

function urlAt({ links }: MailTracking, index: number | null): string | null {
  const link = index === null ? undefined : links[index];
  return link === undefined ? null : withoutCid(link.url);
}

/** When the recipient first clicked any link of the email that leads to this address. */
function firstClick({ links }: MailTracking, url: string): Date | null {
  const own = links.flatMap((link) =>
    link.clickedAt !== undefined && withoutCid(link.url) === url ? [link.clickedAt] : [],
  );
  return own.reduce<Date | null>((first, at) => (first === null || at < first ? at : first), null);
}
