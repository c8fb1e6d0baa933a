import type { Method } from "../../api/routes.ts";
import type { Scope } from "../../domain/scopes.ts";

/** One line of sections 4.1 to 4.12 of the public interface, written down by hand, with what it names and nothing that this service adds. */
export interface Line {
  method: Method;
  /** Parameters are written `{}`, whatever their names. */
  path: string;
  /** Null: any valid key. A record has one scope per action where these differ. */
  scope: Scope | null | Record<string, Scope>;
  /** The fields of query or body, apart from `action` and the names in the path. */
  fields: string[];
  actions?: string[];
  /** The action of a call that names none. */
  otherwise?: string;
  /** The values of enum fields, in the interface's order. */
  enums?: Record<string, string[]>;
  required?: string[];
  status: 200 | 201 | 202;
  /** Statuses other than 401 and 403. */
  also?: number[];
  /** The page as a whole describes the body: free-form options. */
  isFree?: true;
}

const page = ["page", "pageSize"];
const campaign = ["name", "description", "goal", "type", "clientId"];
const campaignEnums = { type: ["SEQUENCE", "ONE_OFF"] };
const outcome = ["meetingBooked", "meetingBookedAt", "revenueAmount", "revenueCurrency", "outcomeNotes"];
const fieldTypes = { type: ["TEXT", "URL", "NUMBER", "DATE", "SELECT"] };

