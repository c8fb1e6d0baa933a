import { z } from "zod";
import { MAX_TAGS } from "../../domain/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { tag } from "../fields.ts";
import { operation } from "../operation.ts";
import { Bulk } from "../recipients/record.ts";
import { enrols } from "../sending/causes.ts";
import { BULK_ERRORS, changeLeads, IDS_OR_FILTER, orJob, which } from "./bulk.ts";

const input = z.strictObject({ ...which, tags: z.array(tag).min(1).max(MAX_TAGS).describe("1 to 50 tags") });

/** Sorts alphabetically as people expect: letters first, then accents and case. */
const ALPHABET = new Intl.Collator("en");

export const list = operation({
  summary: "List the tags of all leads in the workspace, alphabetically",
  scope: "leads:read",
  input: z.strictObject({}),
  output: z.array(z.string()),
  run: async ({ workspaceId }) =>
    (await scoped(workspaceId).Lead.textsOf("tags", { workspaceId: 1, tags: 1, _id: -1 })).toSorted(ALPHABET.compare),
});

export const bulkAddTags = operation({
  summary: "Add tags to leads. A lead that would exceed the limit stays unchanged",
  scope: "leads:write",
  errors: BULK_ERRORS,
  effects: { SENDS: enrols },
  input,
  needsOneOf: IDS_OR_FILTER,
  output: orJob(Bulk),
  run: (ctx, { tags, ...asked }) => changeLeads(ctx, "LEAD_CHANGE", { action: "bulkAddTags", tags }, asked),
});

export const bulkRemoveTags = operation({
  summary: "Remove tags from leads",
  scope: "leads:write",
  errors: BULK_ERRORS,
  effects: { SENDS: enrols },
  input,
  needsOneOf: IDS_OR_FILTER,
  output: orJob(Bulk),
  run: (ctx, { tags, ...asked }) => changeLeads(ctx, "LEAD_CHANGE", { action: "bulkRemoveTags", tags }, asked),
});
