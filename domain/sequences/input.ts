import { z } from "zod";
import { invalid } from "../errors.ts";
import { MAX_FILES } from "../mail/outgoing-file.ts";
import { checkContent } from "../templates/template.ts";
import { checkBranches, refuseBranches, withReferences } from "./branches.ts";
import { conditionInput } from "./conditions.ts";
import {
  DEFAULT_DELAY,
  DELAY_UNITS,
  type Delay,
  MAX_STEPS,
  MAX_VARIANTS,
  NO_DELAY,
  NO_WINNER,
  type SequenceMode,
  STEP_TYPES,
  type Step,
  THREAD_MODES,
  type Variant,
  WINNER_METRICS,
} from "./sequence.ts";
import { CONFIG_FIELDS } from "./step-config.ts";

/** The longest wait before a step, per unit: 365 days each. */
const LONGEST: Record<Delay["unit"], number> = { MINUTES: 525_600, HOURS: 8_760, DAYS: 365, BUSINESS_DAYS: 365 };

const id = z.string().min(1).max(64).optional();
const body = z
  .string()
  .nullish()
  .transform((text) => (text == null || text.trim() === "" ? null : text));
const text = {
  subject: body.describe("The subject, a template; blank continues the thread of the previous email"),
  bodyHtml: body.describe("The text as HTML, a template; at most 100 kB"),
  bodyText: body.describe("The text as plain text, a template; derived from the HTML when blank"),
};

/** A caller may send back the other fields of a response, but only the id is used. */
const attachment = z
  .strictObject({
    id: z.string().min(1).max(64).describe("The id of the file: `fil_…`"),
    fileName: z.string().max(1_000).optional().describe("Ignored; the upload's value is used"),
    contentType: z.string().max(1_000).optional().describe("Ignored; the upload's value is used"),
    size: z.number().optional().describe("Ignored; the upload's value is used"),
  })
  .transform(({ id }) => ({ id, fileName: "", contentType: "", size: 0, sha256: "" }));

const variant = z.looseObject({
  variantId: id.describe("A known id keeps its identity and counters; any other id is a name within this request"),
  label: z.string().min(1).max(50).optional().describe("The letter or name; default: the next letter"),
  ...text,
  weight: z
    .number()
    .int()
    .min(1)
    .max(100)
    .default(50)
    .describe("The share of recipients relative to the other variants, 1 to 100. Default 50"),
  enabled: z.boolean().default(true).describe("Whether new recipients can get it. Default true"),
  attachments: z
    .array(attachment)
    .max(MAX_FILES)
    .default([])
    .describe("Attached files, from `POST /files`: at most 10, and 7,000,000 bytes together"),
});

const winner = z
  .strictObject({
    mode: z
      .enum(["OFF", "AUTO"])
      .describe("OFF, or AUTO: the winning variant gets the others' recipients. Default OFF"),
    metric: z
      .enum(WINNER_METRICS)
      .describe(
        "How variants are compared: the share of contacted people who replied, replied positively, clicked or converted; or REVENUE: the mean amount that they paid, in the currency that most of them used. Default REPLY_RATE",
      ),
    minSends: z.number().int().min(1).max(1_000_000).describe("Emails that each variant needs first. Default 50"),
    maturityHours: z
      .number()
      .int()
      .min(0)
      .max(8_760)
      .describe("Hours after sending before an email counts, 0 to 8,760. Default 72"),
    confidence: z
      .number()
      .min(0.5)
      .max(1)
      .describe("The required confidence of the comparison, 0.5 to 1. Default 0.95"),
    explorationShare: z
      .number()
      .min(0)
      .max(1)
      .describe("The share of recipients that the other variants keep, 0 to 1. Default 0.1"),
    winnerVariantId: z.string().max(64).nullable().describe("The winning variant; null: none yet"),
  })
  .partial();

const UNIT_TEXTS: Record<Delay["unit"], string> = {
  MINUTES: "Minutes of elapsed time",
  HOURS: "Hours of elapsed time",
  DAYS: "Calendar days; the default",
  BUSINESS_DAYS: "Days on which the campaign may send",
};

