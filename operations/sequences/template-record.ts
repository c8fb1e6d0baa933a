import { z } from "zod";
import { SEQUENCE_MODES } from "../../domain/sequences/sequence.ts";
import { TEMPLATE_KINDS } from "../../domain/states.ts";
import { Step } from "../campaigns/record.ts";
import { nullable, record } from "../fields.ts";

const optionalText = nullable(z.string());
const count = z.number().int();

export const unknownVariables = z
  .array(
    z.object({
      name: z.string().describe("The name as the text has it"),
      meant: nullable(z.string()).describe("The known variable with the most similar name; null if none is similar"),
    }),
  )
  .describe("The names in `variables` that match no field and no lead of this workspace");

export const listed = {
  name: z.string().describe("The name"),
  kind: z
    .enum(TEMPLATE_KINDS)
    .describe("SEQUENCE: all steps of a campaign; STEP: the text of one step; REPLY: a reply in the inbox"),
  version: count.describe("Grows with every change; `expectedVersion` is compared with it"),
  subject: optionalText.describe("The subject, a template; null if there is none, and for a SEQUENCE"),
  variables: z.array(z.string()).describe("The variables that its texts use"),
  unknownVariables,
};

export const ListedTemplate = record({
  ...listed,
  stepCount: count.describe("The number of steps of a SEQUENCE; 0 for the other kinds"),
}).meta({ id: "ListedTemplate", description: "A template in a list, without its texts" });

export const Template = record({
  ...listed,
  bodyHtml: optionalText.describe("The text as HTML, a template"),
  bodyText: optionalText.describe("The plain text, a template; null: made from the HTML"),
  mode: nullable(z.enum(SEQUENCE_MODES)).describe(
    "For a SEQUENCE: DEFAULT is linear, VISUAL has branches. Null for the other kinds",
  ),
  steps: z.array(Step).describe("The steps of a SEQUENCE, in order; empty for the other kinds"),
}).meta({ id: "Template", description: "A text or a whole sequence to copy into campaigns and replies" });
