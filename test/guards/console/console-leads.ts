import type { Guard } from "../guard.ts";

const STORY = "test/console/leads.test.ts";
const IMPORT = "test/console/leads-import.deep.test.ts";
const VIEWER = "sees no buttons for changes";

/** What the pages of leads and of the block list show before they do it, and to whom. */
export const CONSOLE_LEADS: Guard[] = [
  {
    guard: "A file whose upload may have arrived is sent again with its key",
    file: "console/api/upload.ts",
    text: "if (!refused.mayPass) open.current = null;",
    instead: "open.current = null;",
    test: IMPORT,
    only: "answer is lost",
  },
  {
    guard: "The list of an import is made once",
    file: "console/pages/leads-import/check-step.tsx",
    text: "if (before !== undefined) return before;",
    instead: "",
    test: IMPORT,
    only: "answer is lost",
  },
  {
    guard: "A refused row is not evaluated by a spreadsheet",
    file: "console/pages/leads-import/problems.tsx",
    text: '`"${cellOf(cell).replaceAll',
    instead: '`"${String(cell).replaceAll',
    test: IMPORT,
    only: "dropped anywhere",
  },
  {
    guard: "An import that starts after its page was left does not navigate",
    file: "console/pages/leads-import/check-step.tsx",
    text: "if (isShown.current) {",
    instead: "if (isShown !== null) {",
    test: IMPORT,
    only: "survive a look back",
  },
  {
    guard: "A check offers no undo",
    file: "console/pages/leads-import/reads.ts",
    text: 'return result?.["action"] === "dryRun";',
    instead: 'return result?.["action"] === "";',
    test: IMPORT,
    only: "survive a look back",
  },
  {
    guard: "Typed addresses are not lost when a file is imported instead",
    file: "console/pages/campaign-setup/add-recipients.tsx",
    text: "view={{ campaign: campaignId }}>",
    instead: "view={{ campaign: campaignId }} onOpen={onClose}>",
    test: IMPORT,
    only: "leads back to it",
  },
  {
    guard: "Who may not suppress chooses no leads",
    file: "console/pages/leads/leads.tsx",
    text: 'may("leads:suppress") && { several }',
    instead: 'may("leads:read") && { several }',
    test: STORY,
    only: VIEWER,
  },
  {
    guard: "Who may not suppress is offered nothing of the kind on the page of a lead",
    file: "console/pages/leads/lead.tsx",
    text: 'if (!may("leads:suppress")) return null;',
    instead: 'if (!may("leads:read")) return null;',
    test: STORY,
    only: VIEWER,
  },
  {
    guard: "Who may not write the block list is offered no entry",
    file: "console/pages/block-list.tsx",
    text: 'may("block_list:write") && entries.data',
    instead: 'may("block_list:read") && entries.data',
    test: STORY,
    only: VIEWER,
  },
  {
    guard: "Who may not write the block list removes nothing from it",
    file: "console/pages/block-list.tsx",
    text: 'may("block_list:write") && { acts: actsOn }',
    instead: 'may("block_list:read") && { acts: actsOn }',
    test: STORY,
    only: VIEWER,
  },
  {
    guard: "A card names those alone whom it would suppress",
    file: "console/pages/leads/suppression.tsx",
    text: "leads.filter(({ suppressed }) => !suppressed)",
    instead: "[...leads]",
    test: STORY,
    only: "a lead is found",
  },
  {
    guard: "A card names those campaigns alone out of which someone would be taken",
    file: "console/pages/leads/lead.tsx",
    text: "lead.campaigns.filter(({ status }) => isOpen(status))",
    instead: "lead.campaigns.filter(({ status }) => isOpen(status) || true)",
    test: STORY,
    only: "unsuppressing a lead",
  },
  {
    guard: "A late page of a history knows of the imports before it",
    file: "operations/leads/activity.ts",
    text: "{ sort, limit: skip + limit }",
    instead: "{ sort, skip, limit }",
    test: "test/leads/manage.test.ts",
    only: "the history of a lead is paged",
  },
];
