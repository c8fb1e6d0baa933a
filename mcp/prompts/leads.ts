import { z } from "zod";
import { idOf, type Prompt, words } from "./prompt.ts";

export const importLeads: Prompt = {
  name: "import_leads",
  title: "Import leads",
  description: "Import people from CSV text into a lead list: a dry run first, then the import",
  arguments: {
    csv: {
      description:
        "The CSV text, whose first line names the columns. Otherwise the person gives it in the conversation",
      schema: z.string().trim().min(1).max(10_000).optional(),
      example: "email,firstName\nada@acme.example,Ada",
    },
    listName: { description: "The name of a new list for them", schema: words.optional(), example: "Fair in Berlin" },
  },
  task: "Import the people of the CSV text as leads. Nothing is sent.",
  steps: [
    {
      tool: "leads_import",
      args: { action: "dryRun", csv: "<csv>" },
      why: "counts what would be created, updated and skipped, and shows how the columns are mapped. It changes nothing",
    },
    {
      tool: "lead_lists",
      args: { action: "create", name: "{listName}" },
      why: "creates the list and returns its id, if the person wants a list",
      optional: true,
    },
    {
      tool: "leads_import",
      args: { action: "commit", csv: "<csv>", listId: "<listId>" },
      why: "imports the same text; leave listId out without a list",
    },
    {
      tool: "leads_import",
      args: { action: "status", jobId: "<jobId>" },
      why: "follows the import, if the result was a job",
    },
  ],
  end: "Before the commit, show the person the counts of the dry run, the unmapped columns and the rows with errors. Afterwards report how many leads were created, updated and skipped.",
};

export const findProspects: Prompt = {
  name: "find_prospects",
  title: "Find new people",
  description: "Search people by title, industry and place, reveal their addresses for credits, and make leads of them",
  arguments: {
    who: {
      description: "Who is wanted: titles, industries, places, sizes of companies",
      schema: words,
      example: "Heads of sales at software companies in Germany",
    },
    maxCredits: {
      description: "The most credits to spend",
      schema: z
        .string()
        .regex(/^\d{1,7}$/, "must be a whole number of at most 7 digits")
        .transform(Number)
        .optional(),
      example: "100",
    },
  },
  task: "Find people who match the description, and make leads of those whose addresses the person wants to reveal.",
  steps: [
    {
      tool: "lead_search_lookups",
      args: { kind: "TITLE", query: "<a title>" },
      why: "returns how the filters spell a title; INDUSTRY, LOCATION and the other kinds work in the same way",
    },
    {
      tool: "lead_search_browse",
      args: { filters: { titles: ["<title>"], locations: ["<location>"] } },
      why: "lists people and how many match; narrow the filters until the number is right. It costs nothing",
    },
    {
      tool: "lead_search_create_list",
      args: { name: "<name of the list>" },
      why: "creates a prospect list and returns its id",
    },
    {
      tool: "lead_search_add_to_list",
      args: { listId: "<prospect listId>", prospectIds: ["<prospectId>"] },
      why: "adds the people that fit",
    },
    { tool: "account_get", why: "shows the credits that are left", optional: true },
    {
      tool: "lead_search_reveal_list",
      args: { listId: "<prospect listId>", maxCredits: "{maxCredits?}" },
      why: "reveals their addresses; each address that is found costs a credit",
    },
    {
      tool: "lead_search_reveal_status",
      args: { jobId: "<jobId>" },
      why: "shows the progress and the credits used",
    },
    {
      tool: "lead_lists",
      args: { action: "create", name: "<name of the list>" },
      why: "creates the lead list for campaigns",
      optional: true,
    },
    {
      tool: "lead_search_copy_to_list",
      args: { fromListId: "<prospect listId>", leadListId: "<leadListId>" },
      why: "makes leads of the people whose addresses were revealed",
      optional: true,
    },
  ],
  end: "Before anything is revealed, tell the person how many people it concerns and how many credits it can cost, and wait for their consent. Then report how many addresses were found.",
};

export const cleanUpLeads: Prompt = {
  name: "clean_up_leads",
  title: "Clean up leads",
  description:
    "Find invalid, bounced and blocked addresses in the leads, and stop emails to them after a person agrees",
  arguments: {
    listId: {
      description: "Only the leads of this list: `lst_…`. Default: all leads",
      schema: idOf("lst"),
      example: "lst_01JA2B3C4D5E6F7G8H9J0K1M2N",
    },
  },
  task: "Find leads that should get no email, and suppress them once the person agrees. Nothing is deleted.",
  steps: [
    {
      tool: "leads_search",
      args: { listId: "{listId?}", verificationStatus: ["INVALID"], suppressed: false, detail: "low" },
      why: "lists leads with an invalid address that may still get email",
    },
    {
      tool: "leads_search",
      args: { listId: "{listId?}", status: ["BOUNCED"], suppressed: false, detail: "low" },
      why: "lists leads whose emails bounced",
    },
    {
      tool: "leads_search",
      args: { listId: "{listId?}", suppressed: true, detail: "low" },
      why: "lists leads that are suppressed already",
    },
    {
      tool: "verification_jobs",
      why: "shows when addresses were last verified, and with which results",
      optional: true,
    },
    {
      tool: "block_list",
      args: { action: "list" },
      why: "lists the addresses and domains to which nothing is ever sent",
      optional: true,
    },
    {
      tool: "leads_suppress",
      args: { action: "suppress", ids: ["<leadId>"] },
      why: "stops their sequences, and no campaign emails them again",
    },
    {
      tool: "block_list",
      args: { action: "add", value: "<address or domain>", reason: "<the person's reason>" },
      why: "blocks an address or a whole domain, replies included",
      optional: true,
    },
    {
      tool: "lead_lists",
      args: { action: "removeMembers", listId: "{listId}", leadIds: ["<leadId>"] },
      why: "removes them from the list, if the person wants that",
      optional: true,
    },
  ],
  end: "Show the person how many leads each search found, with a few examples, and wait for their consent before you suppress or block anyone.",
};
