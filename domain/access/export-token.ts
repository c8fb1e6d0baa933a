import { addressToken } from "./address-token.ts";

/** What the URL of an export carries. `until` is in epoch milliseconds. */
export interface ExportAddress {
  workspaceId: string;
  until: number;
  /** What is exported; an address without it is one of leads. */
  kind?: "leads" | "recipients" | "report" | "links" | "workbook" | "workspace";
  /** The filters that the caller asked for. They have been checked already. */
  asked: Record<string, unknown>;
}

export const { sign: signExport, read: readExport } = addressToken<ExportAddress>("export");
