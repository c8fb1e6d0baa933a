import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import { isBuiltIn, KEY, KEY_RULE, keyOf, sampleOf, variableName } from "../../domain/leads/custom-field.ts";
import { FIELD_TYPES } from "../../domain/states.ts";
import { BUILT_INS } from "../../domain/templates/variables.ts";
import type { CustomField } from "../../models/leads/custom-field.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { refuseBeyondLimit } from "../../store/workspace-limits.ts";
import { choice } from "../choice.ts";
import { describedIds } from "../described-ids.ts";
import { changing, flag, name, nullable, optionalTime, record } from "../fields.ts";
import { operation } from "../operation.ts";
import { anyHasBegun } from "../sending/causes.ts";

const { fieldId } = describedIds;

const IN_ORDER = { order: 1, _id: 1 } as const;

const Field = record({
  key: z.string().describe("The name in texts, filters and imports; cannot change"),
  label: z.string().describe("The displayed name"),
  type: z.enum(FIELD_TYPES).describe("The type of the values; cannot change"),
  options: nullable(z.array(z.string())).describe("The values that a SELECT allows"),
  order: z.number().int().describe("The position of the field in lists"),
  archived: z.boolean().describe("Whether the field is archived; its values are kept"),
  archivedAt: optionalTime.describe("When the field was archived"),
}).meta({ id: "CustomField", description: "A typed field of your own on every lead" });
const options = z
  .array(name)
  .min(1)
  .max(200)
  .refine((all) => new Set(all).size === all.length, {
    message: "must differ from each other",
    params: { code: "DUPLICATE" },
  });

export const list = operation({
  summary: "List the custom fields of the workspace in order, archived ones on request",
  scope: "custom_fields:read",
  input: z.strictObject({
    includeArchived: flag.default(false).describe("Whether to include archived fields. Default false"),
  }),
  output: z.array(Field),
  async run({ workspaceId }, { includeArchived }) {
    return scoped(workspaceId).CustomField.find(includeArchived ? {} : { archived: false }, { sort: IN_ORDER });
  },
});

export const create = operation({
  summary: "Create a custom field; the values of leads under its key must then match its type",
  scope: "custom_fields:write",
  errors: ["FIELD_KEY_TAKEN", "LIMIT_EXCEEDED"],
  input: z.strictObject({
    label: name.describe("The displayed name, 1 to 200 characters"),
    key: z
      .string()
      .regex(KEY, KEY_RULE)
      .optional()
      .describe("The name in texts, filters and imports. Default: made from the label"),
    type: z.enum(FIELD_TYPES).default("TEXT").describe("The type of the values. Default TEXT"),
    options: options.nullable().optional().describe("With SELECT: the allowed values, 1 to 200"),
  }),
  output: Field,
  async run({ workspaceId }, { label, key = keyOf(label), type, options = null }) {
    if (key === "") throw invalid("key", "is required: the label has no letters to make a key from", "REQUIRED");
    assertOptions("options", type, options);
    return inTransaction(async () => {
      const { CustomField } = scoped(workspaceId);
      const sameName = await CustomField.findOne({ name: variableName(key) });
      if (sameName !== null || isBuiltIn(key)) {
        throw new AppError("FIELD_KEY_TAKEN", `The key ${key} is taken; case and underscores make no difference`, {
          key,
        });
      }
      await assertRoom(workspaceId);
      const [last] = await CustomField.find({}, { sort: { order: -1, _id: -1 }, limit: 1 });
      return CustomField.insert({
        _id: newId("fld"),
        key,
        name: variableName(key),
        label,
        type,
        options,
        order: (last?.order ?? 0) + 1,
      });
    });
  },
});

const update = operation({
  summary: "Change a field's label or options, or archive or restore it; key and type cannot change",
  scope: "custom_fields:write",
  errors: ["FIELD_NOT_FOUND", "LIMIT_EXCEEDED"],
  effects: { CHANGES_SENDING: anyHasBegun },
  input: z
    .strictObject({
      fieldId,
      input: changing(
        z.strictObject({
          label: name.optional().describe("The displayed name"),
          options: options.optional().describe("With SELECT: the allowed values"),
          archived: z.boolean().optional().describe("true archives, false restores"),
        }),
      ).describe("What to change; fields that you leave out stay the same"),
    })
    .describe("What to change"),
  output: Field,
  async run({ workspaceId }, { fieldId, input: { label, options, archived } }) {
    return inTransaction(async () => {
      const field = await fieldOf(workspaceId, fieldId);
      if (options !== undefined) assertOptions("input.options", field.type, options);
      if (archived === false && field.archived) await assertRoom(workspaceId);
      return change(
        field,
        { ...(label !== undefined && { label }), ...(options !== undefined && { options }) },
        archived ?? field.archived,
      );
    });
  },
});

