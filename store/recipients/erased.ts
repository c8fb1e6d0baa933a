import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { erasedAddressOf, isErasedAddress, ownErasedAddressOf } from "../suppression/guard-id.ts";

/**
 * Those of these addresses that a campaign has contacted already, or has held out, although the recipient was emptied
 * or its lead was deleted. They must not get the campaign again. At most 1,000.
 */
export async function findErased(
  workspaceId: string,
  campaignId: string,
  emails: readonly string[],
): Promise<Set<string>> {
  const byErased = new Map(emails.map((email) => [erasedAddressOf(workspaceId, email), email]));
  const found = await scoped(workspaceId).Recipient.find(
    { campaignId, email: trusted({ $in: [...byErased.keys()] }) },
    { select: { email: 1, sentCount: 1, stopReason: 1 } },
  );
  return new Set(found.flatMap((one) => (mayJoinAgain(one) ? [] : (byErased.get(one.email) ?? []))));
}

/**
 * The values that replace what these recipients say about people, by the id of the recipient. Call it in the
 * transaction that writes them.
 */
export async function eraseNames(workspaceId: string, recipients: readonly Recipient[]) {
  const taken = await scoped(workspaceId).Recipient.find(
    {
      campaignId: trusted({ $in: [...new Set(recipients.map(({ campaignId }) => campaignId))] }),
      email: trusted({ $in: recipients.map(({ email }) => erasedAddressOf(workspaceId, email)) }),
    },
    { select: { campaignId: 1, email: 1 } },
  );
  const isTaken = new Set(taken.map(keyOf));
  return new Map(
    recipients.map((recipient) => {
      const { _id, campaignId, email } = recipient;
      const erased = erasedAddressOf(workspaceId, email);
      const isOwn = mayJoinAgain(recipient) || isTaken.has(keyOf({ campaignId, email: erased }));
      const replacement = isErasedAddress(email) ? email : isOwn ? ownErasedAddressOf(workspaceId, email, _id) : erased;
      return [_id, namelessRecipient(recipient, replacement)];
    }),
  );
}

function keyOf({ campaignId, email }: Pick<Recipient, "campaignId" | "email">): string {
  return `${campaignId} ${email}`;
}

/** Whether the address may join the campaign again, because it got no email and is in no hold-out group. */
function mayJoinAgain({ sentCount, stopReason }: Pick<Recipient, "sentCount" | "stopReason">): boolean {
  return sentCount === 0 && stopReason !== "HOLD_OUT";
}

function namelessRecipient({ bounce }: Recipient, email: string) {
  return {
    email,
    addressHash: null,
    companyDomain: null,
    timezone: null,
    outcomeNotes: null,
    thread: null,
    searchWords: [],
    bounce: bounce && { ...bounce, diagnostic: null },
  };
}
