import { SENT_STATES } from "../../domain/campaigns/counts.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/**
 * Whether any sent email contained a tracking pixel, and whether any contained tracked links. If none did, the opens or
 * clicks are unknown (rules/campaigns 6.5).
 */
export interface Carried {
  opens: boolean;
  clicks: boolean;
}

/**
 * What the sent emails of these campaigns contained, whenever they were sent. With `ofEach`, `of` answers for each
 * campaign; `of(null)` answers for all campaigns together.
 */
export async function loadCarried(
  workspaceId: string,
  campaignIds: readonly string[],
  ofEach: boolean,
): Promise<{ of(campaignId: string | null): Carried }> {
  const { Send } = scoped(workspaceId);
  const has = async (ids: readonly string[], field: "opens" | "clicks") => {
    const sent = {
      campaignId: { $in: [...ids] },
      [`tracking.${field}`]: true,
      state: trusted({ $in: [...SENT_STATES] }),
    };
    return (await Send.read(sent, { select: { _id: 1 }, limit: 1 })).length > 0;
  };
  const carriedBy = async (ids: readonly string[]): Promise<Carried> => ({
    opens: await has(ids, "opens"),
    clicks: await has(ids, "clicks"),
  });
  const carriedOf = new Map<string, Carried>();
  if (ofEach) for (const id of campaignIds) carriedOf.set(id, await carriedBy([id]));
  const all = ofEach
    ? {
        opens: [...carriedOf.values()].some(({ opens }) => opens),
        clicks: [...carriedOf.values()].some(({ clicks }) => clicks),
      }
    : await carriedBy(campaignIds);
  return { of: (campaignId) => (campaignId === null ? all : (carriedOf.get(campaignId) ?? all)) };
}
