import { partPattern } from "../../domain/redaction.ts";
import { readAddress } from "../../domain/values/address.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { dropLead } from "../leads/erase-lead.ts";
import { unblockAddress } from "../suppression/suppress.ts";
import type { Entries } from "./holding.ts";

/** Leads and what workspaces note about them, and the lists of addresses that must get no email. */
export const LEADS_HELD = {
  Note: {
    what: "notes",
    source: "Written by members about the lead",
    personal: ["body"],
    plain: [],
    find: ({ leadIds }) => [{ filter: { leadId: { $in: leadIds } } }],
    change: () => "DELETE",
  },
  Deal: {
    what: "deals",
    source: "Entered by members for the lead",
    personal: ["name", "stage", "amountCents", "currency", "closedAt"],
    plain: [],
    find: ({ leadIds }) => [{ filter: { leadId: { $in: leadIds } } }],
    change: () => "DELETE",
  },
  BlockListEntry: {
    what: "block list entries",
    source: "Entered by members",
    personal: ["value", "reason"],
    plain: ["createdBy"],
    find: ({ addresses }) => [{ filter: { value: { $in: addresses } } }],
    change: () => "DELETE",
    // The address stays suppressed. Without its entry, no one could lift this reason
    also: ({ workspaceId, value }) => unblockAddress(workspaceId, value),
  },
  KnownProspect: {
    what: "known prospects",
    source: "The data set or the provider of the lead search",
    personal: ["person", "email", "phone"],
    plain: ["hold"],
    find: ({ addresses, prospectIds }) => [
      {
        filter: { $or: [{ email: { $in: addresses } }, { prospectId: { $in: prospectIds } }] },
        hint: "workspaceId_1_prospectId_1",
      },
    ],
    // Another prospect with the same address is another person (rules/evidence 4.9)
    change: ({ prospectId }, { prospectIds }) =>
      prospectIds.includes(prospectId) ? "DELETE" : { email: null, emailStatus: "not_revealed" as const },
    show: ({ prospectId, person, email, phone }, { prospectIds }) =>
      prospectIds.includes(prospectId) ? { person, email, phone } : null,
    also: async ({ workspaceId, prospectId, listIds }, { prospectIds }) => {
      if (!prospectIds.includes(prospectId)) return;
      await scoped(workspaceId).SearchList.updateMany({ _id: trusted({ $in: listIds }) }, { $inc: { itemCount: -1 } });
    },
  },
  CrmMember: {
    what: "CRM contacts",
    source: "Read from the connected CRM",
    personal: ["email", "isOptedOut"],
    plain: ["hash"],
    find: ({ addresses }) => [{ filter: { email: { $in: addresses } }, hint: "workspaceId_1_connectionId_1_email_1" }],
    change: () => "DELETE",
  },
  CrmActivity: {
    what: "CRM activities",
    source: "Events that were reported to the connected CRM",
    personal: ["email", "deed", "at"],
    plain: ["error"],
    find: ({ addresses }) => [{ filter: { email: { $in: addresses } }, hint: "workspaceId_1_connectionId_1_dueAt_1" }],
    change: () => "DELETE",
  },
  VerificationResult: {
    what: "verification results",
    source: "Checks of the address, by DNS and its mail server",
    personal: ["email", "result", "evidence"],
    plain: ["exchange", "host"],
    find: ({ addresses, leadIds }) => [
      {
        filter: { $or: [{ email: { $in: addresses } }, { leadId: { $in: leadIds } }] },
        hint: "workspaceId_1_jobId_1_email_1",
      },
    ],
    change: () => "DELETE",
  },
  VerificationBatch: {
    what: "addresses to verify",
    source: "Entered by members for a verification",
    personal: ["emails"],
    plain: [],
    find: ({ addresses }) => [{ filter: { emails: partPattern(addresses) }, hint: "workspaceId_1_jobId_1_number_1" }],
    change: ({ emails }, { isTheirs }) => ({
      emails: emails.filter((written) => !isTheirs(readAddress(written)?.address ?? written.trim())),
    }),
    show: ({ emails }, { isTheirs }) => ({
      emails: emails.filter((written) => isTheirs(readAddress(written)?.address ?? written.trim())),
    }),
  },
  Lead: {
    what: "leads",
    source: "Named in each lead: `source`, and `imports` with time, file and credential",
    personal: [
      "email",
      "secondaryEmails",
      "firstName",
      "lastName",
      "fullName",
      "company",
      "website",
      "jobTitle",
      "phone",
      "city",
      "state",
      "country",
      "timezone",
      "tags",
      "customFields",
      "status",
      "verificationStatus",
      "verification",
      "suppressed",
      "suppressionReason",
      "suppressedAt",
      "source",
      "createdFrom",
      "imports",
      "lastContactedAt",
      "lastRepliedAt",
    ],
    plain: ["emailDomain", "searchWords", "facets"],
    find: ({ addresses, leadIds }) => [
      { filter: { _id: { $in: leadIds } } },
      { filter: { secondaryEmails: { $in: addresses } } },
    ],
    change: (lead, { leadIds, isTheirs }) => {
      if (leadIds.includes(lead._id)) return "DELETE";
      const isOther = (value: string) => !isTheirs(value) && !isTheirs(value.slice(value.lastIndexOf(":") + 1));
      return {
        secondaryEmails: lead.secondaryEmails.filter((address) => !isTheirs(address)),
        searchWords: lead.searchWords.filter(isOther),
        facets: lead.facets.filter(isOther),
      };
    },
    show: (lead, { leadIds }) => {
      if (!leadIds.includes(lead._id)) return null;
      const {
        workspaceId: _w,
        searchWords: _s,
        facets: _f,
        emailDomain: _d,
        createdAt: _c,
        updatedAt: _u,
        ...shown
      } = lead;
      return shown;
    },
    also: async (lead, { leadIds }) => {
      if (leadIds.includes(lead._id)) await dropLead(lead);
    },
  },
} satisfies Partial<
  Entries<
    | "Note"
    | "Deal"
    | "BlockListEntry"
    | "KnownProspect"
    | "CrmMember"
    | "CrmActivity"
    | "VerificationResult"
    | "VerificationBatch"
    | "Lead"
  >
>;
