import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import { LAST_PAGE, activity as leadActivity } from "./activity.ts";
import { create as createLead } from "./create.ts";
import { exportLeads, exportPage } from "./export.ts";
import { get as getLead } from "./get.ts";
import { cancelImport, importColumns, importFile, importJob, importLeads } from "./import.ts";
import { list as listLeads } from "./list.ts";
import { create as createNote, remove as deleteNote } from "./notes.ts";
import { bulkRemove, remove, undoImport } from "./remove.ts";
import { bulkAddTags, bulkRemoveTags, list as listTags } from "./tags.ts";
import { update } from "./update.ts";

const manageLeads = choice("leads:write", "Change, tag or delete leads, and write notes about them", {
  update,
  delete: remove,
  bulkDelete: bulkRemove,
  bulkAddTags,
  bulkRemoveTags,
  createNote,
  deleteNote,
});

const rows = [
  { "E-Mail": "ada@people.example", "First name": "Ada", Company: "Engines Ltd", Headcount: "120" },
  { "E-Mail": "bob@people.example", "First name": "Bob", Company: "Widgets SA", Headcount: "40" },
];
const fieldMapping = {
  "E-Mail": "email",
  "First name": "firstName",
  Company: "company",
  Headcount: "customFields.headcount",
};

export const leadsDeclaration = {
  verbs: {
    "leads.list": listLeads,
    "leads.create": createLead,
    "leads.get": getLead,
    "leads.getActivity": leadActivity,
    "leads.manage": manageLeads,
    "leads.import": importLeads,
    "leads.importColumns": importColumns,
    "leads.importFile": importFile,
    "leads.getImport": importJob,
    "leads.cancelImport": cancelImport,
    "leads.undoImport": undoImport,
    "leads.export": exportLeads,
    "leads.exportPage": exportPage,
    "leads.listTags": listTags,
  },
  routes: [
    ["get", "/leads", listLeads],
    ["post", "/leads", createLead, 201],
    ["post", "/leads/import", importLeads, 200, { isImport: true }],
    ["post", "/leads/import/columns", importColumns],
    ["post", "/leads/import/file", importFile, 202],
    ["get", "/leads/import/:jobId", importJob],
    ["post", "/leads/import/:jobId/cancel", cancelImport],
    ["delete", "/imports/:jobId", undoImport],
    ["get", "/leads/export", exportLeads],
    ["get", "/leads/tags", listTags],
    ["post", "/leads/manage", manageLeads],
    ["get", "/leads/:leadId", getLead],
    ["get", "/leads/:leadId/activity", leadActivity],
  ],
  tools: {
    leads: {
      leads_search: {
        operation: listLeads,
        title: "Search leads",
        readOnly: true,
        untrusted: true,
        detail: true,
        when: "All filters must match; `search` looks in name, address and company. Returns the leadId that leads_get, leads_manage and leads_suppress take.",
      },
      leads_get: {
        operation: getLead,
        title: "Get a lead",
        readOnly: true,
        untrusted: true,
        hasLongTexts: true,
        when: "All fields of one lead with its lists, campaigns and number of notes. leads_activity lists its events.",
      },
      leads_export: {
        operation: exportPage,
        title: "Export leads",
        readOnly: true,
        untrusted: true,
        when: "A page of leads as CSV with all custom fields, by the filters of leads_search; `next` is the next page. For a whole file use REST, GET /leads/export.",
      },
      leads_activity: {
        operation: leadActivity,
        title: "Get a lead's activity",
        readOnly: true,
        untrusted: true,
        rows: { list: "items", limit: { name: "limit", default: 50, lastPage: LAST_PAGE } },
        when: "Emails sent to a lead, its replies and other events, newest first, or its notes.",
      },
      leads_create: {
        operation: createLead,
        title: "Create a lead",
        when: "Creates one lead with an email address; properties that are no lead fields become custom fields. For several people use leads_import. Nothing is sent.",
      },
      leads_manage: {
        operation: manageLeads,
        title: "Manage leads",
        destructive: true,
        when: "leads_search returns the ids. Deleting a lead deletes its notes and memberships; leads_suppress keeps it and stops emails to it.",
      },
      leads_import: {
        operation: choice("leads:write", "Import leads from rows or a spreadsheet", {
          ...importLeads.actions,
          status: importJob,
        }),
        title: "Import leads",
        destructive: true,
        idempotent: true,
        openWorld: true,
        when: "dryRun shows what commit would do with the same rows. Above 1,000 rows the response may be a job; `status` shows its progress. Nothing is sent.",
      },
    },
  },
  examples: {
    people: [
      { at: "post /leads/import", title: "Dry-run an import", body: { action: "dryRun", rows } },
      {
        at: "post /leads/import",
        title: "Import rows of a file",
        body: { action: "commit", fileName: "fair.csv", rows, fieldMapping },
      },
      {
        at: "post /leads/import/columns",
        title: "Read the columns of a file before it is imported",
        body: { file: "E-Mail;First name;Company\r\nada@people.example;Ada;Analytical Engines\r\n" },
      },
      {
        at: "post /leads/import/file",
        title: "Import a file",
        body: {
          action: "commit",
          fieldMapping,
          file: "E-Mail;First name;Company;Headcount\r\nada@people.example;Ada;Analytical Engines;12\r\n",
        },
      },
      {
        at: "post /leads/import",
        title: "Read the rows of a spreadsheet",
        body: {
          action: "googleSheet",
          url: "https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz/edit#gid=0",
        },
      },
      {
        at: "post /leads",
        title: "Create a lead with custom fields",
        body: {
          email: "cleo@people.example",
          firstName: "Cleo",
          company: "Rivers Inc",
          tags: ["saas"],
          customFields: { headcount: 75 },
        },
      },
      {
        at: "post /leads/manage",
        title: "Change a lead",
        body: { action: "update", leadId: ids.leadId, patch: { jobTitle: "Head of Sales" } },
      },
      {
        at: "post /leads/manage",
        title: "Tag several leads",
        body: { action: "bulkAddTags", ids: [ids.leadId], tags: ["fair"] },
      },
      {
        at: "post /leads/manage",
        title: "Remove a tag",
        body: { action: "bulkRemoveTags", ids: [ids.leadId], tags: ["fair"] },
      },
      {
        at: "post /leads/manage",
        title: "Add a note",
        body: { action: "createNote", leadId: ids.leadId, body: "Met at the fair" },
      },
      {
        at: "post /leads/manage",
        title: "Delete a note",
        body: { action: "deleteNote", leadId: ids.leadId, noteId: ids.noteId },
      },
    ],
    end: [
      { at: "post /leads/manage", title: "Delete a lead permanently", body: { action: "delete", leadId: ids.leadId } },
    ],
  },
} as const satisfies Declaration;
