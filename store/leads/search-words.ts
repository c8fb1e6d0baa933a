import { foldText } from "../../domain/fold.ts";
import { domainOf } from "../../domain/mail/message.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isErasedAddress } from "../suppression/guard-id.ts";

/** The words by which a search finds a recipient: its own address and domain, and the words of its lead. */
export function wordsOf(email: string, lead: Pick<Lead, "searchWords">): string[] {
  return [...new Set([foldText(email), domainOf(email), ...lead.searchWords])];
}

/** Updates the search words of the leads' recipients. Call it in a transaction. */
export async function renameRecipients(
  workspaceId: string,
  leads: readonly Pick<Lead, "_id" | "searchWords">[],
): Promise<void> {
  if (leads.length === 0) return;
  const { Recipient } = scoped(workspaceId);
  const leadById = new Map(leads.map((lead) => [lead._id, lead]));
  const select = { email: 1, leadId: 1, searchWords: 1 } as const;
  const recipients = await Recipient.find({ leadId: trusted({ $in: [...leadById.keys()] }) }, { select });
  const changed = recipients.flatMap((recipient) => {
    const lead = leadById.get(recipient.leadId);
    const words =
      lead === undefined || isErasedAddress(recipient.email) ? recipient.searchWords : wordsOf(recipient.email, lead);
    return isSame(words, recipient) ? [] : [{ update: recipient._id, set: { searchWords: words } }];
  });
  await Recipient.bulk(changed);
}

function isSame(words: string[], { searchWords = [] }: Partial<Recipient>): boolean {
  return words.length === searchWords.length && words.every((word, index) => word === searchWords[index]);
}
