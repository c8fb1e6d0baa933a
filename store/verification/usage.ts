import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/** How many addresses a workspace had checked on each day, the days without any left out. */
export async function loadUsage(workspaceId: string, from: string, to: string): Promise<{ date: string; count: number }[]> {
  const days = await scoped(workspaceId).VerificationDay.find({ day: trusted({ $gte: from, $lte: to }) }, { sort: { day: 1 } });
  return days.map(({ day: date, count }) => ({ date, count }));
}
