import { readToken } from "../../domain/access/tokens.ts";
import { Send } from "../../models/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { confirmSent, StillRecording } from "../../store/sending/delivery-evidence.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import type { Services } from "../context.ts";

/**
 * Suppresses the address that the token's mail was sent to. The token alone decides (rules/mail 3.3), and using it again changes nothing.
 * Returns, after the commit, false when no mail of ours carries the token.
 */
export async function unsubscribeByToken({ signing }: Pick<Services, "signing">, token: string): Promise<boolean> {
  const read = readToken(signing, "u", token);
  if (read === null) return false;
  // Only the token is known, so the send is looked up across workspaces
  const send = await Send.findOne({ _id: read.sendId }).setOptions({ acrossWorkspaces: true }).lean<Send>();
  if (send === null) return false;
  await suppressAddress(send.workspaceId, send.to, "UNSUBSCRIBED", { named: send.recipientId });
  if (send.state === "UNKNOWN") await proveSent(send);
  return true;
}

/** Whoever uses the link has received the mail, so a send with an unknown outcome is confirmed (rules/sending 9.3). */
async function proveSent(send: Send): Promise<void> {
  try {
    await inTransaction(() => confirmSent(send, "unsubscribe"));
  } catch (error) {
    // Something else has settled the send since it was read
    if (!(error instanceof StillRecording)) throw error;
  }
}
