import { cellOf } from "../../domain/values/cell.ts";

interface SavedFile {
  fileName: string;
  /** The content; null if the file is too large for an answer and is at `url`. */
  content: string | null;
  url: string | null;
  type: string;
}

/** Saves a file on the person's device, or opens the URL from which the browser downloads it. */
export function saveFile({ fileName, content, url, type }: SavedFile): void {
  if (content === null) {
    if (url !== null) location.assign(url);
    return;
  }
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(address);
}

/** Saves rows as a CSV file that no spreadsheet evaluates. */
export function saveTable(fileName: string, rows: readonly (readonly unknown[])[]): void {
  const quoted = (cell: unknown) => `"${cellOf(cell).replaceAll('"', '""')}"`;
  const content = rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
  saveFile({ fileName, content, url: null, type: "text/csv" });
}
