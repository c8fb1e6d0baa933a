import type { Guard } from "../guard.ts";

const test = "test/sequences/templates.test.ts";

/** Guards of templates: whose they are, who may use them, and what they may contain. */
export const TEMPLATE_GUARDS: Guard[] = [
  {
    guard: "A template is only read and changed within its own workspace",
    file: "operations/sequences/templates.ts",
    text: "const found = await scoped(workspaceId).Template.get(templateId);",
    instead:
      "const found = await (await import('../../models/sequences/template.ts')).Template.findOne({ _id: templateId }, null, { acrossWorkspaces: true }).lean<Stored>();",
    test,
    only: "another workspace",
  },
  {
    guard: "A scope of the inbox gives no access to templates of campaigns",
    file: "operations/sequences/templates.ts",
    text: 'if (kind !== "REPLY" && !held.has(scope)) throw lacks(scope);',
    instead: "void [kind, held, lacks, scope];",
    test,
    only: "scopes of the inbox",
  },
  {
    guard: "A list shows only replies to a caller with a scope of the inbox alone",
    file: "operations/sequences/templates.ts",
    text: 'const only = kind ?? (scopes.has(READING.scope) ? undefined : "REPLY");',
    instead: "const only = kind;",
    test,
    only: "scopes of the inbox",
  },
  {
    guard: "A preview shows a lead only to a caller who may read leads or campaigns",
    file: "operations/sequences/template-preview.ts",
    text: 'if (leadId !== undefined && !scopes.has("campaigns:read") && !scopes.has("leads:read")) throw lacks("leads:read");',
    instead: "void lacks;",
    test,
    only: "leads:read too",
  },
  {
    guard: "A change of an older version of a template is refused",
    file: "operations/sequences/templates.ts",
    text: "if (expectedVersion !== undefined && expectedVersion !== currentVersion)",
    instead: "if (expectedVersion !== undefined && currentVersion === 0)",
    test,
    only: "another version",
  },
  {
    guard: "The text of a template is checked before it is stored",
    file: "operations/sequences/template-content.ts",
    text: 'checkContent(texts, "");',
    instead: "void checkContent;",
    test,
    only: "not a valid template",
  },
  {
    guard: "Variables that no field of the workspace has are listed",
    file: "operations/sequences/template-variables.ts",
    text: "unknownVariables([one], custom).map(",
    instead: "unknownVariables([], custom).map(",
    test,
    only: "no field of the workspace",
  },
  {
    guard: "A step of a template names only campaigns and files of its workspace",
    file: "operations/sequences/template-content.ts",
    text: "return storableSteps(ctx, null, stepsFrom(readSteps(asked), before, ids, mode));",
    instead: "void [ctx, storableSteps]; return stepsFrom(readSteps(asked), before, ids, mode);",
    test,
    only: "branches need the mode",
  },
  {
    guard: "A workspace has a limited number of templates",
    file: "operations/sequences/templates.ts",
    text: 'await refuseBeyondLimit(workspaceId, "templates", await Template.count());',
    instead: "void refuseBeyondLimit;",
    test,
    only: "at most a thousand",
  },
  {
    guard: "A file that a template uses is not deleted as unused",
    file: "store/inbox/sweep-orphan-files.ts",
    text: "...(await Template.find(inSteps, shown, ACROSS).lean<WithFiles[]>()),",
    instead: "",
    test,
    only: "only a template uses",
  },
];
