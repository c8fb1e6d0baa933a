import { addressToken } from "./address-token.ts";

/** What the address carries that undoes the connection a consent has made. `until` is epoch milliseconds. */
export interface Undoable {
  workspaceId: string;
  until: number;
  consentId: string;
}

export const { sign: signUndo, read: readUndo } = addressToken<Undoable>("undo");
