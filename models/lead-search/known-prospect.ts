import type { ProspectPerson, RevealField } from "../../domain/lead-search/prospect.ts";
import { REVEAL_STATUSES, type RevealStatus } from "../../domain/states.ts";
import { IS_INSTANT, mixed, type Owned, oneOf, required, tenantModel, text, texts } from "../../mongo/schema.ts";

/**
 * A reveal in progress: who asked, for which fields, and until when no one else may reveal them. One credit per field
 * is reserved.
 */
interface RevealHold {
  by: string;
  fields: RevealField[];
  until: Date;
}

/** A prospect that a workspace has added to a list or revealed, with the values of that time. */
export interface KnownProspect extends Owned {
  prospectId: string;
  person: ProspectPerson;
  listIds: string[];
  /** Values that were revealed. */
  email: string | null;
  phone: string | null;
  emailStatus: RevealStatus;
  phoneStatus: RevealStatus;
  hold: RevealHold | null;
  /** The last jobs that revealed, or tried to reveal, the contact data of this person. */
  jobIds: string[];
}

export const KNOWN_INDEX = {
  list: "workspaceId_1_listIds_1__id_-1",
  email: "workspaceId_1_listIds_1_emailStatus_1__id_-1",
  phone: "workspaceId_1_listIds_1_phoneStatus_1__id_-1",
  job: "workspaceId_1_jobIds_1__id_-1",
} as const;

export const KnownProspect = tenantModel<KnownProspect>(
  "KnownProspect",
  "known_prospects",
  {
    prospectId: required,
    person: mixed,
    listIds: texts,
    email: text,
    phone: text,
    emailStatus: oneOf(REVEAL_STATUSES, "not_revealed"),
    phoneStatus: oneOf(REVEAL_STATUSES, "not_revealed"),
    hold: mixed,
    jobIds: texts,
  },
  [
    { fields: { workspaceId: 1, prospectId: 1 }, unique: true },
    { fields: { workspaceId: 1, listIds: 1, _id: -1 } },
    { fields: { workspaceId: 1, listIds: 1, emailStatus: 1, _id: -1 } },
    { fields: { workspaceId: 1, listIds: 1, phoneStatus: 1, _id: -1 } },
    { fields: { workspaceId: 1, jobIds: 1, _id: -1 } },
    { fields: { workspaceId: 1, "hold.until": 1 }, where: { "hold.until": IS_INSTANT } },
  ],
);
