import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { kindOf } from "../fakes/sandbox-report.ts";

const Rows = z.array(z.record(z.string(), z.string()));
export type Row = z.output<typeof Rows>[number];

/** The rows of the demo's own file, by column name, as a caller of the import would post them. */
export async function readLeads(): Promise<Row[]> {
  const text = await readFile(new URL("leads.csv", import.meta.url), "utf8");
  return Rows.parse(parse(text, { columns: true, skip_empty_lines: true }));
}

export function addressesOf(rows: readonly Row[]): string[] {
  return rows.map((row) => row["Email"]?.toLowerCase() ?? "");
}

/** How many letters of the sequence this person is meant to get: whoever reacts, is away or cannot be reached gets one. */
export function lettersFor(address: string, letters: number): number {
  const kind = kindOf(address);
  return kind === "plain" || kind === "grey" ? letters : 1;
}

/** How many of them a server will ever take. */
export function deliverableTo(address: string, letters: number): number {
  const kind = kindOf(address);
  return kind === "refuse" || kind === "soft" ? 0 : lettersFor(address, letters);
}
