import { readToken } from "../domain/tokens.ts";
import { suppressAddress } from "../ledger/suppress.ts";
import { Send } from "../models/send.ts";
import type { Services } from "./context.ts";

/**
 * Suppresses the address that the token's mail went to; the token alone decides (mail.md 3.2), and using it again changes nothing.
 * Answers false when no mail of ours carries it. Returns after the commit.
 */
export async function unsubscribeByToken({ signing }: Pick<Services, "signing">, token: string): Promise<boolean> {
  const read = readToken(signing, "u", token);
  if (read === null) return false;
  // The token is all that is known: the workspace is found by it
  const send = await Send.findOne({ _id: read.sendId }).setOptions({ acrossWorkspaces: true }).lean<Send>();
  if (send === null) return false;
  await suppressAddress(send.workspaceId, send.to, "UNSUBSCRIBED", { named: send.recipientId });
  return true;
}
