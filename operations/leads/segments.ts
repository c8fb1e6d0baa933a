import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { FILTER_RULES } from "../../domain/leads/filter-rules-schema.ts";
import { type FilterTree, readFilterRules, type SegmentRule } from "../../domain/leads/segment.ts";
import { eventRules } from "../../domain/leads/segment-query.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { countSegment, PREVIEW_MS, resolveSegment, sampleOf } from "../../store/leads/segment.ts";
import { operation } from "../operation.ts";
import { Lead } from "./record.ts";

const SAMPLE = 10;

/** The rules as sent; `filterRulesOf` parses them and checks every name in them. */
export const filterRules = z.record(z.string(), z.unknown()).meta({
  ...FILTER_RULES,
  description:
    "A filter for leads: `{combinator, rules}`, or fields with their required values; `{}` matches every lead",
});

export const preview = operation({
  summary: "Count the leads that match filter rules now, and show up to ten",
  scope: "lead_lists:read",
  errors: ["CAMPAIGN_NOT_FOUND", "FILTER_INVALID", "LIST_NOT_FOUND"],
  input: z.strictObject({ filterRules }),
  output: z.object({
    count: z.number().int().describe("How many leads match"),
    sample: z.array(Lead).describe("Up to ten matching leads"),
  }),
  async run({ workspaceId }, { filterRules }) {
    const tree = await filterRulesOf(workspaceId, filterRules, "filterRules");
    const segment = await resolveSegment(workspaceId, tree, new Date(), PREVIEW_MS);
    // In parallel, because a sample of few matches takes as long as their count
    const [count, sample] = await Promise.all([
      countSegment(segment, PREVIEW_MS),
      sampleOf(segment, SAMPLE, PREVIEW_MS),
    ]);
    return { count, sample };
  },
});

/**
 * Parses a caller's filter rules and checks that their campaigns and lists belong to the workspace. `at` is their path
 * in the request.
 * @throws FILTER_INVALID, CAMPAIGN_NOT_FOUND, LIST_NOT_FOUND
 */
export async function filterRulesOf(workspaceId: string, value: unknown, at: string): Promise<FilterTree> {
  const tree = readFilterRules(value, { at });
  const { Campaign, LeadList } = scoped(workspaceId);
  const campaignIds = new Set(eventRules(tree).flatMap(({ campaignId }) => campaignId ?? []));
  const campaigns = campaignIds.size === 0 ? 0 : await Campaign.count({ _id: trusted({ $in: [...campaignIds] }) });
  if (campaigns < campaignIds.size) throw new AppError("CAMPAIGN_NOT_FOUND", "No campaign has this id");
  const listIds = new Set(listsIn(tree));
  const lists =
    listIds.size === 0 ? [] : await LeadList.find({ _id: trusted({ $in: [...listIds] }) }, { select: { type: 1 } });
  if (lists.length < listIds.size) throw new AppError("LIST_NOT_FOUND", "No lead list has this id");
  if (lists.some(({ type }) => type === "DYNAMIC")) {
    const issues = [{ path: at, code: "BAD_VALUE", message: "may name STATIC lists only: a segment has no members" }];
    throw new AppError("FILTER_INVALID", "The filter rules are not valid", { issues });
  }
  return tree;
}

function listsIn(rule: SegmentRule): string[] {
  if (rule.kind === "GROUP") return rule.rules.flatMap(listsIn);
  return rule.kind === "FIELD" && rule.field.name === "listIds" && rule.test.is === "LABELS" ? rule.test.labels : [];
}
