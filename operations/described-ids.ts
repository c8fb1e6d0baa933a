import { z } from "zod";
import { nouns, recordOf } from "../domain/nouns.ts";

/** Each id field, with the description of its resource in `domain/nouns/`. */
export const describedIds = recordOf(
  nouns.flatMap((noun) => ("id" in noun ? idsOf(noun.id.fields, noun.id.of, noun.prefix) : [])),
);

const SAMPLE = "01KA2M5W8X3Y6Z9B1C4D7F0G2H";
const ANOTHER = "01KA2M5W8X3Y6Z9B1C4D7F0G2J";

/** Example ids for the reference, by field name. */
export const EXAMPLE_IDS = {
  ...recordOf(nouns.flatMap((noun) => ("id" in noun ? samplesOf(noun.id.fields, noun.prefix) : []))),
  testMailboxId: `mbx_${ANOTHER}`,
  poolId: `wpl_${SAMPLE}`,
  searchListId: `srl_${SAMPLE}`,
  otherSearchListId: `srl_${ANOTHER}`,
  prospectId: `prs_${SAMPLE.toLowerCase()}`,
};

/** Describes id fields: an id is opaque, with a prefix that shows its kind. */
function idsOf<Field extends string>(fields: readonly Field[], kind: string, prefix: string) {
  return fields.map((field) => [field, z.string().max(64).describe(`The id of ${kind}: \`${prefix}_…\``)] as const);
}

function samplesOf<Field extends string>(fields: readonly Field[], prefix: string) {
  return fields.map((field) => [field, `${prefix}_${SAMPLE}`] as const);
}
