import { SEQUENCE_MODES, type SequenceMode, type Step } from "../../domain/sequences/sequence.ts";
import { IS_TEXT, type Owned, oneOf, required, tenantModel } from "../../mongo/schema.ts";

export interface Sequence extends Owned {
  campaignId: string;
  mode: SequenceMode;
  version: number;
  steps: Step[];
}

export const Sequence = tenantModel<Sequence>(
  "Sequence",
  "sequences",
  {
    campaignId: required,
    mode: oneOf(SEQUENCE_MODES, "DEFAULT"),
    version: { type: Number, required: true, default: 1 },
    steps: { type: [Object], required: true, default: [] },
  },
  [
    { fields: { workspaceId: 1, campaignId: 1 }, unique: true },
    // For the sweep of files
    { fields: { "steps.variants.attachments.id": 1 }, where: { "steps.variants.attachments.id": IS_TEXT } },
  ],
);
