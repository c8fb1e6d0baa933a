import { type Base, counter, globalModel, instant, text } from "../../mongo/schema.ts";

/**
 * One import into the data set. An import without an end may have left wrong counts, and the next import counts them
 * again.
 */
export interface ProspectImport extends Base {
  fileName: string | null;
  read: number;
  created: number;
  updated: number;
  refused: number;
  finishedAt: Date | null;
}

export const ProspectImport = globalModel<ProspectImport>(
  "ProspectImport",
  "prospect_imports",
  { fileName: text, read: counter, created: counter, updated: counter, refused: counter, finishedAt: instant },
  [{ fields: { finishedAt: 1 } }],
);
