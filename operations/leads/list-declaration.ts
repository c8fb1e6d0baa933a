import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import * as customFields from "./custom-fields.ts";
import * as leadLists from "./lead-lists.ts";
import { preview as previewSegment } from "./segments.ts";

const filterRules = {
  version: 1,
  combinator: "AND",
  rules: [
    { field: "customFields.headcount", operator: "GTE", value: 50 },
    { field: "tags", operator: "CONTAINS_ANY", value: ["saas"] },
    { event: "REPLIED", operator: "PERFORMED", withinDays: 30, negate: true },
  ],
};

export const leadListsDeclaration = {
  verbs: {
    "leadLists.list": leadLists.list,
    "leadLists.create": leadLists.create,
    "leadLists.preview": previewSegment,
    "leadLists.manage": leadLists.manage,
    "leadLists.moveMembers": leadLists.moveMembers,
  },
  routes: [
    ["get", "/lead-lists", leadLists.list],
    ["post", "/lead-lists", leadLists.create, 201],
    ["post", "/lead-lists/preview", previewSegment],
    ["post", "/lead-lists/manage", leadLists.manage],
  ],
  tools: {
    lists: {
      lead_lists: {
        operation: choice(
          "lead_lists:read",
          "Read or change lead lists, their members and their filters",
          {
            list: leadLists.list,
            preview: previewSegment,
            create: leadLists.create,
            ...leadLists.manage.actions,
            moveMembers: leadLists.moveMembers,
          },
          "list",
        ),
        title: "Lead lists",
        destructive: true,
        paged: true,
        when: "STATIC lists hold chosen leads, DYNAMIC ones are filled by filterRules. Returns the listId of leads_search and leads_import, and the leadListId of recipients_manage.",
      },
    },
  },
  examples: {
    lists: [
      { at: "post /lead-lists", title: "Create a static list", body: { name: "Trade fair" } },
      {
        at: "post /lead-lists",
        title: "Create a dynamic list",
        body: { name: "Mid-size, quiet", type: "DYNAMIC", filterRules },
      },
      { at: "post /lead-lists/preview", title: "Preview a dynamic list", body: { filterRules } },
    ],
    people: [
      {
        at: "post /lead-lists/manage",
        title: "Add leads to a list",
        body: { action: "addMembers", listId: ids.listId, leadIds: [ids.leadId] },
      },
      {
        at: "post /lead-lists/manage",
        title: "Rename a list",
        body: { action: "update", listId: ids.listId, input: { name: "Fair 2026" } },
      },
    ],
    end: [
      {
        at: "post /lead-lists/manage",
        title: "Remove leads from a list",
        body: { action: "removeMembers", listId: ids.listId, leadIds: [ids.leadId] },
      },
      { at: "post /lead-lists/manage", title: "Delete a list", body: { action: "delete", listId: ids.listId } },
    ],
  },
} as const satisfies Declaration;

export const customFieldsDeclaration = {
  verbs: {
    "customFields.list": customFields.list,
    "customFields.create": customFields.create,
    "customFields.listVariables": customFields.variables,
    "customFields.manage": customFields.manage,
  },
  routes: [
    ["get", "/custom-fields", customFields.list],
    ["post", "/custom-fields", customFields.create, 201],
    ["get", "/custom-fields/variables", customFields.variables],
    ["post", "/custom-fields/manage", customFields.manage],
  ],
  tools: {
    lists: {
      custom_fields: {
        operation: choice(
          "custom_fields:read",
          "Read or change the typed fields of leads, and the variables that texts may use",
          {
            list: customFields.list,
            variables: customFields.variables,
            create: customFields.create,
            ...customFields.manage.actions,
          },
          "list",
        ),
        title: "Custom fields",
        destructive: true,
        paged: true,
        when: "`variables` lists every token for texts, with a sample. Deleting a field archives it: its values stay.",
      },
    },
  },
  examples: {
    fields: [
      {
        at: "post /custom-fields",
        title: "Create a number field",
        body: { label: "Headcount", key: "headcount", type: "NUMBER" },
      },
      {
        at: "post /custom-fields/manage",
        title: "Rename a field",
        body: { action: "update", fieldId: ids.fieldId, input: { label: "Employees" } },
      },
      {
        at: "post /custom-fields/manage",
        title: "Reorder fields",
        body: { action: "reorder", ids: [ids.fieldId] },
      },
    ],
    end: [
      { at: "post /custom-fields/manage", title: "Archive a field", body: { action: "delete", fieldId: ids.fieldId } },
    ],
  },
} as const satisfies Declaration;
