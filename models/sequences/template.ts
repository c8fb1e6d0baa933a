import { SEQUENCE_MODES, type SequenceMode, type Step } from "../../domain/sequences/sequence.ts";
import { TEMPLATE_KINDS, type TemplateKind } from "../../domain/states.ts";
import { IS_TEXT, type Owned, oneOf, required, tenantModel, text, texts } from "../../mongo/schema.ts";

/** A text, or a whole sequence, that is copied into campaigns and replies. */
export interface Template extends Owned {
  name: string;
  kind: TemplateKind;
  version: number;
  /** The text of a STEP or REPLY; null for a SEQUENCE. */
  subject: string | null;
  bodyHtml: string | null;
  bodyText: string | null;
  /** The steps of a SEQUENCE, as a campaign stores them; null and empty for the other kinds. */
  mode: SequenceMode | null;
  steps: Step[];
  /** The variables that its texts use, so that a list does not parse them again. */
  variables: string[];
}

export const Template = tenantModel<Template>(
  "Template",
  "templates",
  {
    name: required,
    kind: oneOf(TEMPLATE_KINDS, "STEP"),
    version: { type: Number, required: true, default: 1 },
    subject: text,
    bodyHtml: text,
    bodyText: text,
    mode: oneOf(SEQUENCE_MODES),
    steps: { type: [Object], required: true, default: [] },
    variables: texts,
  },
  [
    // Name and subject are the last keys, so that a search for a part of them reads only index keys
    { fields: { workspaceId: 1, _id: -1, name: 1, subject: 1 } },
    { fields: { workspaceId: 1, kind: 1, _id: -1 } },
    // For the sweep of files
    { fields: { "steps.variants.attachments.id": 1 }, where: { "steps.variants.attachments.id": IS_TEXT } },
  ],
);
