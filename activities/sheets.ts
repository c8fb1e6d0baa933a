import { Context } from "@temporalio/activity";
import { CsvError, parse } from "csv-parse/sync";
import { EgressError } from "../connectors/net/connect.ts";
import type { Egress, EgressResponse } from "../connectors/net/egress.ts";
import type { KeyRing } from "../domain/access/seal.ts";
import {
  csvAddressOf,
  maySheetLeadTo,
  SHEET,
  type Sheet,
  type SheetIds,
  type SheetOutcome,
} from "../domain/leads/sheet.ts";
import { keepSheet, type ReadSheet, sheetAsked, TooManyRows } from "../store/leads/sheets.ts";

export interface SheetDeps {
  egress: Egress;
  keyRing: KeyRing;
  /** The base URL of the spreadsheet server; null when none is configured. */
  sheetsUrl: string | null;
}

export interface SheetActivities {
  fetchSheet(ids: SheetIds): Promise<SheetOutcome>;
}

/** The activities that read spreadsheets shared with anyone who has the link. */
export function sheetActivities({ egress, keyRing, sheetsUrl }: SheetDeps): SheetActivities {
  /**
   * Reads a sheet as CSV and stores its rows for the caller. If the sheet cannot be read, this is returned as an
   * outcome, not thrown.
   */
  async function fetchSheet(ids: SheetIds): Promise<SheetOutcome> {
    const sheet = await sheetAsked(keyRing, ids);
    if (sheet === null || sheetsUrl === null) return { kind: "away" };
    try {
      const answer = await fetchSheetCsv(sheet, sheetsUrl);
      if (answer === null) return { kind: "unreadable", why: "it is private: let anyone with the link view it" };
      return await readAnswer(ids, answer);
    } catch (error) {
      if (error instanceof EgressError) return { kind: "away" };
      if (error instanceof CsvError) return { kind: "unreadable", why: "it is not CSV" };
      if (error instanceof TooManyRows) return { kind: "too-many" };
      throw error;
    }
  }

  /** Follows redirects within the spreadsheet server. Returns null when one leads to another server. */
  async function fetchSheetCsv(sheet: Sheet, server: string): Promise<EgressResponse | null> {
    const until = performance.now() + SHEET.timeoutMs;
    let url = new URL(csvAddressOf(sheet, server));
    for (let hops = 0; hops <= SHEET.maxRedirects; hops++) {
      const timeoutMs = Math.max(1, Math.ceil(until - performance.now()));
      const signal = Context.current().cancellationSignal;
      const answer = await egress.request(url.href, { method: "GET", timeoutMs, maxBodyBytes: SHEET.maxBytes, signal });
      if (answer.statusCode < 300 || answer.statusCode >= 400) return answer;
      const next = URL.parse([answer.headers["location"]].flat()[0] ?? "", url.href);
      if (next === null || !maySheetLeadTo(next, server)) return null;
      url = next;
    }
    return null;
  }

  async function readAnswer(
    ids: SheetIds,
    { statusCode, headers, bodyExcerpt, isBodyComplete }: EgressResponse,
  ): Promise<SheetOutcome> {
    if (statusCode === 429 || statusCode >= 500) return { kind: "away" };
    const isCsv = /^text\/(csv|plain)\b/i.test(String(headers["content-type"] ?? ""));
    if (statusCode !== 200 || !isCsv)
      return { kind: "unreadable", why: "it does not exist, or is private: let anyone with the link view it" };
    if (!isBodyComplete) {
      const isLarge = bodyExcerpt.length >= SHEET.maxBytes;
      return isLarge ? { kind: "unreadable", why: `it is larger than ${SHEET.maxBytes} bytes` } : { kind: "away" };
    }
    const fileName = fileNameOf(String(headers["content-disposition"] ?? ""));
    return { kind: "read", parts: await keepSheet(keyRing, ids, readCsv(fileName, bodyExcerpt)) };
  }

  return { fetchSheet };
}

function readCsv(fileName: string, bytes: Buffer): ReadSheet {
  const text = new TextDecoder("utf-8").decode(bytes).replaceAll("\0", "");
  const [head = [], ...rows]: string[][] = parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true });
  return {
    fileName,
    columns: uniqueNames(head),
    rows: rows.filter((cells) => cells.some((cell) => cell.trim() !== "")),
  };
}

/** Returns a unique name for every column. */
function uniqueNames(head: string[]): string[] {
  const taken = new Set<string>();
  return head.map((cell, index) => {
    const wanted =
      cell.trim() === "" || cell.trim() === "__proto__" ? `Column ${index + 1}` : cell.trim().slice(0, 200);
    let name = wanted;
    for (let again = 2; taken.has(name); again++) name = `${wanted} (${again})`;
    taken.add(name);
    return name;
  });
}

/** The file name in a Content-Disposition header (RFC 6266): `filename*` takes precedence over `filename`. */
function fileNameOf(disposition: string): string {
  const [, extended] = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition) ?? [];
  const [, plain] = /filename\s*=\s*"([^"]*)"/i.exec(disposition) ?? [];
  const name = (extended === undefined ? null : decoded(extended)) ?? plain ?? "";
  return name === "" ? "sheet.csv" : name.slice(0, 200);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
