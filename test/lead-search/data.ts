import { Readable } from "node:stream";
import { type ImportProgress, importPeople } from "../../operations/lead-search/import-people.ts";

/** Imports a file of people. */
export function importText(text: string, name = "people.csv"): Promise<ImportProgress> {
  return importPeople(Readable.from([Buffer.from(text)]), name);
}

export interface Row {
  [field: string]: unknown;
}

/** People, one a line of JSON. */
export function importRows(rows: readonly Row[]): Promise<ImportProgress> {
  return importText(rows.map((row) => JSON.stringify(row)).join("\n"), "people.ndjson");
}

/** People of one company, of whom some have no address or no number. */
export function peopleOf(count: number, more: Row = {}): Row[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `p${index}`,
    firstName: "Ada",
    lastName: `Lovelace ${index}`,
    title: "Engineer",
    companyDomain: "a.example",
    country: "Spain",
    email: `p${index}@a.example`,
    phone: `+34 600 ${index}`,
    ...more,
  }));
}
