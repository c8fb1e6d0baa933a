import { scoped } from "../../models/scoped.ts";

/**
 * Whether any email has carried a pixel, and whether any has had links that count. If none has, opens or clicks are
 * unknown.
 */
export interface Carried {
  opens: boolean;
  clicks: boolean;
}

/**
 * What emails of these campaigns have carried, whenever they were sent: of each campaign where they are asked for one
 * by one, of all for null.
 */
export async function loadCarried(
  workspaceId: string,
  campaignIds: readonly string[],
  ofEach: boolean,
): Promise<{ of(campaignId: string | null): Carried }> {
  const { Send } = scoped(workspaceId);
  const has = async (ids: readonly string[], field: "opens" | "clicks") =>
    (await Send.read({ campaignId: { $in: [...ids] }, [`tracking.${field}`]: true }, { select: { _id: 1 }, limit: 1 }))
      .length > 0;
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
