import type { Settings } from "../../domain/campaigns/settings.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { type Filter, trusted } from "../../mongo/collection.ts";

/**
 * The mailboxes that a campaign's settings select by id or by tag (rules/campaigns 1.3: a union), without disconnected
 * ones.
 */
export async function loadCampaignMailboxes(
  workspaceId: string,
  { mailboxIds, mailboxTags }: Settings,
): Promise<Mailbox[]> {
  const named: Filter<Mailbox>[] = [
    ...(mailboxIds.length > 0 ? [{ _id: trusted({ $in: mailboxIds }) }] : []),
    ...(mailboxTags.length > 0 ? [{ tags: trusted({ $in: mailboxTags }) }] : []),
  ];
  if (named.length === 0) return [];
  return scoped(workspaceId).Mailbox.find(
    { $or: named, status: trusted({ $ne: "DISCONNECTED" }) },
    { sort: { _id: 1 } },
  );
}
