/** The lines of an export of a workspace (rules/evidence 1.3). */

/** What the first and the last line have in the place of a collection's name. */
const [BEGINNING, END] = ["_export", "_end"];

/** How ids of exported files begin. No export contains a file of an earlier export. */
export const EXPORT_FILE = "wsx_";

/** Only a sealed value has fields of these names. Quotes within a text are escaped, so no text looks like this. */
const SEALED = '"wrapNonce":';

export function headLine(head: { workspaceId: string; startedAt: Date }): string {
  return lineOf(BEGINNING, { format: 1, ...head });
}

/** Without this line a file is incomplete. */
export function endLine(counts: Readonly<Record<string, number>>): string {
  return lineOf(END, { documents: Object.values(counts).reduce((sum, count) => sum + count, 0), counts });
}

/** One document. A sealed value in it becomes null, even where no field is marked as a secret. */
export function lineOf(collection: string, document: object): string {
  const line = JSON.stringify({ collection, document });
  return `${line.includes(SEALED) ? JSON.stringify({ collection, document }, withoutSealed) : line}\n`;
}

function withoutSealed(_name: string, value: unknown): unknown {
  const isSealed = typeof value === "object" && value !== null && "wrapNonce" in value && "wrapped" in value;
  return isSealed ? null : value;
}
