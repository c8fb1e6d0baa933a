import { byDay } from "../../domain/mailboxes/health-facts.ts";
import { type FoldedHealth, followHealth } from "../../domain/mailboxes/health-fold.ts";
import type { BandThresholds } from "../../domain/mailboxes/judge.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { loadFactDays } from "./facts.ts";

/**
 * What the stored facts of a mailbox would have led to by these thresholds, up to its last review (rules/health 3.3). What a person decided
 * stays decided.
 */
export async function replayHealth(
  { workspaceId, _id: mailboxId, health }: Pick<Mailbox, "workspaceId" | "_id" | "health">,
  thresholds: BandThresholds,
): Promise<FoldedHealth> {
  const [facts, decided] = await Promise.all([
    loadFactDays(workspaceId, mailboxId, new Date(0)),
    scoped(workspaceId).MailboxHealthChange.find({ mailboxId, by: "PERSON" }, { select: { at: 1 } }),
  ]);
  const until = health?.reviewedAt.getTime() ?? Date.now();
  return followHealth(null, { days: byDay(facts), decidedAt: decided.map(({ at }) => at.getTime()), until, thresholds });
}
