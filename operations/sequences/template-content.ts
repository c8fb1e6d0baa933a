import { z } from "zod";
import { invalid } from "../../domain/errors.ts";
import { refuseBranches } from "../../domain/sequences/branches.ts";
import { stepsFrom, stepsInput } from "../../domain/sequences/input.ts";
import {
  MAX_STEPS,
  SEQUENCE_MODES,
  type SequenceMode,
  type Step as StoredStep,
} from "../../domain/sequences/sequence.ts";
import type { TemplateKind } from "../../domain/states.ts";
import { checkContent } from "../../domain/templates/template.ts";
import type { Template as Stored } from "../../models/sequences/template.ts";
import { newId } from "../../mongo/ids.ts";
import type { Context } from "../context.ts";
import { freeForm } from "../fields.ts";
import { shownAs } from "../shown-as.ts";
import { readSteps, storableSteps } from "./step-places.ts";
import { usedIn } from "./template-variables.ts";

const text = (what: string) => z.string().nullable().optional().describe(what);
/** The fields with which a template is written. */
export const content = {
  subject: text("The subject of a STEP or REPLY, a template; null or blank: none"),
  bodyHtml: text("The text of a STEP or REPLY as HTML, a template; at most 100 kB"),
  bodyText: text("The text of a STEP or REPLY as plain text, a template; derived from the HTML when blank"),
  mode: z.enum(SEQUENCE_MODES).optional().describe("For a SEQUENCE: DEFAULT is linear, VISUAL has branches"),
  steps: shownAs(z.array(freeForm).max(MAX_STEPS), stepsInput)
    .optional()
    .describe("The steps of a SEQUENCE, in order, as a campaign's sequence takes them; at most 50"),
};

/** The content fields of a SEQUENCE, and of a STEP or REPLY. */
const OF_SEQUENCE = ["mode", "steps"] as const;
const OF_TEXT = ["subject", "bodyHtml", "bodyText"] as const;

type Content = Pick<Stored, "subject" | "bodyHtml" | "bodyText" | "mode" | "steps" | "variables">;
type Asked = { [K in (typeof OF_TEXT)[number]]?: string | null | undefined } & {
  mode?: SequenceMode | undefined;
  steps?: Record<string, unknown>[] | undefined;
};

/** What a template without texts and steps holds. */
export const EMPTY: Omit<Content, "mode"> = { subject: null, bodyHtml: null, bodyText: null, steps: [], variables: [] };

/**
 * The content to store, checked like that of a campaign. Fields that are left out stay as they were before.
 * @throws VALIDATION_FAILED, TEMPLATE_INVALID {path, line, column}, FILTER_INVALID, SEQUENCE_NOT_LINEAR,
 * CAMPAIGN_NOT_FOUND, HOST_NOT_ALLOWED
 */
export async function writtenFrom(
  ctx: Context,
  asked: Asked,
  before: Omit<Content, "variables"> & { kind: TemplateKind },
): Promise<Content> {
  const { kind } = before;
  for (const field of kind === "SEQUENCE" ? OF_TEXT : OF_SEQUENCE)
    if (asked[field] != null)
      throw invalid(
        field,
        kind === "SEQUENCE" ? "is for STEP and REPLY: a SEQUENCE has steps" : "is for a SEQUENCE only",
        "TYPE_MISMATCH",
      );
  if (kind === "SEQUENCE") {
    const mode = asked.mode ?? before.mode ?? "DEFAULT";
    const steps = await stepsOf(ctx, asked.steps, before.steps, mode);
    return { ...EMPTY, mode, steps, variables: usedIn({ ...EMPTY, steps }) };
  }
  const texts = {
    subject: textFrom(asked.subject, before.subject),
    bodyHtml: textFrom(asked.bodyHtml, before.bodyHtml),
    bodyText: textFrom(asked.bodyText, before.bodyText),
  };
  checkContent(texts, "");
  return { ...texts, mode: null, steps: [], variables: usedIn({ ...texts, steps: [] }) };
}

async function stepsOf(
  ctx: Context,
  asked: Asked["steps"],
  before: readonly StoredStep[],
  mode: SequenceMode,
): Promise<StoredStep[]> {
  if (asked === undefined) {
    if (mode === "DEFAULT") refuseBranches(before);
    return [...before];
  }
  const ids = { step: () => newId("stp"), variant: () => newId("var") };
  return storableSteps(ctx, null, stepsFrom(readSteps(asked), before, ids, mode));
}

/** Returns null for blank text. */
function textFrom(asked: string | null | undefined, before: string | null): string | null {
  if (asked === undefined) return before;
  return asked === null || asked.trim() === "" ? null : asked;
}
