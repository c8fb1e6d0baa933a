import { addressToken } from "./address-token.ts";

/** What the URL of an attachment carries. `until` is in epoch milliseconds. */
export interface FileAddress {
  workspaceId: string;
  until: number;
  messageId: string;
  attachmentId: string;
}

export const { sign: signFileToken, read: readFileToken } = addressToken<FileAddress>("file");
