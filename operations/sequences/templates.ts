import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import type { Scope } from "../../domain/scopes.ts";
import { TEMPLATE_KINDS, type TemplateKind } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import type { Template as Stored } from "../../models/sequences/template.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { refuseBeyondLimit } from "../../store/workspace-limits.ts";
import { expectedVersion } from "../campaigns/find.ts";
import { lacks } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { changing, name, pageFrom, pageOf, paging, search } from "../fields.ts";
import { findNamed } from "../find-named.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { content, EMPTY, writtenFrom } from "./template-content.ts";
import { ListedTemplate, listed, Template } from "./template-record.ts";
import { findUnknown } from "./template-variables.ts";

const { templateId } = describedIds;
const BY = sorting({ createdAt: "_id", updatedAt: "updatedAt", name: "name", kind: "kind" }, "-createdAt");

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
      expectedVersion,
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
