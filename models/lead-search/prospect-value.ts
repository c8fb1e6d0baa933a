import { LOOKUP_KINDS, type LookupKind } from "../../domain/lead-search/filters.ts";
import { type Base, counter, globalModel, oneOf, required, texts } from "../../mongo/schema.ts";

/** A value by which people of the data set are found, and how many people have it. `_id` is `<kind>:<value>`. */
export interface ProspectValue extends Base {
  kind: LookupKind;
  /** The value in the normalised form that comparisons use. */
  value: string;
  /** The value as someone wrote it. */
  label: string;
  count: number;
  words: string[];
}

export const ProspectValue = globalModel<ProspectValue>(
  "ProspectValue",
  "prospect_values",
  { kind: oneOf(LOOKUP_KINDS, LOOKUP_KINDS[0]), value: required, label: required, count: counter, words: texts },
  [{ fields: { kind: 1, count: -1, value: 1 } }, { fields: { kind: 1, words: 1, count: -1 } }],
);
