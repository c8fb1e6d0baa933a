import type { Posting } from "../../domain/credits.ts";
import {
  type Contact,
  type ProspectPerson,
  REVEAL_FIELDS,
  type RevealField,
  VALUE_OF,
} from "../../domain/lead-search/prospect.ts";
import { SECOND_MS } from "../../domain/time/durations.ts";
import type { KnownProspect } from "../../models/lead-search/known-prospect.ts";
import { scoped } from "../../models/scoped.ts";
import { OpenCredits } from "../credits.ts";
import { loadKnown, rememberPeople } from "./known.ts";

/** Which fields are revealed, for whom, and at what cost in credits. */
export interface RevealOrder {
  workspaceId: string;
  fields: readonly RevealField[];
  actor: string;
  creditsPerMonth: number;
  /** The id of the job or request that reveals. When it is repeated, it still owns the credits that it reserved. */
  by: string;
  isJob: boolean;
  /** The maximum number of credits to spend; null: no limit besides the balance. */
  mostCredits: number | null;
}

export type RevealEnd =
  | "REVEALED"
  | "ALREADY_REVEALED"
  | "NOT_FOUND"
  | "CREDITS_EXHAUSTED"
  | "MAX_CREDITS"
  | "PROSPECT_NOT_FOUND"
  | "BUSY";

export interface Revealed {
  end: RevealEnd;
  charged: { email: boolean; phone: boolean };
}

export interface Settled {
  outcomes: Map<string, Revealed>;
  creditsUsed: number;
  creditsRemaining: number;
}

/**
 * For how many milliseconds no other request asks a provider about the same person. Longer than one attempt may take.
 */
const HOLD_MS = 120 * SECOND_MS;
const MOST_JOBS = 20;

/**
 * Stores the values that were found about people, and spends a credit for each value that is new to the workspace. Both
 * happen in one transaction, so a value is never shown unpaid or paid twice (rules/lead-search 4.2). For each person,
 * either all found values are stored or none. Call it in a transaction of `whileKnowing`.
 */
export async function settleReveals(
  order: RevealOrder,
  found: ReadonlyMap<string, { person: ProspectPerson; contact: Contact }>,
  prospectIds: readonly string[],
  now = new Date(),
): Promise<Settled> {
  const { workspaceId, fields } = order;
  const credits = await OpenCredits.open(workspaceId, now, order.creditsPerMonth);
  const peopleById = await rememberPeople(
    workspaceId,
    [...found.values()].map(({ person }) => person),
  );
  for (const [id, one] of await loadKnown(workspaceId, prospectIds)) peopleById.set(id, one);
  const paidKeys = await findPaidKeys(workspaceId, prospectIds);
  const outcomes = new Map<string, Revealed>();
  let creditsUsed = 0;
  for (const id of new Set(prospectIds)) {
    const one = peopleById.get(id);
    const contact = found.get(id)?.contact ?? null;
    // A value that was not found earlier may be in the data set by now
    const isOpen = (field: RevealField) =>
      one?.[VALUE_OF[field].status] === "not_revealed" ||
      (one?.[VALUE_OF[field].status] === "not_found" && isValue(contact, field));
    const open = fields.filter(isOpen);
    if (one === undefined || (contact === null && open.length > 0)) {
      outcomes.set(id, notCharged("PROSPECT_NOT_FOUND"));
      continue;
    }
    const isHeld = one.hold?.by === order.by;
    if (isHeld) credits.hold(-(one.hold?.fields.length ?? 0));
    const valued = open.filter((field) => isValue(contact, field));
    const unpaid = valued.filter((field) => !paidKeys.has(keyOf(id, field)));
    const left = order.mostCredits === null ? Number.POSITIVE_INFINITY : order.mostCredits - creditsUsed;
    const isTooMuch = unpaid.length > Math.min(left, credits.available);
    const [shown, toPay] = isTooMuch ? [[], []] : [valued, unpaid];
    for (const field of toPay) credits.spend(postingOf(order, id, field));
    creditsUsed += toPay.length;
    const absent = open.filter((field) => valueIn(contact, field) === null);
    await storeReveal(order, one, { shown, absent, contact, isHeld });
    const charged = { email: toPay.includes("EMAIL"), phone: toPay.includes("PHONE") };
    outcomes.set(id, { end: isTooMuch ? whyTooMuch(unpaid.length, left) : endOf(one, fields, open, shown), charged });
  }
  await credits.close();
  return { outcomes, creditsUsed, creditsRemaining: credits.available };
}

/**
 * Reserves a credit for each field that a provider is about to be asked for, so that it cannot be spent meanwhile.
 * Returns the people to ask about, and the outcomes of all others. Call it in a transaction.
 */
