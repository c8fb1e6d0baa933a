import type { CountCell } from "../../domain/analytics/cells.ts";
import type { GroupBy } from "../../domain/analytics/groups.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/** The names of a report's groups, and the positions of steps and variants. */
export interface Places {
  nameOf(key: string | null): string | null;
  placeOf(key: string | null): number;
}

interface Named {
  _id: string;
  name: string;
}

/** Loads the names of the groups of these cells. A group whose record was removed has no name and sorts last. */
export async function loadPlaces(
  workspaceId: string,
  groupBy: GroupBy,
  cells: readonly CountCell[],
  campaigns: readonly Named[],
): Promise<Places> {
  const { Mailbox, Sequence } = scoped(workspaceId);
  const names = new Map<string, string>();
  const places = new Map<string, number>();
  const idsOf = (field: "mailboxId" | "campaignId") => [...new Set(cells.flatMap((cell) => cell[field] ?? []))];
  if (groupBy === "CAMPAIGN") for (const { _id, name } of campaigns) names.set(_id, name);
  if (groupBy === "MAILBOX")
    for (const { _id, email } of await Mailbox.find(
      { _id: trusted({ $in: idsOf("mailboxId") }) },
      { select: { email: 1 } },
    ))
      names.set(_id, email);
  if (groupBy === "STEP" || groupBy === "VARIANT") {
    const sequences = await Sequence.find(
      { campaignId: trusted({ $in: idsOf("campaignId") }) },
      { select: { steps: 1 } },
    );
    for (const { stepId, order, variants } of sequences.flatMap(({ steps }) => steps)) {
      if (groupBy === "STEP") names.set(stepId, `Step ${order}`);
      places.set(stepId, order);
      for (const [index, { variantId, label }] of variants.entries()) {
        if (groupBy === "VARIANT") names.set(variantId, label);
        places.set(variantId, order + index / (variants.length + 1));
      }
    }
  }
  return {
    nameOf: (key) => (key === null ? null : (names.get(key) ?? null)),
    placeOf: (key) => (key === null ? Number.POSITIVE_INFINITY : (places.get(key) ?? Number.MAX_SAFE_INTEGER)),
  };
}
