import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import { readBy } from "../../domain/issues.ts";
import type { Scope } from "../../domain/scopes.ts";
import { refuseBranches } from "../../domain/sequences/branches.ts";
import { stepsFrom, stepsInput } from "../../domain/sequences/input.ts";
import {
  MAX_STEPS,
  SEQUENCE_MODES,
  type SequenceMode,
  type Step as StoredStep,
} from "../../domain/sequences/sequence.ts";
import { TEMPLATE_KINDS, type TemplateKind } from "../../domain/states.ts";
import { checkContent } from "../../domain/templates/template.ts";
import { scoped } from "../../models/scoped.ts";
import type { Template as Stored } from "../../models/sequences/template.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { refuseBeyondLimit } from "../../store/workspace-limits.ts";
import { Step } from "../campaigns/record.ts";
import { type Context, lacks } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { changing, freeForm, name, nullable, pageFrom, pageOf, paging, record, search } from "../fields.ts";
import { findNamed } from "../find-named.ts";
import { operation } from "../operation.ts";
import { shownAs } from "../shown-as.ts";
import { sorting } from "../sorting.ts";
import { storableSteps } from "./step-places.ts";
import { findUnknown, usedIn } from "./template-variables.ts";

const { templateId } = describedIds;
const optionalText = nullable(z.string());
const count = z.number().int();

export const unknownVariables = z
  .array(
    z.object({
      name: z.string().describe("The name as the text has it"),
      meant: nullable(z.string()).describe("The known variable with the most similar name; null if none is similar"),
    }),
  )
  .describe("Those of `variables` that no field or lead of the workspace has");

const listed = {
  name: z.string().describe("The name"),
  kind: z
    .enum(TEMPLATE_KINDS)
    .describe("SEQUENCE: all steps of a campaign; STEP: the text of one step; REPLY: a reply in the inbox"),
  version: count.describe("Grows with every change; `expectedVersion` is compared with it"),
  subject: optionalText.describe("The subject, a template; null if there is none, and for a SEQUENCE"),
  variables: z.array(z.string()).describe("The variables that its texts use"),
  unknownVariables,
};

const ListedTemplate = record({
  ...listed,
  stepCount: count.describe("The number of steps of a SEQUENCE; 0 for the other kinds"),
}).meta({ id: "ListedTemplate", description: "A template in a list, without its texts" });

const Template = record({
  ...listed,
  bodyHtml: optionalText.describe("The text as HTML, a template"),
  bodyText: optionalText.describe("The plain text, a template; null: made from the HTML"),
  mode: nullable(z.enum(SEQUENCE_MODES)).describe(
    "For a SEQUENCE: DEFAULT is linear, VISUAL has branches. Null for the other kinds",
  ),
  steps: z.array(Step).describe("The steps of a SEQUENCE, in order; empty for the other kinds"),
}).meta({ id: "Template", description: "A text or a whole sequence to copy into campaigns and replies" });

const BY = sorting({ createdAt: "_id", updatedAt: "updatedAt", name: "name", kind: "kind" }, "-createdAt");

const text = (what: string) => z.string().nullable().optional().describe(what);
const content = {
  subject: text("The subject of a STEP or REPLY, a template; null or blank: none"),
  bodyHtml: text("The text of a STEP or REPLY as HTML, a template; at most 100 kB"),
  bodyText: text("The text of a STEP or REPLY as plain text, a template; derived from the HTML when blank"),
  mode: z.enum(SEQUENCE_MODES).optional().describe("For a SEQUENCE: DEFAULT is linear, VISUAL has branches"),
  steps: shownAs(z.array(freeForm).max(MAX_STEPS), stepsInput)
    .optional()
    .describe("The steps of a SEQUENCE, in order, as a campaign's sequence takes them; at most 50"),
};

/** What a SEQUENCE, and what the other kinds are made of. */
const OF_SEQUENCE = ["mode", "steps"] as const;
const OF_TEXT = ["subject", "bodyHtml", "bodyText"] as const;