export async function holdForReveals(
  order: RevealOrder,
  people: readonly ProspectPerson[],
  now = new Date(),
): Promise<{ toAsk: { id: string; fields: RevealField[] }[]; outcomes: Map<string, Revealed> }> {
  const credits = await OpenCredits.open(order.workspaceId, now, order.creditsPerMonth);
  const peopleById = await rememberPeople(order.workspaceId, people);
  const paidKeys = await findPaidKeys(
    order.workspaceId,
    people.map(({ id }) => id),
  );
  const toAsk: { id: string; fields: RevealField[] }[] = [];
  const outcomes = new Map<string, Revealed>();
  let left = order.mostCredits ?? Number.POSITIVE_INFINITY;
  let isSwept = false;
  for (const { id } of people) {
    const one = peopleById.get(id);
    if (one === undefined) continue;
    const fields = order.fields.filter((field) => one[VALUE_OF[field].status] === "not_revealed");
    if (fields.length === 0) outcomes.set(id, { ...notCharged(endOf(one, order.fields, [], [])) });
    else if (one.hold !== null && one.hold.by !== order.by && one.hold.until > now)
      outcomes.set(id, notCharged("BUSY"));
    else {
      // The order's own reservation, or an expired one, is taken over with its credits
      credits.hold(-(one.hold?.fields.length ?? 0));
      const toReserve = fields.filter((field) => !paidKeys.has(keyOf(id, field)));
      if (toReserve.length > credits.available && !isSwept) {
        isSwept = true;
        await releaseEnded(credits, now, id);
      }
      const isTooMuch = toReserve.length > Math.min(left, credits.available);
      if (isTooMuch) outcomes.set(id, notCharged(whyTooMuch(toReserve.length, left)));
      else {
        credits.hold(toReserve.length);
        left -= toReserve.length;
        toAsk.push({ id, fields });
      }
      const hold = isTooMuch ? null : { by: order.by, fields: toReserve, until: new Date(now.getTime() + HOLD_MS) };
      await scoped(order.workspaceId).KnownProspect.wrote({ _id: one._id }, { $set: { hold, updatedAt: now } });
    }
  }
  await credits.close();
  return { toAsk, outcomes };
}

/**
 * Releases the credits that were reserved for these people when the provider gave no answer. Call it in a transaction.
 */
export async function releaseHolds(
  order: RevealOrder,
  prospectIds: readonly string[],
  now = new Date(),
): Promise<void> {
  const { KnownProspect } = scoped(order.workspaceId);
  const credits = await OpenCredits.open(order.workspaceId, now, order.creditsPerMonth);
  const people = await KnownProspect.read({ prospectId: { $in: [...prospectIds] }, "hold.by": order.by });
  for (const { _id, hold } of people) {
    credits.hold(-(hold?.fields.length ?? 0));
    await KnownProspect.wrote({ _id }, { $set: { hold: null, updatedAt: now } });
  }
  await credits.close();
}

/** Releases credits that were reserved by a reveal that never ended. */
async function releaseEnded(credits: OpenCredits, now: Date, exceptId: string): Promise<void> {
  const { KnownProspect } = scoped(credits.workspaceId);
  const ended = await KnownProspect.read({
    "hold.until": { $gt: new Date(0), $lte: now },
    prospectId: { $ne: exceptId },
  });
  for (const { _id, hold } of ended) {
    credits.hold(-(hold?.fields.length ?? 0));
    await KnownProspect.wrote({ _id }, { $set: { hold: null, updatedAt: now } });
  }
}

async function storeReveal(
  { workspaceId, by, isJob }: RevealOrder,
  one: KnownProspect,
  {
    shown,
    absent,
    contact,
    isHeld,
  }: { shown: RevealField[]; absent: RevealField[]; contact: Contact | null; isHeld: boolean },
): Promise<void> {
  const $set: Record<string, unknown> = { updatedAt: new Date(), ...(isHeld && { hold: null }) };
  for (const field of shown) {
    $set[VALUE_OF[field].value] = valueIn(contact, field);
    $set[VALUE_OF[field].status] = "revealed";
  }
  for (const field of absent) $set[VALUE_OF[field].status] = "not_found";
  const jobs = isJob && !one.jobIds.includes(by) ? { $push: { jobIds: { $each: [by], $slice: -MOST_JOBS } } } : {};
  await scoped(workspaceId).KnownProspect.wrote({ _id: one._id }, { $set, ...jobs });
}

function postingOf({ actor, by }: RevealOrder, prospectId: string, field: RevealField): Posting {
  return {
    kind: "REVEAL",
    amount: -1,
    key: keyOf(prospectId, field),
    subjectId: prospectId,
    detail: field,
    reason: by,
    actor,
  };
}

function keyOf(prospectId: string, field: RevealField): string {
  return `reveal:${prospectId}:${field}`;
}

/**
 * The ledger's keys of the values that the workspace has paid for. A value that a retention or an erasure deleted costs
 * nothing when it is revealed again (rules/lead-search 4.2).
 */
async function findPaidKeys(workspaceId: string, prospectIds: readonly string[]): Promise<Set<string>> {
  const keys = prospectIds.flatMap((id) => REVEAL_FIELDS.map((field) => keyOf(id, field)));
  const entries = await scoped(workspaceId).CreditEntry.read({ key: { $in: keys } }, { select: { key: 1 } });
  return new Set(entries.map(({ key }) => key));
}

function endOf(
  one: KnownProspect,
  fields: readonly RevealField[],
  open: readonly RevealField[],
  shown: readonly RevealField[],
): RevealEnd {
  if (shown.length > 0) return "REVEALED";
  if (open.length < fields.length && fields.some((field) => one[VALUE_OF[field].status] === "revealed"))
    return "ALREADY_REVEALED";
  return "NOT_FOUND";
}

function whyTooMuch(wantedCredits: number, left: number): RevealEnd {
  return wantedCredits > left ? "MAX_CREDITS" : "CREDITS_EXHAUSTED";
}

function valueIn(contact: Contact | null, field: RevealField): string | null | undefined {
  return contact?.[VALUE_OF[field].value];
}

function isValue(contact: Contact | null, field: RevealField): boolean {
  return typeof valueIn(contact, field) === "string";
}

function notCharged(end: RevealEnd): Revealed {
  return { end, charged: { email: false, phone: false } };
}
