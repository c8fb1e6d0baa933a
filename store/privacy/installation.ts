import { domainOf } from "../../domain/mail/message.ts";
import { Prospect } from "../../models/lead-search/prospect.ts";
import { scoped } from "../../models/scoped.ts";
import { VerifiedAddress } from "../../models/verification/verified-address.ts";
import { VerifiedDomain } from "../../models/verification/verified-domain.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { keyedAddressHash } from "../address-key.ts";
import type { KeptData } from "./holding.ts";
import type { KnownSubject } from "./person.ts";
import { eraseProspects, isDataSetOwn } from "./prospects.ts";
import { SEARCH_MS } from "./search-time.ts";

/** How the data of a person is found and erased in a collection that all workspaces share. */
export interface SharedHolding {
  what: string;
  source: string;
  personal: readonly string[];
  plain: readonly string[];
  records(person: KnownSubject): Promise<object[]>;
  /** Whether a record is deleted or only changed. */
  deletes: boolean;
  /** Whether a workspace may erase it. Without it: yes. */
  isErasable?(): Promise<boolean>;
  /** Why it is kept where a workspace may not erase it. */
  kept?: KeptData;
  /** Returns how many records it erased. Call it in a transaction. */
  erase(person: KnownSubject): Promise<number>;
}

export type SharedEntry =
  | SharedHolding
  | (({ holdsNobody: string } | { kept: KeptData }) & { plain: readonly string[] });

const ACCOUNTS = {
  what: "accounts",
  why: "people who sign in to this installation, or asked for it: they are not data of a workspace",
};
const COUNTS = "counts and states without people";

