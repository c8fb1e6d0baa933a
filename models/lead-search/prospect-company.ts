import { type Base, counter, globalModel, required, text, texts } from "../../mongo/schema.ts";

/** A company of the data set, derived from the people who work there. `_id` follows from the domain. */
export interface ProspectCompany extends Base {
  domain: string;
  name: string | null;
  industry: string | null;
  size: string | null;
  location: string | null;
  /** How many people of the data set work there. */
  prospects: number;
  facets: string[];
}

export const ProspectCompany = globalModel<ProspectCompany>(
  "ProspectCompany",
  "prospect_companies",
  { domain: required, name: text, industry: text, size: text, location: text, prospects: counter, facets: texts },
  [{ fields: { prospects: -1, _id: 1 } }, { fields: { facets: 1, prospects: -1, _id: 1 } }],
);
