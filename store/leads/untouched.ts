import { addressWord } from "../../domain/inbox/thread-words.ts";
import type { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { dropLead } from "./erase-lead.ts";
import { leadDigest } from "./lead-digest.ts";
import { lowerMemberCounts } from "./list-members.ts";

interface Imported {
  importId: string;
  /** The list of the import. Being in it is no sign of a person. */
  listId: string | null;
}

/**
 * Deletes those of the leads that the import created and no one touched since, and returns their ids (rules/leads 2.10).
 * Call it in a transaction. A concurrent change of a lead conflicts with its deletion.
 */
export async function removeUntouched(leads: readonly Lead[], imported: Imported): Promise<ReadonlySet<string>> {
  const [first] = leads;
  if (first === undefined) return new Set();
  const { workspaceId } = first;
  const asImported = leads.filter((lead) => isAsImported(lead, imported));
  const related = await findRelated(workspaceId, asImported);
  const untouched = asImported.filter(({ _id }) => !related.has(_id));
  // A suppression that is older than the lead stays on the address guard
  for (const lead of untouched.filter(({ suppressed }) => suppressed)) await dropLead(lead);
  const plain = untouched.filter(({ suppressed }) => !suppressed);
  await scoped(workspaceId).Lead.deleteMany({ _id: trusted({ $in: plain.map(({ _id }) => _id) }) });
  const members = plain.filter(({ listIds }) => listIds.length > 0).length;
  // The list may be deleted by now
  if (members > 0 && imported.listId !== null) await lowerMemberCounts(workspaceId, [imported.listId], members);
  return new Set(untouched.map(({ _id }) => _id));
}

/** Whether the lead itself is as the import created it. A verification of its address does not count. */
function isAsImported(lead: Lead, { importId, listId }: Imported): boolean {
  const [creation, ...later] = lead.imports;
  return (
    creation?.importId === importId &&
    later.length === 0 &&
    creation.digest === leadDigest(lead) &&
    lead.listIds.every((id) => id === listId) &&
    lead.secondaryEmails.length === 0 &&
    // A lead that was imported as suppressed has the status of its suppression
    (lead.suppressed || lead.status === "ACTIVE") &&
    lead.lastContactedAt === null &&
    lead.lastRepliedAt === null &&
    (lead.suppressedAt === null || lead.suppressedAt <= creation.at) &&
    lead.touches === undefined // a note, a deal or an addition to a campaign, even if it was removed again
  );
}

/** The leads that a campaign, a conversation, a note, a deal, a question or an event of their history refers to. */
async function findRelated(workspaceId: string, leads: readonly Lead[]): Promise<ReadonlySet<string>> {
  const { ActivityEvent, Approval, Conversion, Deal, Note, Recipient, ReplyPromise, Thread } = scoped(workspaceId);
  const ids = leads.map(({ _id }) => _id);
  const idByEmail = new Map(leads.map(({ _id, email }) => [email, _id]));
  const idByWord = new Map(leads.map(({ _id, email }) => [addressWord(email), _id]));
  const emails = [...idByEmail.keys()];
  const leadId = trusted({ $in: ids });
  const select = { leadId: 1 } as const;
  const related = new Set<string | null | undefined>();
  for (const rows of [
    await Recipient.find({ leadId }, { select }),
    await ActivityEvent.find({ leadId }, { select }),
    await Note.find({ leadId }, { select }),
    await Deal.find({ leadId }, { select }),
    await Conversion.find({ leadId }, { select }),
    await ReplyPromise.find({ leadId }, { select }),
    await Thread.find({ leadId }, { select }),
  ])
    for (const row of rows) related.add(row.leadId);
  const promised = { proposedLeadId: leadId };
  for (const { proposedLeadId } of await ReplyPromise.find(promised, { select: { proposedLeadId: 1 } }))
    related.add(proposedLeadId);
  // Conversations in which the address takes part are found by its word
  const words = { searchWords: trusted({ $in: [...idByWord.keys()] }) };
  for (const { searchWords } of await Thread.find(words, { select: { searchWords: 1 } }))
    for (const word of searchWords) related.add(idByWord.get(word));
  for (const { addresses } of await Approval.find(
    { addresses: trusted({ $in: emails }) },
    { select: { addresses: 1 } },
  ))
    for (const address of addresses ?? []) related.add(idByEmail.get(address));
  return new Set(ids.filter((id) => related.has(id)));
}
