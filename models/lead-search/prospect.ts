import type { SearchKeys } from "../../domain/lead-search/filters.ts";
import type { ProspectPerson } from "../../domain/lead-search/prospect.ts";
import { type Base, flag, globalModel, IS_TEXT, mixed, text, texts } from "../../mongo/schema.ts";

/**
 * One person of the deployment's data set, which an operator imports. Only a reveal shows `email` and `phone`.
 * Everything else that shows a prospect leaves them out (rules/lead-search 1.3).
 */
export interface Prospect extends Base, SearchKeys, Omit<ProspectPerson, "id"> {
  email: string | null;
  phone: string | null;
  hasEmail: boolean;
  hasPhone: boolean;
}

/**
 * The fields of which a person has exactly one value. They are part of every index, so that a search by them reads only
 * documents that match.
 */
const BY = { "by.seniority": 1, "by.department": 1, "by.size": 1, "by.industry": 1, "by.country": 1 } as const;
export const PROSPECT_INDEX = { by: "by", facets: "facets" } as const;

export const Prospect = globalModel<Prospect>(
  "Prospect",
  "prospects",
  {
    firstName: text,
    lastName: text,
    fullName: text,
    title: text,
    seniority: text,
    department: text,
    city: text,
    state: text,
    country: text,
    companyName: text,
    companyDomain: text,
    industry: text,
    companySize: text,
    technologies: texts,
    keywords: texts,
    linkedinUrl: text,
    email: text,
    phone: text,
    hasEmail: flag,
    hasPhone: flag,
    isSample: flag,
    by: mixed,
    facets: texts,
  },
  [
    { fields: { ...BY }, name: PROSPECT_INDEX.by },
    { fields: { facets: 1, ...BY }, name: PROSPECT_INDEX.facets },
    // Finds a person who asks for their data or its erasure
    { fields: { email: 1 }, where: { email: IS_TEXT } },
  ],
);
