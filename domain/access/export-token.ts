import { addressToken } from "./address-token.ts";

/** What an address of an export carries. `until` is epoch milliseconds. */
export interface Exported {
  workspaceId: string;
  until: number;
  /** The filters as they were asked for, already checked. */
  asked: Record<string, unknown>;
}

export const { sign: signExport, read: readExport } = addressToken<Exported>("export");
