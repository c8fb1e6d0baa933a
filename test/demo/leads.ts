import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { z } from "zod";
import { kindOf } from "../fakes/sandbox-report.ts";

const Rows = z.array(z.record(z.string(), z.string()));
export type Row = z.output<typeof Rows>[number];

/** The rows of one of the demo's own files, by column name, as a caller of the import would send them. */
export async function readLeads(file: "leads.csv" | "others.csv" = "leads.csv"): Promise<Row[]> {
  const text = await readFile(new URL(file, import.meta.url), "utf8");
  return Rows.parse(parse(text, { columns: true, skip_empty_lines: true }));
}

export function addressesOf(rows: readonly Row[]): string[] {
  return rows.map((row) => row["Email"]?.toLowerCase() ?? "");
}

/**
 * How many letters of the sequence a lead is meant to get: one for a lead that reacts, is away or cannot be reached.
 */
export function lettersFor(address: string, letters: number): number {
  const kind = kindOf(address);
  return kind === "plain" || kind === "grey" ? letters : 1;
}

/** How many of these letters a server will ever accept. */
export function deliverableTo(address: string, letters: number): number {
  const kind = kindOf(address);
  return kind === "refuse" || kind === "soft" ? 0 : lettersFor(address, letters);
}