/** A person who only works in the inbox may use replies without a scope for campaigns. */
const READING = { scope: "campaigns:read", orScope: "inbox:read" } as const;
const WRITING = { scope: "campaigns:write", orScope: "inbox:write" } as const;

export const list = operation({
  summary:
    "List templates, newest first, without their texts; search by part of the name or subject. With `inbox:read` alone: only the kind REPLY",
  ...READING,
  input: z.strictObject({
    ...paging,
    sort: BY.sort,
    kind: z.enum(TEMPLATE_KINDS).optional().describe("Only templates of this kind"),
    search: search
      .optional()
      .describe("Parts of the name or subject, 1 to 100 characters; accents and case are ignored"),
  }),
  output: pageOf(ListedTemplate),
  async run({ workspaceId, scopes }, { kind, search: words, sort, ...paging }) {
    if (kind !== undefined) refuseKind(kind, READING, scopes);
    const { Template } = scoped(workspaceId);
    const only = kind ?? (scopes.has(READING.scope) ? undefined : "REPLY");
    const filter = {
      ...(only !== undefined && { kind: only }),
      ...(words !== undefined && { _id: trusted({ $in: await findNamed(Template, words, ["name", "subject"]) }) }),
    };
    const select = { bodyHtml: 0, bodyText: 0, "steps.variants": 0, "steps.config": 0 } as const;
    const page = await pageFrom(Template, filter, paging, { sort: BY.orderOf(sort), select });
    const unknown = await findUnknown(workspaceId, page.items);
    const items = page.items.map((one, index) => ({
      ...one,
      stepCount: one.steps.length,
      unknownVariables: unknown[index] ?? [],
    }));
    return { ...page, items };
  },
});

export const get = operation({
  summary: "Read one template with its texts. With `inbox:read` alone: only the kind REPLY",
  ...READING,
  errors: ["TEMPLATE_NOT_FOUND"],
  input: z.strictObject({ templateId }),
  output: Template,
  async run({ workspaceId, scopes }, { templateId }) {
    const found = await loadTemplate(workspaceId, templateId);
    refuseKind(found.kind, READING, scopes);
    return viewOf(found);
  },
});

export const create = operation({
  summary: "Create a template. Campaigns and replies get copies of it. With `inbox:write` alone: only the kind REPLY",
  ...WRITING,
  errors: [
    "CAMPAIGN_NOT_FOUND",
    "FILTER_INVALID",
    "HOST_NOT_ALLOWED",
    "LIMIT_EXCEEDED",
    "SEQUENCE_NOT_LINEAR",
    "TEMPLATE_INVALID",
  ],
  input: z.strictObject({
    name: name.describe("The name, 1 to 200 characters"),
    kind: listed.kind,
    ...content,
  }),
  output: Template,
  async run(ctx, { name, kind, ...asked }) {
    const { workspaceId, scopes } = ctx;
    refuseKind(kind, WRITING, scopes);
    const stored = await inTransaction(async () => {
      const { Template } = scoped(workspaceId);
      await refuseBeyondLimit(workspaceId, "templates", await Template.count());
      const written = await writtenFrom(ctx, asked, { ...EMPTY, kind, mode: kind === "SEQUENCE" ? "DEFAULT" : null });
      return Template.insert({ _id: newId("tpl"), name, kind, ...written });
    });
    return viewOf(stored);
  },
});

