/** The lines of an export of a workspace (rules/evidence 1.3). */

/** The names that the first and the last line of an export have instead of a collection's name. */
const [BEGINNING, END] = ["_export", "_end"];

/** The prefix of the ids of export files. An export does not contain the files of earlier exports. */
export const EXPORT_FILE = "wsx_";

/** A text that occurs only in the JSON of an encrypted value. Within a string its quotes would be escaped. */
const SEALED = '"wrapNonce":';

export function headLine(head: { workspaceId: string; startedAt: Date }): string {
  return lineOf(BEGINNING, { format: 1, ...head });
}

/** The last line of an export. A file without it is incomplete. */
export function endLine(counts: Readonly<Record<string, number>>): string {
  return lineOf(END, { documents: Object.values(counts).reduce((sum, count) => sum + count, 0), counts });
}

/** The line of one document. Each encrypted value in it becomes null, even if its field is not marked as a secret. */
export function lineOf(collection: string, document: object): string {
  const line = JSON.stringify({ collection, document });
  return `${line.includes(SEALED) ? JSON.stringify({ collection, document }, withoutSealed) : line}\n`;
}

function withoutSealed(_name: string, value: unknown): unknown {
  const isSealed = typeof value === "object" && value !== null && "wrapNonce" in value && "wrapped" in value;
  return isSealed ? null : value;
}