const delay = z
  .union([
    z
      .number()
      .int()
      .transform((value): Delay => ({ value, unit: "DAYS" })),
    z.strictObject({ value: z.number().int(), unit: z.enum(DELAY_UNITS).default("DAYS") }),
  ])
  .refine(({ value, unit }) => value >= 0 && value <= LONGEST[unit], {
    message: "must be between 0 and 365 days",
    params: { code: "OUT_OF_RANGE" },
  })
  .meta({
    anyOf: [{ type: "integer", minimum: 0, maximum: LONGEST.DAYS }, ...DELAY_UNITS.map(delayIn)],
  });

/**
 * A delay in one unit, as the reference shows it. The bound of its value depends on the unit, which one zod schema
 * cannot express.
 */
function delayIn(unit: Delay["unit"]) {
  return {
    type: "object",
    properties: {
      value: { type: "integer", minimum: 0, maximum: LONGEST[unit], description: "How many units" },
      unit: { type: "string", const: unit, description: UNIT_TEXTS[unit] },
    },
    required: unit === "DAYS" ? ["value"] : ["value", "unit"],
    additionalProperties: false,
  };
}

/** One step as a caller writes it. Keys that are not declared are kept (rules/states 1.3). */
const step = z.looseObject({
  stepId: id.describe(
    "A known id keeps its identity and counters; any other id is a name within this request for its conditions",
  ),
  order: z.unknown().optional().describe("Ignored: steps are in the order of the array"),
  type: z
    .enum(STEP_TYPES)
    .default("EMAIL")
    .describe("What the step does. Default EMAIL; the others need the mode VISUAL"),
  delay: delay
    .optional()
    .describe(
      "The wait before this step, counted from the previous email, at most 365 days. Default: 0 for the first step, otherwise 3 DAYS; a plain number means days",
    ),
  threadMode: z
    .enum(THREAD_MODES)
    .nullish()
    .describe("Whether the email replies to the previous one. Default SAME_THREAD if the first variant has no subject"),
  conditions: z
    .array(conditionInput)
    .max(20)
    .default([])
    .describe(
      "Where to continue after the step, at most 20, required with CONDITION: the first match decides; without a match, the next step",
    ),
  config: z
    .record(z.string(), z.unknown())
    .meta({ properties: CONFIG_FIELDS })
    .default({})
    .describe(
      "Settings of a step other than an email: TASK `title, note, assignee`; WEBHOOK `url`; ADD_TAG `tags`; MOVE_TO_CAMPAIGN `campaignId`; APPROVAL `note`",
    ),
  variants: z
    .array(variant)
    .max(MAX_VARIANTS)
    .meta({ minItems: 1 })
    .optional()
    .describe("1 to 26 texts, divided among recipients by weight; alternatively, `subject` and a body make variant A"),
  winner: winner.nullish().describe("How the winning variant is found"),
  ...text,
  body: body.describe("Short for `bodyHtml`"),
});

export const stepsInput = z.array(step).max(MAX_STEPS);
export type StepInput = z.output<typeof step>;
type VariantInput = z.output<typeof variant>;

export interface NewIds {
  step(): string;
  variant(): string;
}

/**
 * The steps to store (rules/campaigns 2.3). Known ids keep their identity; other ids are temporary names that get new
 * ids, and references follow them. A step written in the short form gets variant A.
 * @throws VALIDATION_FAILED, TEMPLATE_INVALID {path, line, column}, FILTER_INVALID; SEQUENCE_NOT_LINEAR in DEFAULT mode
 */
export function stepsFrom(
  inputs: StepInput[],
  storedSteps: readonly Step[],
  newIds: NewIds,
  mode: SequenceMode,
): Step[] {
  refuseTwice(
    inputs.map(({ stepId }) => stepId),
    (index) => `steps.${index}.stepId`,
  );
  if (mode === "DEFAULT") refuseBranches(inputs);
  const names = new Map<string, string>();
  const steps = inputs.map((input, index) => {
    const before = storedSteps.find(({ stepId }) => stepId === input.stepId) ?? null;
    const step = stepFrom(input, index, before, newIds);
    if (input.stepId !== undefined) names.set(input.stepId, step.stepId);
    return step;
  });
  const named = withReferences(steps, names);
  checkBranches(named);
  return named;
}

