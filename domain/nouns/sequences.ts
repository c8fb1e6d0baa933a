import type { NounFacts } from "./noun.ts";

export const sequenceNouns = [
  { noun: "sequence", prefix: "seq", id: { of: "the sequence", fields: ["sequenceId"] } },
  {
    noun: "step",
    prefix: "stp",
    id: { of: "the step", fields: ["stepId"] },
    missing: { code: "STEP_NOT_FOUND", says: "The sequence has no such step" },
  },
  {
    noun: "variant",
    prefix: "var",
    id: { of: "the variant", fields: ["variantId"] },
    missing: { code: "VARIANT_NOT_FOUND", says: "The step has no such variant" },
  },
  {
    noun: "version",
    prefix: "cvr",
    missing: {
      code: "VERSION_NOT_FOUND",
      says: "The sequence of this version is not kept, or there is no such version: `details.currentVersion` is the newest version",
    },
  },
  {
    noun: "template",
    prefix: "tpl",
    id: { of: "the template", fields: ["templateId"] },
    missing: { code: "TEMPLATE_NOT_FOUND", says: "This workspace has no such template" },
    limit: { name: "templates", most: 1_000, called: "templates" },
  },
] as const satisfies readonly NounFacts[];
