import type { LeadSource } from "../../domain/lead-source.ts";
import {
  LEAD_STATUSES,
  type LeadStatus,
  REVEAL_STATUSES,
  type RevealStatus,
  SUPPRESSION_REASONS,
  type SuppressionReason,
  VERIFICATION_STATUSES,
  type VerificationStatus,
} from "../../domain/states.ts";
import type { VerificationEvidence } from "../../domain/verification.ts";
import {
  flag,
  IS_TEXT,
  instant,
  mixed,
  type Owned,
  oneOf,
  required,
  tenantModel,
  text,
  texts,
} from "../../mongo/schema.ts";

/** One import that created or changed a lead. */
interface LeadImport {
  at: Date;
  source: string;
  fileName: string | null;
  actor: string;
  created: boolean;
  /** The import that created the lead, if it can be undone. Absent in leads of earlier versions. */
  importId?: string;
  /** The digest of what the import wrote, by which a later change is noticed. Present with `importId`. */
  digest?: string;
}

export interface Lead extends Owned {
  email: string;
  emailDomain: string;
  secondaryEmails: string[];
  firstName: string | null;
  lastName: string | null;
  fullName: string | null;
  company: string | null;
  website: string | null;
  jobTitle: string | null;
  phone: string | null;
  city: string | null;
  state: string | null;
  country: string | null;
  timezone: string | null;
  tags: string[];
  /** The ids of the STATIC lists that contain the lead. The id of a deleted list may remain for a while. */
  listIds: string[];
  customFields: Record<string, unknown>;
  status: LeadStatus;
  verificationStatus: VerificationStatus;
  verifiedAt: Date | null;
  /** The evidence for the verification status. Absent in leads of earlier versions. */
  verification: VerificationEvidence | null;
  emailStatus: RevealStatus;
  phoneStatus: RevealStatus;
  suppressed: boolean;
  suppressionReason: SuppressionReason | null;
  suppressedAt: Date | null;
  emailProvider: "PROVIDERA" | "PROVIDERB" | "OTHER" | "UNKNOWN";
  source: string | null;
  /** Absent in leads of earlier versions: their source is unknown. */
  createdFrom: LeadSource | null;
  lastContactedAt: Date | null;
  lastRepliedAt: Date | null;
  /**
   * The last imports that created or changed the lead. They are stored here because one event document per lead would
   * make an import twice as expensive.
   */
  imports: LeadImport[];
  /** The lower-case words that a search matches by prefix: address, domain, and the words of name and company. */
  searchWords: string[];
  /**
   * Texts and custom fields in the form in which segments compare them (`facetOf`). One index over this array serves
   * every field.
   */
  facets: string[];
}

/** The index for each filter of the list. Each index sorts newest first, except the search index. */
export const LEAD_INDEX = {
  newest: "workspaceId_1__id_-1",
  email: "workspaceId_1_email_1",
  status: "workspaceId_1_status_1__id_-1",
  verificationStatus: "workspaceId_1_verificationStatus_1__id_-1",
  domain: "workspaceId_1_emailDomain_1__id_-1",
  tags: "workspaceId_1_tags_1__id_-1",
  listId: "workspaceId_1_listIds_1__id_-1",
  suppressed: "workspaceId_1_suppressed_1__id_-1",
  unsuppressed: "workspaceId_1_unsuppressed__id_-1",
  search: "workspaceId_1_searchWords_1",
} as const;

export const Lead = tenantModel<Lead>(
  "Lead",
  "leads",
  {
    email: required,
    emailDomain: required,
    secondaryEmails: texts,
    firstName: text,
    lastName: text,
    fullName: text,
    company: text,
    website: text,
    jobTitle: text,
    phone: text,
    city: text,
    state: text,
    country: text,
    timezone: text,
    tags: texts,
    listIds: texts,
    customFields: { type: Object, required: true, default: {} },
    status: oneOf(LEAD_STATUSES, "ACTIVE"),
    verificationStatus: oneOf(VERIFICATION_STATUSES, "UNVERIFIED"),
    verifiedAt: instant,
    verification: mixed,
    emailStatus: oneOf(REVEAL_STATUSES, "revealed"),
    phoneStatus: oneOf(REVEAL_STATUSES, "not_revealed"),
    suppressed: flag,
    suppressionReason: oneOf(SUPPRESSION_REASONS),
    suppressedAt: instant,
    emailProvider: oneOf(["PROVIDERA", "PROVIDERB", "OTHER", "UNKNOWN"], "UNKNOWN"),
    source: text,
    createdFrom: mixed,
    lastContactedAt: instant,
    lastRepliedAt: instant,
    imports: { type: [Object], required: true, default: [] },
    searchWords: texts,
    facets: texts,
  },
  [
    { fields: { workspaceId: 1, email: 1 }, unique: true },
    { fields: { workspaceId: 1, _id: -1 } },
    { fields: { workspaceId: 1, status: 1, _id: -1 } },
    { fields: { workspaceId: 1, verificationStatus: 1, _id: -1 } },
    { fields: { workspaceId: 1, emailDomain: 1, _id: -1 } },
    { fields: { workspaceId: 1, tags: 1, _id: -1 } },
    { fields: { workspaceId: 1, listIds: 1, _id: -1 } },
    { fields: { workspaceId: 1, suppressed: 1, _id: -1 }, where: { suppressed: true } },
    { fields: { workspaceId: 1, suppressed: 1, _id: -1 }, name: LEAD_INDEX.unsuppressed, where: { suppressed: false } },
    { fields: { workspaceId: 1, searchWords: 1 } },
    { fields: { workspaceId: 1, facets: 1 } },
    { fields: { workspaceId: 1, secondaryEmails: 1 }, where: { secondaryEmails: IS_TEXT } },
  ],
);
