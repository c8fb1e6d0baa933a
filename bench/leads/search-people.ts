import { comparableText, searchKeysOf } from "../../domain/lead-search/filters.ts";
import { isRefusal, readProspect } from "../../domain/lead-search/import-row.ts";

/**
 * Returns the documents that an import would store for these rows, and adds to `counts` how many people have each
 * value.
 */
export function documentsOf(
  start: number,
  count: number,
  rowOf: (index: number) => Record<string, unknown>,
  counts: Map<string, { kind: string; value: string; count: number }>,
): object[] {
  const now = new Date();
  return Array.from({ length: count }, (_, offset) => {
    const read = readProspect(rowOf(start + offset));
    if (isRefusal(read)) throw new Error(read.message);
    const { id: _id, ...rest } = read.person;
    const { email, phone } = read;
    const has = { hasEmail: email !== null, hasPhone: phone !== null };
    const named: [string, string | null][] = [
      ...([
        ["TITLE", rest.title],
        ["SENIORITY", rest.seniority],
        ["DEPARTMENT", rest.department],
        ["INDUSTRY", rest.industry],
      ] as const),
      ...([
        ["COMPANY_SIZE", rest.companySize],
        ["LOCATION", rest.city],
        ["LOCATION", rest.country],
      ] as const),
      ...rest.technologies.map((one): [string, string] => ["TECHNOLOGY", one]),
    ].map(([kind, text]) => [kind ?? "", text ?? null]);
    for (const [kind, text] of named) {
      const value = comparableText(text ?? "");
      const entry = counts.get(`${kind}:${value}`);
      if (entry === undefined) counts.set(`${kind}:${value}`, { kind, value, count: 1 });
      else entry.count++;
    }
    return { _id, ...rest, email, phone, ...has, ...searchKeysOf({ ...rest, ...has }), createdAt: now, updatedAt: now };
  });
}
