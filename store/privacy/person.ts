import { addressWord } from "../../domain/inbox/thread-words.ts";
import { type Redactor, redactorOf } from "../../domain/redaction.ts";
import type { Thread } from "../../models/inbox/thread.ts";
import type { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { erasedRangeOf, isErasedAddress } from "../suppression/guard-id.ts";
import { findProspects, type Named } from "./prospects.ts";
import { SEARCH_MS } from "./search-time.ts";

/**
 * A person whose data is exported or erased. A job stores it encrypted, so that it finds the rest of the data after the
 * lead was deleted.
 */
export interface DataSubject {
  /** In lower case: the address of the request first, then the learnt ones. */
  addresses: string[];
  /** Full names of at least two words. */
  names: string[];
  leadIds: string[];
  prospectIds: string[];
  /** Prospects that only an erasure may find, because the workspace has not revealed them. */
  unseenProspectIds: string[];
  /** Addresses that are known for several leads or prospects, so that they do not show who this person is. */
  sharedAddresses: string[];
}

/** A person with the ids of the documents by which the other data is found. */
export interface KnownSubject extends DataSubject {
  workspaceId: string;
  recipientIds: ReadonlySet<string>;
  campaignIds: string[];
  /** Whether other people take part, by the id of the thread. The person may only be named in a shared one. */
  threads: ReadonlyMap<string, { isShared: boolean }>;
  /** The emails that were sent, or will be sent, to the person. */
  sendIds: ReadonlySet<string>;
  /** The test emails with the data of the person. Members got them. */
  testIds: ReadonlySet<string>;
  /** The approvals of these test emails. */
  approvalIds: string[];
  eventIds: string[];
  mailboxIds: string[];
  redactor: Redactor;
  isTheirs(address: string | null | undefined): boolean;
  isOurs(address: string): boolean;
}

/**
 * Finds a person by an address and the addresses that were learnt for it (rules/evidence 4.1). An address that several
 * leads have is not followed, because it may be an office's: it would lead to another person.
 */
export async function findPerson(workspaceId: string, email: string): Promise<DataSubject> {
  const known = await leadsWith(workspaceId, email);
  // An address that no lead has any more may be the one at which campaigns contacted a lead before
  const found = known.length > 0 ? known : await leadsBefore(workspaceId, email);
  const own = found.filter((lead) => lead.email === email);
  const leads = own.length > 0 ? own : found.length === 1 ? found : [];
  const [addresses, shared] = [new Set([email]), new Set<string>()];
  for (const lead of leads) {
    for (const address of [lead.email, ...lead.secondaryEmails, ...(await earlierAddresses(workspaceId, lead._id))]) {
      if (addresses.has(address)) continue;
      const others = (await leadsWith(workspaceId, address)).filter(({ _id }) => _id !== lead._id);
      (others.length === 0 ? addresses : shared).add(address);
    }
  }
  if (leads.length === 0 && found.length > 0) shared.add(email);
  const prospects = await findProspects(workspaceId, [...addresses], leads);
  // Only a reveal shows who a prospect is
  const names = [...leads, ...prospects.known.map(({ person }) => person)].flatMap(namesOf);
  return {
    addresses: [...addresses],
    names: [...new Set(names)].sort(),
    leadIds: leads.map(({ _id }) => _id).sort(),
    prospectIds: prospects.ids,
    unseenProspectIds: prospects.unseenIds,
    sharedAddresses: [...new Set([...shared, ...prospects.shared])].sort(),
  };
}

/** The leads that have the address, as their own or as one from which they replied. */
async function leadsWith(workspaceId: string, address: string): Promise<Lead[]> {
  const { Lead } = scoped(workspaceId);
  // Two reads, because one with $or over both fields would not use their indexes
  const own = await Lead.find({ email: address });
  const others = await Lead.find({ secondaryEmails: trusted({ $in: [address] }) });
  return [...own, ...others.filter(({ _id }) => !own.some((lead) => lead._id === _id))];
}

/** The leads that campaigns contacted at the address. A retention may have replaced it by its hash. */
async function leadsBefore(workspaceId: string, email: string): Promise<Lead[]> {
  const { Lead, Recipient } = scoped(workspaceId);
  const options = { select: { leadId: 1 as const }, maxTimeMs: SEARCH_MS };
  const recipients = [
    ...(await Recipient.read({ email }, options)),
    ...(await Recipient.read({ email: trusted(erasedRangeOf(workspaceId, email)) }, options)),
  ];
  return Lead.find({ _id: trusted({ $in: recipients.map(({ leadId }) => leadId) }) });
}

/** The addresses at which campaigns contacted the lead. Ended recipients keep the address that a lead had before. */
async function earlierAddresses(workspaceId: string, leadId: string): Promise<string[]> {
  const recipients = await scoped(workspaceId).Recipient.read(
    { leadId },
    { select: { email: 1 }, maxTimeMs: SEARCH_MS },
  );
  return recipients.flatMap(({ email }) => (isErasedAddress(email) ? [] : [email]));
}

function namesOf({ fullName = null, firstName = null, lastName = null }: Named): string[] {
  const first = firstName?.trim() ?? "";
  const last = lastName?.trim() ?? "";
  return [
    fullName?.trim() ?? "",
    `${first} ${last}`.trim(),
    first === "" || last === "" ? "" : `${last}, ${first}`,
  ].filter((name) => /\S\s+\S/.test(name));
}

/** Reads the ids by which the data of a person is found. */
export async function knowPerson(workspaceId: string, person: DataSubject): Promise<KnownSubject> {
  const { ActivityEvent, Mailbox, Recipient, Send } = scoped(workspaceId);
  const { addresses, leadIds } = person;
  const whole = { maxTimeMs: SEARCH_MS };
  const theirs = new Set(addresses);
  const isTheirs = (address: string | null | undefined) =>
    typeof address === "string" && theirs.has(address.toLowerCase());
  const recipients = [
    ...(await Recipient.read({ leadId: { $in: leadIds } }, { select: { campaignId: 1 }, ...whole })),
    ...(await Recipient.read({ email: { $in: addresses } }, { select: { campaignId: 1 }, ...whole })),
  ];
  const recipientIds = new Set(recipients.map(({ _id }) => _id));
  const mailboxes = await Mailbox.read({}, { select: { email: 1 } });
  const mailboxIds = mailboxes.map(({ _id }) => _id);
  const found = await threadsOf(workspaceId, person);
  const threads = new Map(
    found.map(({ _id, leadId, participants }) => {
      const isNamedOnly = !leadIds.includes(leadId ?? "") && !participants.some(({ address }) => isTheirs(address));
      return [_id, { isShared: isNamedOnly || participants.some(({ address }) => !isTheirs(address)) }];
    }),
  );
  const ownThreads = [...threads].flatMap(([id, { isShared }]) => (isShared ? [] : [id]));
  const ids = { select: { _id: 1 as const }, ...whole };
  const sends = [
    ...(await Send.read({ recipientId: { $in: [...recipientIds] } }, ids)),
    ...(await Send.read({ threadId: { $in: ownThreads } }, ids)),
    ...(await Send.read({ mailboxId: { $in: mailboxIds }, to: { $in: addresses } }, ids)),
  ];
  // Test emails belong to no campaign
  const tests = await Send.read(
    { campaignId: null, kind: "TEST", leadId: { $in: leadIds } },
    { select: { approvalId: 1 }, hint: "workspaceId_1_campaignId_1__id_-1", ...whole },
  );
  const events = await ActivityEvent.read({ leadId: { $in: leadIds } }, ids);
  const written = found.flatMap(({ participants }) =>
    participants.flatMap(({ name, address }) =>
      isTheirs(address) && /\S\s+\S/.test(name.trim()) ? [name.trim()] : [],
    ),
  );
  const names = [...new Set([...person.names, ...written])];
  const ours = new Set(mailboxes.map(({ email }) => email));
  return {
    ...person,
    names,
    workspaceId,
    recipientIds,
    campaignIds: [...new Set(recipients.map(({ campaignId }) => campaignId))],
    threads,
    sendIds: new Set([...sends, ...tests].map(({ _id }) => _id)),
    testIds: new Set(tests.map(({ _id }) => _id)),
    approvalIds: tests.flatMap(({ approvalId }) => approvalId ?? []),
    eventIds: events.map(({ _id }) => _id),
    mailboxIds,
    redactor: redactorOf({ addresses, names }),
    isTheirs,
    isOurs: (address) => ours.has(address),
  };
}

/** The threads with the person as the lead or as a participant, and those in which an email contains an address. */
async function threadsOf(workspaceId: string, { leadIds, addresses }: DataSubject): Promise<Thread[]> {
  const { Thread } = scoped(workspaceId);
  const options = { select: { participants: 1 as const, leadId: 1 as const }, maxTimeMs: SEARCH_MS };
  const byLead = await Thread.read({ leadId: { $in: leadIds } }, options);
  const byWord = await Thread.read({ searchWords: { $in: addresses.map(addressWord) } }, options);
  return [...byLead, ...byWord];
}