function stepFrom(input: StepInput, index: number, before: Step | null, newIds: NewIds): Step {
  const { subject, body, bodyHtml, bodyText, order: _order, variants: _variants, winner, threadMode, ...rest } = input;
  const written = input.type === "EMAIL" ? variantsOf(input, index, before) : noVariants(input, index);
  refuseTwice(
    written.map(({ variantId }) => variantId),
    (at) => `steps.${index}.variants.${at}.variantId`,
  );
  const names = new Map<string, string>();
  const variants = written.map((variant, at): Variant => {
    checkContent(contentOf(variant), input.variants === undefined ? `steps.${index}` : `steps.${index}.variants.${at}`);
    const isKnown = before?.variants.some(({ variantId }) => variantId === variant.variantId) ?? false;
    const variantId = isKnown && variant.variantId !== undefined ? variant.variantId : newIds.variant();
    if (variant.variantId !== undefined) names.set(variant.variantId, variantId);
    return { ...variant, variantId, label: variant.label ?? letter(at) };
  });
  const winnerVariantId = winner?.winnerVariantId ?? null;
  return {
    ...rest,
    stepId: before?.stepId ?? newIds.step(),
    order: index + 1,
    delay: input.delay ?? (index === 0 ? NO_DELAY : DEFAULT_DELAY),
    threadMode:
      index === 0 ? "NEW_THREAD" : (threadMode ?? (written[0]?.subject == null ? "SAME_THREAD" : "NEW_THREAD")),
    variants,
    winner: {
      ...NO_WINNER,
      ...definedOf(winner ?? {}),
      winnerVariantId: winnerVariantId === null ? null : winnerOf(names, winnerVariantId, index),
    },
  };
}

/** The variants of a step. The short form is variant A, and it stays variant A when it is written again. */
function variantsOf(
  { variants, subject, body, bodyHtml, bodyText }: StepInput,
  index: number,
  before: Step | null,
): VariantInput[] {
  const isShort = [subject, body, bodyHtml, bodyText].some((text) => text !== null);
  if (variants !== undefined && isShort) {
    throw invalid(`steps.${index}`, "must have either variants or a text, not both", "AMBIGUOUS");
  }
  if (variants?.length === 0) throw invalid(`steps.${index}.variants`, "must have at least 1 item", "TOO_SMALL");
  if (variants !== undefined) return variants;
  // A known step without a text in the request keeps its text; otherwise an empty text would be sent
  if (!isShort && before?.type === "EMAIL") return before.variants.map((variant) => ({ ...variant }));
  const first = before?.variants[0]?.variantId;
  return [
    {
      ...(first !== undefined && { variantId: first }),
      subject,
      bodyHtml: bodyHtml ?? body,
      bodyText,
      weight: 50,
      enabled: true,
      attachments: [],
    },
  ];
}

function noVariants(
  { type, variants = [], subject, body, bodyHtml, bodyText }: StepInput,
  index: number,
): VariantInput[] {
  if (variants.length > 0 || [subject, body, bodyHtml, bodyText].some((text) => text !== null)) {
    throw invalid(`steps.${index}`, `is ${type}: only an EMAIL step has a text`, "NO_TEXT");
  }
  return [];
}

function contentOf({ subject, bodyHtml, bodyText }: VariantInput) {
  return { subject, bodyHtml, bodyText };
}

function winnerOf(names: Map<string, string>, variantId: string, index: number): string {
  const found = names.get(variantId);
  if (found === undefined)
    throw invalid(`steps.${index}.winner.winnerVariantId`, "is not a variant of this step", "UNKNOWN_VARIANT");
  return found;
}

function refuseTwice(names: (string | undefined)[], pathOf: (index: number) => string): void {
  for (const [index, name] of names.entries()) {
    if (name !== undefined && names.indexOf(name) < index) throw invalid(pathOf(index), "appears twice", "DUPLICATE");
  }
}

function definedOf<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as never; // drops only absent keys
}

function letter(index: number): string {
  return String.fromCharCode(65 + index);
}
