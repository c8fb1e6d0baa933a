import { z } from "zod";
import { nouns, recordOf } from "../domain/nouns.ts";

/** Each field that holds an id, as its noun in `domain/nouns/` describes it. */
export const describedIds = recordOf(
  nouns.flatMap((noun) => ("id" in noun ? idsOf(noun.id.fields, noun.id.of, noun.prefix) : [])),
);

const SAMPLE = "01KA2M5W8X3Y6Z9B1C4D7F0G2H";
const ANOTHER = "01KA2M5W8X3Y6Z9B1C4D7F0G2J";

/** The ids of a workspace's records in the examples of the reference, by the fields that hold them. */
export const EXAMPLE_IDS = {
  ...recordOf(nouns.flatMap((noun) => ("id" in noun ? samplesOf(noun.id.fields, noun.prefix) : []))),
  testMailboxId: `mbx_${ANOTHER}`,
  poolId: `wpl_${SAMPLE}`,
  searchListId: `srl_${SAMPLE}`,
  otherSearchListId: `srl_${ANOTHER}`,
  prospectId: `prs_${SAMPLE.toLowerCase()}`,
};

/** An id in a request or a response: opaque, with a prefix that shows its kind. */
function idsOf<Field extends string>(fields: readonly Field[], kind: string, prefix: string) {
  return fields.map((field) => [field, z.string().max(64).describe(`The id of ${kind}: \`${prefix}_…\``)] as const);
}

function samplesOf<Field extends string>(fields: readonly Field[], prefix: string) {
  return fields.map((field) => [field, `${prefix}_${SAMPLE}`] as const);
}
