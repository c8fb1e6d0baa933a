import { createHash } from "node:crypto";
import {
  type Contact,
  type ProspectPerson,
  REVEAL_FIELDS,
  type RevealField,
} from "../../domain/lead-search/prospect.ts";
import { type LeadSearchProvider, LeadSearchTrouble } from "../../domain/lead-search/source.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadKnown, whileKnowing } from "../../store/lead-search/known.ts";
import {
  holdForReveals,
  type Revealed,
  type RevealOrder,
  type Settled,
  settleReveals,
} from "../../store/lead-search/reveal.ts";

/** Another request to the provider about one of these people is running. */
export class Busy extends Error {}

/**
 * Asks a provider for contact data of people and stores it. Credits are reserved first, so that none is spent twice
 * while the provider works, and charged in the transaction that stores the data (rules/lead-search 4.3). `finish` is
 * part of that transaction. @throws Busy, LeadSearchTrouble; the reserved credits then stay with `order.by` until it is
 * repeated or they are released
 */
export async function revealByProvider(
  provider: LeadSearchProvider,
  order: RevealOrder,
  prospectIds: readonly string[],
  finish: (settled: Settled) => Promise<void> = async () => {},
): Promise<Settled> {
  const people = await loadIdentities(provider, order, prospectIds);
  const { toAsk, outcomes } = await whileKnowing(() => holdForReveals(order, people));
  if ([...outcomes.values()].some(({ end }) => end === "BUSY")) throw new Busy();
  const contacts = await contactsOf(provider, order, toAsk);
  const personById = new Map(people.map((person) => [person.id, person]));
  const found = new Map(
    [...contacts].flatMap(([id, contact]): [string, { person: ProspectPerson; contact: Contact }][] => {
      const person = personById.get(id);
      return person === undefined ? [] : [[id, { person, contact }]];
    }),
  );
  return inTransaction(async () => {
    const idsToReveal = prospectIds.filter((id) => !outcomes.has(id));
    const settled = await settleReveals(order, found, idsToReveal);
    const all = { ...settled, outcomes: new Map<string, Revealed>([...outcomes, ...settled.outcomes]) };
    await finish(all);
    return all;
  });
}

/** The names and employers of the prospects, from the workspace's stored data, otherwise from the provider. */
async function loadIdentities(
  provider: LeadSearchProvider,
  { workspaceId }: RevealOrder,
  prospectIds: readonly string[],
): Promise<ProspectPerson[]> {
  const peopleById = await loadKnown(workspaceId, prospectIds);
  const unknown = prospectIds.filter((id) => !peopleById.has(id));
  return [...[...peopleById.values()].map(({ person }) => person), ...(await provider.find(unknown))];
}

/** People with the same requested fields share one request. An answer that omits a person is invalid. */
async function contactsOf(
  provider: LeadSearchProvider,
  { workspaceId }: RevealOrder,
  toAsk: readonly { id: string; fields: RevealField[] }[],
): Promise<Map<string, Contact>> {
  const all = new Map<string, Contact>();
  for (const [, group] of Map.groupBy(toAsk, ({ fields }) => fields.join())) {
    const ids = group.map(({ id }) => id).sort(); // a retry may have them in another order
    const fields = REVEAL_FIELDS.filter((field) => group[0]?.fields.includes(field));
    const found = await provider.reveal(ids, fields, questionKeyOf(workspaceId, ids, fields));
    if (ids.some((id) => !found.has(id))) throw new LeadSearchTrouble("ANSWER_INVALID");
    for (const [id, contact] of found) all.set(id, contact);
  }
  return all;
}

/**
 * The idempotency key. An identical request has an identical key at any time, so a provider should charge for it once.
 */
function questionKeyOf(workspaceId: string, ids: readonly string[], fields: readonly RevealField[]): string {
  return createHash("sha256")
    .update(JSON.stringify([workspaceId, fields, ids]))
    .digest("base64url");
}