export const update = operation({
  summary:
    "Change a template; its kind is fixed. Copies in campaigns and replies stay as they are. With `inbox:write` alone: only the kind REPLY",
  ...WRITING,
  errors: [
    "CAMPAIGN_NOT_FOUND",
    "FILTER_INVALID",
    "HOST_NOT_ALLOWED",
    "SEQUENCE_NOT_LINEAR",
    "TEMPLATE_INVALID",
    "TEMPLATE_NOT_FOUND",
    "VERSION_CONFLICT",
  ],
  input: changing(
    z.strictObject({
      templateId,
      expectedVersion: count
        .min(1)
        .optional()
        .describe("The version that you have read; if it has changed: 409 VERSION_CONFLICT"),
      name: name.optional().describe("A new name"),
      ...content,
    }),
    ({ templateId: _id, expectedVersion: _version, ...changes }) =>
      Object.values(changes).some((value) => value !== undefined),
  ),
  output: Template,
  async run(ctx, { templateId, expectedVersion, name, ...asked }) {
    const { workspaceId, scopes } = ctx;
    const changed = await inTransaction(async () => {
      const before = await loadTemplate(workspaceId, templateId);
      refuseKind(before.kind, WRITING, scopes);
      const currentVersion = before.version;
      if (expectedVersion !== undefined && expectedVersion !== currentVersion)
        throw new AppError("VERSION_CONFLICT", "The template has changed since you read it", { currentVersion });
      const written = await writtenFrom(ctx, asked, before);
      const $set = { ...written, ...(name !== undefined && { name }) };
      return scoped(workspaceId).Template.findOneAndUpdate({ _id: templateId }, { $set, $inc: { version: 1 } });
    });
    if (changed === null) throw notFound();
    return viewOf(changed);
  },
});

export const remove = operation({
  summary:
    "Delete a template. Copies in campaigns and replies stay as they are. With `inbox:write` alone: only the kind REPLY",
  ...WRITING,
  errors: ["TEMPLATE_NOT_FOUND"],
  effects: { DESTROYS: true },
  input: z.strictObject({ templateId }),
  output: z.object({
    id: z.string().describe("The deleted id"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId, scopes }, { templateId }) {
    refuseKind((await loadTemplate(workspaceId, templateId)).kind, WRITING, scopes);
    if ((await scoped(workspaceId).Template.deleteOne({ _id: templateId })) === 0) throw notFound();
    return { id: templateId, deleted: true as const };
  },
});

type Content = Pick<Stored, "subject" | "bodyHtml" | "bodyText" | "mode" | "steps" | "variables">;
type Asked = { [K in (typeof OF_TEXT)[number]]?: string | null | undefined } & {
  mode?: SequenceMode | undefined;
  steps?: Record<string, unknown>[] | undefined;
};

const EMPTY: Omit<Content, "mode"> = { subject: null, bodyHtml: null, bodyText: null, steps: [], variables: [] };

/**
 * The content to store, checked like that of a campaign. Fields that are left out stay as they were before.
 * @throws VALIDATION_FAILED, TEMPLATE_INVALID {path, line, column}, FILTER_INVALID, SEQUENCE_NOT_LINEAR,
 * CAMPAIGN_NOT_FOUND, HOST_NOT_ALLOWED
 */
async function writtenFrom(
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
  const read = readBy(z.object({ steps: stepsInput }), { steps: asked });
  if (!read.success) throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues: read.issues });
  const ids = { step: () => newId("stp"), variant: () => newId("var") };
  return storableSteps(ctx, null, stepsFrom(read.data.steps, before, ids, mode));
}

/** A blank text is none. */
function textFrom(asked: string | null | undefined, before: string | null): string | null {
  if (asked === undefined) return before;
  return asked === null || asked.trim() === "" ? null : asked;
}

async function viewOf(template: Stored) {
  const [unknownVariables = []] = await findUnknown(template.workspaceId, [template]);
  return { ...template, unknownVariables };
}

/** @throws TEMPLATE_NOT_FOUND */
async function loadTemplate(workspaceId: string, templateId: string): Promise<Stored> {
  const found = await scoped(workspaceId).Template.get(templateId);
  if (found === null) throw notFound();
  return found;
}

function notFound(): AppError {
  return new AppError("TEMPLATE_NOT_FOUND", "No template has this id");
}

/** @throws INSUFFICIENT_SCOPE for a template of campaigns, if the caller has only a scope of the inbox */
function refuseKind(kind: TemplateKind, { scope }: { scope: Scope; orScope: Scope }, held: ReadonlySet<Scope>): void {
  if (kind !== "REPLY" && !held.has(scope)) throw lacks(scope);
}