const remove = operation({
  summary: "Archive a custom field. Leads keep its values, which are no longer checked",
  scope: "custom_fields:write",
  errors: ["FIELD_NOT_FOUND"],
  effects: { DESTROYS: true },
  input: z.strictObject({ fieldId }),
  output: Field,
  async run({ workspaceId }, { fieldId }) {
    return inTransaction(async () => change(await fieldOf(workspaceId, fieldId), {}, true));
  },
});

const reorder = operation({
  summary: "Reorder the custom fields; name every field that is not archived, once",
  scope: "custom_fields:write",
  input: z.strictObject({ ids: z.array(fieldId).max(1_000).describe("The ids of all fields in the new order") }),
  output: z.array(Field),
  async run({ workspaceId }, { ids }) {
    return inTransaction(async () => {
      const { CustomField } = scoped(workspaceId);
      const fields = await CustomField.find({ archived: false }, { sort: IN_ORDER });
      const wanted = new Set(ids);
      if (wanted.size !== ids.length || ids.length !== fields.length || !fields.every(({ _id }) => wanted.has(_id))) {
        throw invalid("ids", "must be all fields that are not archived, each once", "NOT_A_PERMUTATION");
      }
      for (const [index, _id] of ids.entries()) await CustomField.updateOne({ _id }, { $set: { order: index + 1 } });
      return CustomField.find({ archived: false }, { sort: IN_ORDER });
    });
  },
});

export const manage = choice("custom_fields:write", "Change, reorder or archive custom fields", {
  update,
  reorder,
  delete: remove,
});

export const variables = operation({
  summary: "List the variables for templates: built-in ones and custom fields, each with its token and a sample",
  scope: "custom_fields:read",
  input: z.strictObject({}),
  output: z.array(
    z.object({
      key: z.string().describe("The name of the variable"),
      token: z.string().describe("The placeholder to write in a text"),
      label: z.string().describe("The displayed name"),
      type: z.string().describe("The type of the values"),
      source: z.enum(["BUILT_IN", "CUSTOM"]).describe("CUSTOM for a custom field, else BUILT_IN"),
      sample: z.string().describe("An example value"),
    }),
  ),
  async run({ workspaceId }) {
    const fields = await scoped(workspaceId).CustomField.find({ archived: false }, { sort: IN_ORDER });
    return [
      ...BUILT_INS.map((variable) => ({ ...variable, token: `{{${variable.key}}}`, source: "BUILT_IN" as const })),
      ...fields.map((field) => ({
        key: field.key,
        token: `{{customFields.${field.key}}}`,
        label: field.label,
        type: field.type,
        source: "CUSTOM" as const,
        sample: sampleOf(field),
      })),
    ];
  },
});

async function fieldOf(workspaceId: string, fieldId: string): Promise<CustomField> {
  const field = await scoped(workspaceId).CustomField.get(fieldId);
  if (field === null) throw new AppError("FIELD_NOT_FOUND", "No custom field has this id");
  return field;
}

async function change(field: CustomField, changes: Partial<CustomField>, archived: boolean): Promise<CustomField> {
  const moved = archived === field.archived ? {} : { archived, archivedAt: archived ? new Date() : null };
  const all = { ...changes, ...moved };
  if (Object.keys(all).length === 0) return field;
  const { CustomField } = scoped(field.workspaceId);
  return (await CustomField.findOneAndUpdate({ _id: field._id }, { $set: all })) ?? field;
}

/** Refuses one field too many; archived fields do not count. */
async function assertRoom(workspaceId: string): Promise<void> {
  const have = await scoped(workspaceId).CustomField.count({ archived: false });
  await refuseBeyondLimit(workspaceId, "customFields", have);
}

function assertOptions(path: string, type: CustomField["type"], options: string[] | null): void {
  if (type === "SELECT" && options === null) throw invalid(path, "are required for a SELECT", "REQUIRED");
  if (type !== "SELECT" && options !== null) throw invalid(path, "are allowed for a SELECT only", "TYPE_MISMATCH");
}
