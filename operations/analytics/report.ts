import { z } from "zod";
import { COUNTS, type CountCell } from "../../domain/analytics/cells.ts";
import {
  GROUPS,
  type GroupBy,
  isOfSteps,
  isTime,
  keyOf,
  type Sum,
  sumOf,
  timesOf,
} from "../../domain/analytics/groups.ts";
import { moneyText } from "../../domain/decimals.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { type Carried, loadCarried } from "../../store/analytics/carried.ts";
import { readCells } from "../../store/analytics/read-report.ts";
import { countOrUntracked } from "../campaigns/metrics.ts";
import { Metrics } from "../campaigns/record.ts";
import { describedIds } from "../described-ids.ts";
import { commaSeparated, nullable, several } from "../fields.ts";
import { operation } from "../operation.ts";
import { type AskedCampaign, daysAsked, daysShown, readDays, shownDays } from "./asked-days.ts";
import { loadPlaces, type Places } from "./places.ts";

const { campaignId, mailboxId, stepId } = describedIds;

const shape = Metrics.shape;
/** Has no default, because a figure that was not requested is absent. */
const countOrNull = (words: string) => z.number().int().nullable().describe(words);
const rate = (of: string) =>
  z
    .number()
    .nullable()
    .describe(
      `\`${of}\` divided by \`contacted\`, 0 to 1; null for times, and if it exceeds 1 because of earlier emails`,
    );
const measures = {
  ...shape,
  recipients: countOrNull(
    "People in the campaigns now, whenever they were added; null unless grouped by NONE or CAMPAIGN",
  ),
  contacted: z
    .number()
    .int()
    .describe(
      "People whose first email was sent, or tried and permanently refused, in the period; for a step or variant, people who were sent its email",
    ),
  opened: countOrNull(shape.opened.description ?? ""),
  proxyOpened: countOrNull(shape.proxyOpened.description ?? ""),
  clicked: countOrNull(shape.clicked.description ?? ""),
  replyRate: rate("replied"),
  bounceRate: rate("bounced"),
};
export const METRICS = Object.keys(measures) as [keyof typeof measures, ...(keyof typeof measures)[]]; // the keys of a constant
const Measured = z.object(measures).partial();

const Row = z
  .object({
    key: nullable(z.string()).describe(
      "The group: a day (2026-11-24), an ISO week (2026-W48), a month (2026-11), an hour of the week (MON-09 is Mondays from nine to ten), or an id. Null if the step, variant or mailbox is unknown",
    ),
    name: nullable(z.string()).describe(
      "The campaign's name, the step's place, the variant's label or the mailbox's address; null for times",
    ),
    campaignId: nullable(campaignId).describe("The campaign of a row of CAMPAIGN, STEP or VARIANT"),
    stepId: nullable(stepId).describe("The step of a row of STEP or VARIANT"),
    ...Measured.shape,
  })
  .meta({ id: "ReportRow", description: "The figures of one group of a report" });

export const ids = {
  campaignIds: several(campaignId, 1_000)
    .optional()
    .describe("Only these campaigns, at most 1,000. By default all, archived ones included"),
  mailboxIds: several(mailboxId, 1_000)
    .optional()
    .describe("Only emails from these mailboxes and their results, at most 1,000"),
};
export const grouping = {
  groupBy: z.enum(GROUPS).default("NONE").describe("How rows are grouped. Default NONE: one row for all"),
  metrics: commaSeparated(METRICS).optional().describe("Only these figures. By default all"),
};

export const Report = z
  .object({
    ...daysShown,
    totals: Measured.describe("All rows together; `contacted` counts each person once, at the first email"),
    rows: z.array(Row).describe("The groups: every period of time in order; other groups only if they have data"),
  })
  .meta({ id: "Report", description: "The figures of campaigns in a period, by group" });

export const report = operation({
  summary:
    "Report the emails of campaigns and their results: in all, or by day, week, month, hour of the week, campaign, step, variant or mailbox. Exact at any time, today included",
  scope: "analytics:read",
  errors: ["CAMPAIGN_NOT_FOUND"],
  input: z.strictObject({ ...daysAsked, ...ids, ...grouping }),
  output: Report,
  run: ({ workspaceId }, asked) => readReport(workspaceId, asked),
});

export interface ReportAsked {
  from?: string | undefined;
  to?: string | undefined;
  campaignIds?: string[] | undefined;
  mailboxIds?: string[] | undefined;
  groupBy: GroupBy;
  metrics?: string[] | undefined;
}