export const LINES: Line[] = [
  { method: "get", path: "/whoami", scope: null, fields: [], status: 200 },

  { method: "get", path: "/campaigns", scope: "campaigns:read", fields: [...page, "status", "search"], status: 200 },
  {
    method: "post",
    path: "/campaigns",
    scope: "campaigns:write",
    fields: campaign,
    enums: campaignEnums,
    required: ["name"],
    status: 201,
  },
  { method: "get", path: "/campaigns/{}", scope: "campaigns:read", fields: [], status: 200, also: [404] },
  {
    method: "patch",
    path: "/campaigns/{}",
    scope: "campaigns:write",
    fields: [...campaign, "expectedVersion"],
    enums: campaignEnums,
    required: [],
    status: 200,
    also: [404, 409],
  },
  {
    method: "post",
    path: "/campaigns/{}/duplicate",
    scope: "campaigns:write",
    fields: ["newName"],
    required: [],
    status: 201,
    also: [404],
  },
  { method: "post", path: "/campaigns/{}/archive", scope: "campaigns:write", fields: [], status: 200, also: [404] },
  { method: "get", path: "/campaigns/{}/validate", scope: "campaigns:read", fields: [], status: 200, also: [404] },
  { method: "get", path: "/campaigns/{}/settings", scope: "campaigns:read", fields: [], status: 200, also: [404] },
  { method: "patch", path: "/campaigns/{}/settings", scope: "campaigns:write", fields: [], isFree: true, status: 200, also: [404] },
  { method: "get", path: "/campaigns/{}/sequence", scope: "campaigns:read", fields: [], status: 200, also: [404] },
  {
    method: "put",
    path: "/campaigns/{}/sequence",
    scope: "campaigns:write",
    fields: ["mode", "steps", "orderedStepIds"],
    actions: ["setMode", "replaceSteps", "reorder"],
    enums: { mode: ["DEFAULT", "VISUAL"] },
    status: 200,
    also: [404],
  },
  {
    method: "post",
    path: "/campaigns/{}/sequence/preview",
    scope: "campaigns:read",
    fields: ["stepId", "variantId", "leadId"],
    required: [],
    status: 200,
    also: [404],
  },
  {
    method: "post",
    path: "/campaigns/{}/control",
    scope: "campaigns:launch",
    fields: [],
    actions: ["launch", "pause", "resume"],
    status: 200,
    also: [404],
  },
  {
    method: "post",
    path: "/campaigns/{}/test-send",
    scope: "campaigns:launch",
    fields: ["toEmail", "stepId", "variantId", "leadId"],
    required: ["toEmail"],
    status: 200,
    also: [404],
  },

  {
    method: "get",
    path: "/campaigns/{}/recipients",
    scope: "recipients:read",
    fields: [...page, "status", "search"],
    status: 200,
    also: [404],
  },
  {
    method: "post",
    path: "/campaigns/{}/recipients",
    scope: "recipients:write",
    fields: ["emails", "leadListId", "recipientIds", "recipientId", ...outcome],
    actions: ["addManual", "addFromList", "refreshAudience", "bulkRemove", "updateOutcome"],
    status: 200,
    also: [404],
  },
  { method: "get", path: "/campaigns/{}/recipients/stats", scope: "recipients:read", fields: [], status: 200, also: [404] },

  {
    method: "get",
    path: "/leads",
    scope: "leads:read",
    fields: [...page, "search", "status", "verificationStatus", "domain", "tags", "suppressed", "listId"],
    status: 200,
  },
  {
    method: "post",
    path: "/leads",
    scope: "leads:write",
    fields: ["email", "firstName", "lastName", "company", "tags", "customFields"],
    required: ["email"],
    status: 201,
    also: [409],
  },
  { method: "get", path: "/leads/export", scope: "leads:read", fields: [], status: 200 },
  { method: "get", path: "/leads/tags", scope: "leads:read", fields: [], status: 200 },
  {
    method: "post",
    path: "/leads/import",
    scope: "leads:write",
    fields: ["rows", "fieldMapping", "source", "fileName", "url"],
    actions: ["dryRun", "commit", "googleSheet"],
    enums: { source: ["CSV", "MANUAL", "PROVIDERA_SHEETS"] },
    status: 200,
  },
  {
    method: "post",
    path: "/leads/manage",
    scope: "leads:write",
    fields: ["leadId", "patch", "ids", "tags", "authorUserId", "body", "noteId"],
    actions: ["update", "delete", "bulkDelete", "bulkAddTags", "bulkRemoveTags", "createNote", "deleteNote"],
    status: 200,
    also: [404],
  },
  {
    method: "post",
    path: "/leads/suppress",
    scope: "leads:suppress",
    fields: ["ids"],
    actions: ["suppress", "unsuppress"],
    required: [], // `ids`, or the filter in their place
    status: 200,
  },
  { method: "get", path: "/leads/{}", scope: "leads:read", fields: [], status: 200, also: [404] },
  {
    method: "get",
    path: "/leads/{}/activity",
    scope: "leads:read",
    fields: ["view", "limit"],
    enums: { view: ["activity", "notes"] },
    status: 200,
    also: [404],
  },

  { method: "get", path: "/block-list", scope: "block_list:read", fields: [], status: 200 },
  {
    method: "post",
    path: "/block-list",
    scope: "block_list:write",
    fields: ["value", "type", "reason"],
    enums: { type: ["EMAIL", "DOMAIN"] },
    required: ["value"],
    status: 201,
  },
  { method: "delete", path: "/block-list/{}", scope: "block_list:write", fields: [], status: 200 },

  { method: "get", path: "/lead-lists", scope: "lead_lists:read", fields: [], status: 200 },
  {
    method: "post",
    path: "/lead-lists",
    scope: "lead_lists:write",
    fields: ["name", "description", "type", "filterRules"],
    enums: { type: ["STATIC", "DYNAMIC"] },
    required: ["name"],
    status: 201,
  },
  {
    method: "post",
    path: "/lead-lists/preview",
    scope: "lead_lists:read",
    fields: ["filterRules"],
    required: ["filterRules"],
    status: 200,
  },
  {
    method: "post",
    path: "/lead-lists/manage",
    scope: "lead_lists:write",
    fields: ["listId", "input", "leadIds"],
    actions: ["update", "delete", "addMembers", "removeMembers"],
    required: ["listId"],
    status: 200,
    also: [404],
  },

  {
    method: "get",
    path: "/custom-fields",
    scope: "custom_fields:read",
    fields: ["includeArchived"],
    enums: { includeArchived: ["true", "false"] },
    status: 200,
  },
  {
    method: "post",
    path: "/custom-fields",
    scope: "custom_fields:write",
    fields: ["label", "key", "type", "options"],
    enums: fieldTypes,
    required: ["label"],
    status: 201,
  },
  { method: "get", path: "/custom-fields/variables", scope: "custom_fields:read", fields: [], status: 200 },
  {
    method: "post",
    path: "/custom-fields/manage",
    scope: "custom_fields:write",
    fields: ["fieldId", "input", "ids"],
    actions: ["update", "reorder", "delete"],
    status: 200,
    also: [404],
  },

  { method: "get", path: "/deals", scope: "deals:read", fields: ["leadId"], status: 200 },
  {
    method: "post",
    path: "/deals",
    scope: "deals:write",
    fields: ["leadId", "name", "stage", "amountCents"],
    required: ["leadId", "name"],
    status: 201,
  },
  { method: "post", path: "/deals/{}/delete", scope: "deals:write", fields: [], status: 200 },

  { method: "get", path: "/mailboxes", scope: "mailboxes:read", fields: [], status: 200 },
  { method: "get", path: "/mailboxes/{}", scope: "mailboxes:read", fields: [], status: 200, also: [404] },
  {
    method: "post",
    path: "/mailboxes/manage",
    scope: "mailboxes:write",
    fields: ["mailboxId", "mailboxIds", "patch", "add", "remove"],
    actions: ["updateSettings", "updateTags", "bulkUpdateSettings", "bulkUpdateTags", "pause", "resume"],
    status: 200,
    also: [404],
  },
  {
    method: "post",
    path: "/mailboxes/tracking-domain",
    scope: "mailboxes:write",
    fields: ["mailboxId", "domain"],
    actions: ["set", "verify", "detach"],
    required: ["mailboxId"],
    status: 200,
    also: [404],
  },
  {
    method: "post",
    path: "/mailboxes/{}/verify-dns",
    scope: { status: "mailboxes:read", resend: "mailboxes:write", skip: "mailboxes:write" },
    fields: [],
    actions: ["status", "resend", "skip"],
    otherwise: "status",
    status: 200,
    also: [404],
  },
  {
    method: "post",
    path: "/mailboxes/connect",
    scope: "mailboxes:connect",
    fields: ["credentials", "providerA", "providerB"],
    actions: ["smtpTest", "smtpConnect", "providerAOAuthStart", "providerAAppPassword", "providerBOAuthStart", "providerBSmtp"],
    status: 200,
  },
  {
    method: "post",
    path: "/mailboxes/{}/disconnect",
    scope: "mailboxes:connect",
    fields: [],
    actions: ["disconnect", "delete"],
    otherwise: "disconnect",
    status: 200,
    also: [404],
  },
  {
    method: "post",
    path: "/mailboxes/import/test-bulk",
    scope: "mailboxes:connect",
    fields: ["rows"],
    required: ["rows"],
    status: 200,
  },
  {
    method: "post",
    path: "/mailboxes/import/csv",
    scope: "mailboxes:connect",
    fields: ["fileName", "rows"],
    required: ["fileName", "rows"],
    status: 202,
  },
  { method: "get", path: "/mailboxes/import/{}", scope: "mailboxes:connect", fields: [], status: 200, also: [404] },

  { method: "get", path: "/warmup/enrolments", scope: "warmup:read", fields: [...page, "status", "search"], status: 200 },
  { method: "get", path: "/warmup/enrolments/{}", scope: "warmup:read", fields: [], status: 200, also: [404] },
  { method: "get", path: "/warmup/enrolments/{}/heatmap", scope: "warmup:read", fields: ["days"], status: 200, also: [404] },
  { method: "get", path: "/warmup/enrolments/{}/reputation", scope: "warmup:read", fields: ["days"], status: 200, also: [404] },
  { method: "get", path: "/warmup/enrolments/{}/bounces", scope: "warmup:read", fields: [], status: 200, also: [404] },
  { method: "post", path: "/warmup/manage", scope: "warmup:write", fields: [], status: 200, also: [404] },
  { method: "post", path: "/warmup/pools", scope: "warmup:read", fields: [], status: 200, also: [404] },

  {
    method: "get",
    path: "/inbox/threads",
    scope: "inbox:read",
    fields: [
      ...[...page, "archived", "unreadOnly", "starredOnly", "hasAttachments", "campaignId", "mailboxIds", "category", "categories"],
      ...["search", "lastMessageAfter", "lastMessageBefore"],
    ],
    status: 200,
  },
  { method: "get", path: "/inbox/summary", scope: "inbox:read", fields: [], status: 200 },
  { method: "get", path: "/inbox/scheduled", scope: "inbox:read", fields: [...page, "status", "mailboxIds"], status: 200 },
  { method: "post", path: "/inbox/scheduled/{}/cancel", scope: "inbox:write", fields: [], status: 200 },
  {
    method: "post",
    path: "/inbox/messages/{}/category",
    scope: "inbox:write",
    fields: ["category"],
    required: ["category"],
    status: 200,
    also: [404],
  },

  {
    method: "post",
    path: "/webhooks",
    scope: "webhooks:write",
    fields: ["url", "events"],
    required: ["url"],
    status: 201,
  },
  { method: "get", path: "/webhooks/deliveries/dlq", scope: "webhooks:read", fields: [], status: 200 },
  { method: "post", path: "/webhooks/deliveries/{}/requeue", scope: "webhooks:write", fields: [], status: 200 },
];

