import { z } from "zod";

/** A value as the discovery document has it: exactly one of these. */
export type GoogleValue =
  | { doubleValue: number }
  | { floatValue: number }
  | { intValue: string }
  | { stringValue: string }
  | { stringList: { values: string[] } };

/** Which filters each metric takes; the others are refused, as is a metric that needs one and has none. */
const FILTERS: Record<string, RegExp> = {
  SPAM_RATE: /^$/,
  AUTH_SUCCESS_RATE: /^auth_type = "(spf|dkim|dmarc)"$/,
  TLS_ENCRYPTION_RATE: /^traffic_direction = "(inbound|outbound)"$/,
  TLS_ENCRYPTION_MESSAGE_COUNT: /^traffic_direction = "(inbound|outbound)"$/,
  DELIVERY_ERROR_RATE: /^(error_type = "(reject|temp_fail)"( AND error_reason = "[a-z_]+")?)?$/,
  DELIVERY_ERROR_COUNT: /^(error_type = "(reject|temp_fail)"( AND error_reason = "[a-z_]+")?)?$/,
  FEEDBACK_LOOP_ID: /^(aggregation_key_type = "(FROM_HEADER|ALL_DKIM)")?$/,
  FEEDBACK_LOOP_SPAM_RATE: /^feedback_loop_id = "[^"]+"( AND aggregation_key_type = "(FROM_HEADER|ALL_DKIM)")?$/,
};

const GoogleDate = z.strictObject({ year: z.int().min(1), month: z.int().min(1).max(12), day: z.int().min(1).max(31) });
const Definition = z
  .strictObject({
    name: z.string().min(1),
    baseMetric: z.strictObject({ standardMetric: z.enum(Object.keys(FILTERS)) }),
    filter: z.string().default(""),
  })
  .refine(({ baseMetric, filter }) => FILTERS[baseMetric.standardMetric]?.test(filter) === true);

/** QueryDomainStatsRequest. What it does not know it refuses, as Google does. */
export const StatsQuery = z.strictObject({
  parent: z.string().optional(),
  metricDefinitions: z.array(Definition).min(1),
  timeQuery: z.strictObject({
    dateRanges: z.strictObject({ dateRanges: z.array(z.strictObject({ start: GoogleDate, end: GoogleDate })).min(1) }),
  }),
  aggregationGranularity: z.enum(["DAILY", "OVERALL"]).default("DAILY"),
  pageSize: z.int().min(1).max(200).default(10),
  pageToken: z.string().default("0"),
});

/** QueryDomainStatsResponse: only days that have values, in no particular order. */
export function statsOf(
  domain: string,
  days: Record<string, Record<string, GoogleValue>>,
  { metricDefinitions, timeQuery, pageSize, pageToken }: z.output<typeof StatsQuery>,
  most: number,
): object {
  const ranges = timeQuery.dateRanges.dateRanges.map(({ start, end }) => [textOf(start), textOf(end)] as const);
  const asked = Object.entries(days).filter(([day]) => ranges.some(([start, end]) => day >= start && day <= end));
  const rows = asked.flatMap(([day, values]) =>
    metricDefinitions.flatMap(({ name, baseMetric, filter }) => {
      const value = values[`${baseMetric.standardMetric} ${filter}`.trim()];
      const [year, month, dayOfMonth] = day.split("-").map(Number);
      const stat = {
        name: `domains/${domain}/domainStats/${day}${name}`,
        metric: name,
        date: { year, month, day: dayOfMonth },
        value,
      };
      return value === undefined ? [] : [stat];
    }),
  );
  const first = Number(pageToken);
  const next = first + Math.min(pageSize, most);
  const page = rows.toReversed().slice(first, next);
  return { ...(page.length > 0 && { domainStats: page }), ...(next < rows.length && { nextPageToken: String(next) }) };
}

function textOf({ year, month, day }: z.output<typeof GoogleDate>): string {
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