/** Reads one snapshot of the database, so that stored days and live days are consistent. */
export function readReport(workspaceId: string, asked: ReportAsked): Promise<z.input<typeof Report>> {
  return inTransaction(async () => {
    const { groupBy, mailboxIds = null, metrics = METRICS } = asked;
    const days = await readDays(workspaceId, asked);
    const cells = await readCells(days, groupBy, mailboxIds);
    const carried = metrics.some((name) => TRACKED.includes(name))
      ? await loadCarried(workspaceId, days.campaignIds, groupBy === "CAMPAIGN" || isOfSteps(groupBy))
      : { of: () => ({ opens: false, clicks: false }) };
    const places = await loadPlaces(workspaceId, groupBy, cells, days.campaigns);
    const peopleIn = (some: readonly AskedCampaign[]) =>
      mailboxIds === null ? some.reduce((sum, { recipientCount }) => sum + recipientCount, 0) : null;
    const everything = { ...sumOf(cells), recipients: peopleIn(days.campaigns) };
    const shown = (sum: Summed, by: GroupBy, carries: Carried) => pick(measuresOf(sum, by, carries), metrics);
    const rowOf = (key: string | null, own: readonly CountCell[]) => {
      const [first] = own;
      const campaign = days.campaigns.find(({ _id }) => _id === (groupBy === "CAMPAIGN" ? key : first?.campaignId));
      const recipients =
        groupBy === "NONE" ? everything.recipients : groupBy === "CAMPAIGN" && campaign ? peopleIn([campaign]) : null;
      return {
        key,
        name: places.nameOf(key),
        ...(campaign && { campaignId: campaign._id }),
        ...(isOfSteps(groupBy) && { stepId: first?.stepId ?? null }),
        ...shown({ ...sumOf(own), recipients }, groupBy, carried.of(campaign?._id ?? null)),
      };
    };
    const groups = groupsOf(groupBy, cells, days);
    return {
      ...shownDays(days),
      totals: shown(everything, "NONE", carried.of(null)),
      rows: sorted(groupBy, groups, places).map(({ key, own }) => rowOf(key, own)),
    };
  });
}

interface Group {
  key: string | null;
  own: CountCell[];
}

/**
 * The groups of a report: all times without gaps, all requested campaigns, and every other key that has figures. Cells
 * without a key form one group per campaign and step.
 */
function groupsOf(
  groupBy: GroupBy,
  cells: readonly CountCell[],
  { from, to, campaignIds }: { from: number; to: number; campaignIds: readonly string[] },
) {
  const groups = new Map<string, Group>();
  const groupAt = (id: string, key: string | null) => {
    const group = groups.get(id) ?? { key, own: [] };
    groups.set(id, group);
    return group;
  };
  const fixed =
    timesOf(groupBy, from, to) ?? (groupBy === "NONE" ? ["ALL"] : groupBy === "CAMPAIGN" ? campaignIds : []);
  for (const key of fixed) groupAt(key, key);
  for (const cell of cells) {
    const key = keyOf(groupBy, cell);
    groupAt(key ?? `of ${cell.campaignId} ${cell.stepId}`, key).own.push(cell);
  }
  return [...groups.values()];
}

/**
 * Sorts times chronologically, steps and variants by their position in the sequence, and all others by emails sent.
 * Groups without a key come last.
 */
function sorted(groupBy: GroupBy, groups: readonly Group[], { placeOf }: Places): Group[] {
  if (groupBy === "NONE" || isTime(groupBy)) return [...groups];
  const sentOf = ({ own }: Group) => own.reduce((sum, { counts }) => sum + (counts.sent ?? 0), 0);
  const rank = (group: Group): (string | number)[] => [
    group.key === null ? 1 : 0,
    ...(isOfSteps(groupBy) ? [group.own[0]?.campaignId ?? "", placeOf(group.key)] : [-sentOf(group)]),
    group.key ?? "",
  ];
  const ranked = groups.map((group) => ({ group, by: rank(group) }));
  return ranked.sort((one, other) => compare(one.by, other.by)).map(({ group }) => group);
}

function compare(one: readonly (string | number)[], other: readonly (string | number)[]): number {
  for (const [index, value] of one.entries()) {
    const beside = other[index] ?? value;
    if (value !== beside) return value < beside ? -1 : 1;
  }
  return 0;
}

/** The figures that are unknown where no email was tracked. */
const TRACKED: readonly string[] = ["opened", "proxyOpened", "clicked"];

type Summed = Sum & { recipients: number | null };

function measuresOf(
  { counts, money, recipients }: Summed,
  groupBy: GroupBy,
  carries: Carried,
): z.input<z.ZodObject<typeof measures>> {
  const of = Object.fromEntries(COUNTS.map((name) => [name, counts[name] ?? 0])) as Record<
    (typeof COUNTS)[number],
    number
  >; // by COUNTS
  const { reached, contacted: mailed, opened, proxyOpened, clicked, ...others } = of;
  const contacted = isOfSteps(groupBy) ? mailed : reached;
  const rateOf = (part: number) =>
    isTime(groupBy) || part > contacted ? null : contacted === 0 ? 0 : part / contacted;
  return {
    recipients,
    contacted,
    ...others,
    opened: countOrUntracked(opened, carries.opens),
    proxyOpened: countOrUntracked(proxyOpened, carries.opens),
    clicked: countOrUntracked(clicked, carries.clicks),
    revenue: [...money].sort().map(([currency, amount]) => ({ currency, amount: moneyText(amount) })),
    replyRate: rateOf(others.replied),
    bounceRate: rateOf(others.bounced),
  };
}

function pick<T extends object>(all: T, names: readonly string[]): Partial<T> {
  return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name))) as Partial<T>; // its own keys
}
