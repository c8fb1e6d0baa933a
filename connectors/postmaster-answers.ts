import { z } from "zod";
import type { ComplianceRow, DomainStat } from "../domain/deliverability/postmaster.ts";

/** The fields of Google's answers that are read. Google omits empty lists. */
const page = { nextPageToken: z.string().max(10_000).optional() };

export const DomainsAnswer = z.object({
  domains: z.array(z.object({ name: z.string(), verificationState: z.string().optional() })).default([]),
  ...page,
});

const StatRow = z.object({
  metric: z.string(),
  date: z.object({ year: z.number().int(), month: z.number().int(), day: z.number().int() }).partial().optional(),
  value: z
    .object({
      doubleValue: z.unknown(),
      floatValue: z.unknown(),
      intValue: z.unknown(),
      stringValue: z.unknown(),
      stringList: z.object({ values: z.array(z.string()).default([]) }),
    })
    .partial()
    .optional(),
});

export const StatsAnswer = z.object({ domainStats: z.array(StatRow).default([]), ...page });

/**
 * One value with its day; empty when the day is incomplete. A value that is neither a number nor a list becomes null,
 * never zero.
 */
export function statIn({ metric, date, value }: z.output<typeof StatRow>): DomainStat[] {
  const day = dayIn(date ?? {});
  if (day === null) return [];
  if (value?.stringList !== undefined) return [{ metric, day, value: value.stringList.values }];
  const [given] = [value?.doubleValue, value?.floatValue, value?.intValue, value?.stringValue].filter(
    (one) => one !== undefined,
  );
  return [{ metric, day, value: shareIn(given) }];
}

const status = z.object({ status: z.string().optional() }).optional();
const Compliance = z.object({
  rowData: z.array(z.object({ requirement: z.string().optional(), status })).default([]),
  oneClickUnsubscribeVerdict: z.object({ status }).optional(),
  honorUnsubscribeVerdict: z.object({ status }).optional(),
});
const ComplianceAnswer = z.object({
  complianceData: Compliance.optional(),
  subdomainComplianceData: Compliance.optional(),
});

/**
 * The compliance rows of a domain: those of the subdomain if Google has them, otherwise those of its registrable
 * domain. Null if the answer has another format.
 */
export function complianceIn(json: unknown): ComplianceRow[] | null {
  const read = ComplianceAnswer.safeParse(json);
  if (!read.success) return null;
  const data = read.data.subdomainComplianceData ?? read.data.complianceData;
  if (data === undefined) return [];
  const verdicts = [
    { requirement: "ONE_CLICK_UNSUBSCRIBE", status: data.oneClickUnsubscribeVerdict?.status },
    { requirement: "HONOR_UNSUBSCRIBE", status: data.honorUnsubscribeVerdict?.status },
  ].filter(({ status }) => status !== undefined);
  const rows = new Map<string, ComplianceRow>();
  for (const { requirement, status } of [...verdicts, ...data.rowData]) {
    if (requirement === undefined || !/^[A-Z][A-Z_]{0,60}$/.test(requirement) || requirement.endsWith("_UNSPECIFIED"))
      continue;
    const said = status?.status;
    rows.set(requirement, { requirement, status: said === "COMPLIANT" || said === "NEEDS_WORK" ? said : "UNKNOWN" });
  }
  return [...rows.values()];
}

/** Google's error codes, from the two places of an answer that may contain them. */
export function reasonsIn(body: string): string[] {
  const ErrorBody = z.object({
    error: z.object({
      status: z.string().optional(),
      errors: z.array(z.looseObject({ reason: z.string().optional() })).optional(),
      details: z.array(z.looseObject({ reason: z.string().optional() })).optional(),
    }),
  });
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    return [];
  }
  const read = ErrorBody.safeParse(json);
  if (!read.success) return [];
  const { status, errors = [], details = [] } = read.data.error;
  // Only values with the format of a code, because other text may repeat parts of the request
  return [status, ...[...errors, ...details].map(({ reason }) => reason)].filter(isCode).slice(0, 5);
}

function isCode(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z_]{1,60}$/.test(text);
}

/**
 * A share from 0 to 1; null for anything else. Digits in a string count as a number, because Google sends whole numbers
 * as strings.
 */
function shareIn(value: unknown): number | null {
  const number =
    typeof value === "number" ? value : typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? Number(value) : null;
  return number !== null && number >= 0 && number <= 1 ? number : null;
}

function dayIn({
  year = 0,
  month = 0,
  day = 0,
}: {
  year?: number | undefined;
  month?: number | undefined;
  day?: number | undefined;
}): string | null {
  const text = `${String(year).padStart(4, "0")}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  return z.iso.date().safeParse(text).success ? text : null;
}
