import type { RevealStatus } from "../states.ts";

export const REVEAL_FIELDS = ["EMAIL", "PHONE"] as const;
export type RevealField = (typeof REVEAL_FIELDS)[number];

/** A person in a search result, without contact data. */
export interface ProspectPerson {
  id: string;
  firstName: string | null;
  lastName: string | null;
  fullName: string | null;
  title: string | null;
  seniority: string | null;
  department: string | null;
  city: string | null;
  state: string | null;
  country: string | null;
  companyName: string | null;
  companyDomain: string | null;
  industry: string | null;
  companySize: string | null;
  technologies: string[];
  keywords: string[];
  linkedinUrl: string | null;
  /** Whether there is an email address to reveal; null if only a reveal shows that. */
  hasEmail: boolean | null;
  hasPhone: boolean | null;
  /** Whether the person is one of the invented people of `--sample`. */
  isSample: boolean;
}

/** The contact data of a person. A field that was not requested is undefined; a field without a value is null. */
export interface Contact {
  email?: string | null;
  phone?: string | null;
}

export interface Company {
  id: string;
  name: string | null;
  domain: string;
  industry: string | null;
  size: string | null;
  location: string | null;
  prospects: number;
}

/** The most characters of a text of a person. */
export const MOST_CHARACTERS = 200;
export const MOST_ENTRIES = 50;

/** The status before any reveal. That there is no value is shown without a charge. */
export function statusBefore(has: boolean | null): RevealStatus {
  return has === false ? "not_found" : "not_revealed";
}

/** The name of the stored field for each field that can be revealed. */
export const VALUE_OF = {
  EMAIL: { value: "email", status: "emailStatus", has: "hasEmail" },
  PHONE: { value: "phone", status: "phoneStatus", has: "hasPhone" },
} as const satisfies Record<RevealField, object>;
