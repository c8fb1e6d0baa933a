import { addressToken } from "./address-token.ts";

/** What the URL carries that undoes a connection made by an OAuth consent. `until` is in epoch milliseconds. */
export interface UndoAddress {
  workspaceId: string;
  until: number;
  consentId: string;
}

export const { sign: signUndo, read: readUndo } = addressToken<UndoAddress>("undo");
