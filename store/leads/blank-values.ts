import { OPEN } from "../../domain/states.ts";
import { foldVariableName } from "../../domain/templates/liquid.ts";
import { BUILT_INS } from "../../domain/templates/variables.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";

/**
 * The maximum number of people that are counted, newest first. A launch waits for the result, and a sample of this size
 * shows the share well enough.
 */
const MOST_COUNTED = 2_000;
const LEAD_FIELDS =
  "firstName lastName fullName company website jobTitle phone city state country timezone lead.source".split(" ");
const BUILT_IN = new Map(BUILT_INS.map(({ key }) => [foldVariableName(key), key]));

/** The key of the lead field that a variable name refers to; null for variables that the service provides. */
export function leadKeyOf(name: string): string | null {
  const key = name.replace(/^customFields\./i, "");
  const builtIn = key === name ? BUILT_IN.get(foldVariableName(name)) : undefined;
  if (builtIn !== undefined) return LEAD_FIELDS.includes(builtIn) ? builtIn : null;
  return `customFields.${key}`;
}

/**
 * Counts the people who will still be emailed and lack all values of a set of keys, for each set, and how many people
 * were counted. The database counts, so nothing is rendered. `custom` are the keys of the workspace's custom fields,
 * because names ignore case and underscores.
 */
export async function countBlank(
  { workspaceId, _id: campaignId }: Pick<Campaign, "workspaceId" | "_id">,
  sets: readonly (readonly string[])[],
  custom: readonly string[],
): Promise<{ counts: number[]; people: number }> {
  const { Lead, Recipient } = scoped(workspaceId);
  if (sets.length === 0) return { counts: [], people: 0 };
  const group = {
    _id: null,
    people: { $sum: 1 },
    ...Object.fromEntries(
      sets.map((keys, index) => [
        `n${index}`,
        { $sum: { $cond: [{ $and: keys.map((key) => blank(key, custom)) }, 1, 0] } },
      ]),
    ),
  };
  const open = { campaignId, status: { $in: [...OPEN] } };
  const newest = await Recipient.read(open, { select: { leadId: 1 }, sort: { _id: -1 }, limit: MOST_COUNTED });
  const [found] = await Lead.aggregate<Record<string, number>>(
    { _id: { $in: newest.map(({ leadId }) => leadId) } },
    { $group: group },
  );
  return { counts: sets.map((_, index) => found?.[`n${index}`] ?? 0), people: found?.["people"] ?? 0 };
}

/**
 * An expression that is true for a blank value, as `renderStep` defines it: empty, white space, or a placeholder that
 * an import left.
 */
function blank(key: string, custom: readonly string[]): object {
  if (key === "fullName") return { $and: ["fullName", "firstName", "lastName"].map((one) => isBlankValue(`$${one}`)) };
  if (key === "lead.source") return isBlankValue("$createdFrom.kind");
  if (!key.startsWith("customFields.")) return isBlankValue(`$${key}`);
  const name = key.slice("customFields.".length);
  const same = custom.filter((one) => foldVariableName(one) === foldVariableName(name));
  const fields = [...new Set([name, ...same])];
  return {
    $and: fields.map((field) => isBlankValue({ $getField: { field: { $literal: field }, input: "$customFields" } })),
  };
}

function isBlankValue(value: unknown): object {
  const text = {
    $or: [{ $eq: [{ $trim: { input: "$$value" } }, ""] }, { $gte: [{ $indexOfCP: ["$$value", "{{"] }, 0] }],
  };
  const none = { $in: [{ $type: "$$value" }, ["missing", "null", "undefined", "object"]] };
  const other = { $cond: [{ $isArray: "$$value" }, { $eq: ["$$value", []] }, none] };
  return { $let: { vars: { value }, in: { $cond: [{ $eq: [{ $type: "$$value" }, "string"] }, text, other] } } };
}