/** The collections of the whole installation, by the name of the model. */
export const SHARED = {
  Prospect: {
    what: "prospects of the data set",
    source: "Imported by the operator of the installation",
    personal: [
      "firstName",
      "lastName",
      "fullName",
      "title",
      "seniority",
      "department",
      "city",
      "state",
      "country",
      "companyName",
      "linkedinUrl",
      "email",
      "phone",
    ],
    plain: ["companyDomain", "industry", "companySize", "technologies", "keywords", "by", "facets"],
    deletes: true,
    // Only a reveal shows who a prospect is, and contact data (rules/lead-search 1.3)
    records: async ({ workspaceId, prospectIds }) => {
      const revealed = await scoped(workspaceId).KnownProspect.read({ prospectId: { $in: prospectIds } });
      const ids = revealed.map(({ prospectId }) => prospectId);
      return read(Prospect.collection, { _id: { $in: ids } }, { email: 0, phone: 0, by: 0, facets: 0 });
    },
    // Otherwise a workspace could destroy what others pay for
    isErasable: isDataSetOwn,
    kept: {
      what: "prospects of the data set",
      why: "if several workspaces share the data set, the operator erases the person there with `npm run prospects:erase`",
    },
    erase: async ({ prospectIds, addresses }) => {
      const { deleted, changed } = await eraseProspects(prospectIds, addresses);
      return deleted + changed;
    },
  },
  VerifiedAddress: {
    what: "verified addresses",
    source: "What mail servers said about the address, for all workspaces",
    personal: [],
    plain: ["domain", "enhancedCode"],
    deletes: true,
    records: async (person) => read(VerifiedAddress.collection, hashFilter(await verifiedBy(person)), { _id: 0 }),
    erase: async ({ addresses }) =>
      (await VerifiedAddress.collection.deleteMany(hashFilter(addresses), sessionOption())).deletedCount,
  },
  VerifiedDomain: {
    what: "bounces by domain",
    source: "Keyed hashes of addresses that bounced although their domain had accepted them",
    personal: ["bounced"],
    plain: ["exchange"],
    deletes: false,
    records: async (person) =>
      (await read(VerifiedDomain.collection, bounceFilter(await verifiedBy(person)), { _id: 1 })).map(() => ({
        bounced: true,
      })),
    erase: async ({ addresses }) => {
      const change = { $pull: { bounced: { $in: addresses.map(keyedAddressHash) } } };
      const filter = bounceFilter(addresses);
      return (await VerifiedDomain.collection.updateMany(filter, change as never, sessionOption())).modifiedCount; // ids are texts
    },
  },
  ApiKey: { holdsNobody: "credentials of workspaces", plain: ["name", "scopes", "createdBy", "policy", "lastUsedIp"] },
  MailDomain: { holdsNobody: COUNTS, plain: ["hosts"] },
  ProbedHost: { holdsNobody: COUNTS, plain: [] },
  ProspectCompany: {
    holdsNobody: "companies, derived from many people",
    plain: ["domain", "name", "industry", "size", "location", "facets"],
  },
  ProspectImport: { holdsNobody: COUNTS, plain: ["fileName"] },
  ProspectValue: { holdsNobody: "titles, places and technologies with counts", plain: ["value", "label", "words"] },
  RateCount: {
    kept: { what: "counts of requests", why: "they protect against guessing, and end within a day" },
    plain: ["key"],
  },
  ApiQuota: { holdsNobody: COUNTS, plain: ["spent", "leases", "takenBy"] },
  Restoration: { holdsNobody: COUNTS, plain: [] },
  SigningKey: { holdsNobody: "keys of the deployment", plain: ["purpose", "kid"] },
  WorkLeases: { holdsNobody: "processes of the deployment", plain: ["holders", "parts"] },
  Workspace: {
    kept: { what: "workspace", why: "the address of its owner" },
    plain: [
      "name",
      "ownerEmail",
      "postalAddress",
      "timezone",
      "currency",
      "trackingDomain",
      "portalDomain",
      "portal",
      "deliverability",
      "verification",
      "reportedWeek",
      "plan",
      "suspension",
      "retention",
      "retentionRound",
    ],
  },
  Membership: { kept: ACCOUNTS, plain: [] },
  OAuthRecord: { kept: ACCOUNTS, plain: ["payload", "uid"] },
  PlanLimits: { holdsNobody: COUNTS, plain: ["limits"] },
  AbuseLimits: { holdsNobody: COUNTS, plain: ["conduct", "newcomer"] },
  PurgedWorkspace: { holdsNobody: COUNTS, plain: [] },
  KnownBrowser: { kept: ACCOUNTS, plain: [] },
  Session: { kept: ACCOUNTS, plain: ["ip", "browser", "challenge"] },
  SignInLink: { kept: ACCOUNTS, plain: [] },
  SignUpRequest: { kept: ACCOUNTS, plain: ["email", "workspaceName", "cid"] },
  User: { kept: ACCOUNTS, plain: ["email", "name", "passwordHash", "recoveryCodes", "passkeys"] },
  TrackingName: { holdsNobody: COUNTS, plain: ["expectedCname"] },
  WarmupMail: {
    holdsNobody: "emails between mailboxes of workspaces",
    plain: ["day", "fromAddress", "toAddress", "answers", "opening", "landed", "place", "wish", "engaged", "sentCopy"],
  },
} satisfies Readonly<Record<string, SharedEntry>>;

type Stored = typeof Prospect.collection | typeof VerifiedAddress.collection | typeof VerifiedDomain.collection;

async function read(collection: Stored, filter: object, projection: Record<string, 0 | 1>): Promise<object[]> {
  return collection.find(filter as never, { projection, ...sessionOption() }).toArray(); // ids are texts in every model
}

/** Those of the addresses that the workspace itself has verified. What others have learnt is not shown. */
async function verifiedBy({ workspaceId, addresses }: KnownSubject): Promise<string[]> {
  const results = await scoped(workspaceId).VerificationResult.read(
    { email: { $in: addresses } },
    { maxTimeMs: SEARCH_MS },
  );
  return [...new Set(results.map(({ email }) => email))];
}

function hashFilter(addresses: readonly string[]) {
  return { _id: { $in: addresses.map(keyedAddressHash) } } as never; // as above
}

function bounceFilter(addresses: readonly string[]) {
  return {
    _id: { $in: [...new Set(addresses.map(domainOf))] },
    bounced: { $in: addresses.map(keyedAddressHash) },
  } as never; // as above
}