/** Lines that are not served yet, each with the area it belongs to. The work on an area empties its part of the list. */
export const LATER = [/^\/warmup\//];

/** What this service adds to the interface. Each is marked (add) in the documents or in their notes. */
export const ADDED: string[] = [
  "get /workspace",
  "post /workspace",
  "get /account",
  "get /workspaces",
  "post /workspaces",
  "get /members",
  "post /members/manage",
  "get /invites",
  "post /invites/manage",
  "get /audit-log",
  "get /campaigns/{}/recipients/{}/explain",
  "get /campaigns/{}/recipients/export",
  "get /campaigns/{}/metrics",
  "get /campaigns/{}/experiment",
  "post /conversions",
  "get /campaigns/{}/sends",
  "post /campaigns/{}/sends/{}/resolve",
  "get /sends",
  "get /inbox/threads/{}",
  "post /inbox/threads/manage",
  "get /inbox/threads/{}/draft",
  "put /inbox/threads/{}/draft",
  "delete /inbox/threads/{}/draft",
  "get /inbox/messages/{}/attachments/{}",
  "post /inbox/threads/{}/reply",
  "post /inbox/threads/{}/schedule",
  "get /approvals",
  "get /approvals/{}",
  "post /approvals/{}",
  "post /leads/import/file",
  "post /files",
  "get /leads/import/{}",
  "post /leads/import/{}/cancel",
  "post /mailboxes/import/{}/cancel",
  "get /jobs",
  "get /jobs/{}",
  "post /jobs/{}/cancel",
  "get /analytics/report",
  "get /analytics/report/export",
  "get /analytics/links",
  "get /analytics/links/export",
  "get /conversions",
  "post /conversions/test",
  "get /webhooks",
  "get /webhooks/deliveries",
  "get /webhooks/deliveries/{}",
  "get /webhooks/{}",
  "patch /webhooks/{}",
  "delete /webhooks/{}",
  "post /webhooks/{}/test",
  "post /webhooks/{}/rotate-secret",
];
