import { readToken } from "../../domain/access/tokens.ts";
import { maskAddress } from "../../domain/mail/mask-address.ts";
import { Send } from "../../models/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { confirmSent, StillRecording } from "../../store/sending/delivery-evidence.ts";
import { loadGuardReasons, suppressAddress } from "../../store/suppression/suppress.ts";
import type { Services } from "../context.ts";

/**
 * Suppresses the address that the token's mail was sent to. The token alone decides (rules/mail 3.3), and using it again changes nothing.
 * Returns, after the commit, false when no mail of ours carries the token.
 */
export async function unsubscribeByToken({ signing }: Pick<Services, "signing">, token: string): Promise<boolean> {
  const send = await findSendOf(signing, token);
  if (send === null) return false;
  await suppressAddress(send.workspaceId, send.to, "UNSUBSCRIBED", { named: send.recipientId });
  if (send.state === "UNKNOWN") await proveSent(send);
  return true;
}

/** What a link to unsubscribe is about, for whoever opens it: perhaps somebody to whom the mail was forwarded. */
export interface LinkedAddress {
  /** Such that only who knows the address recognises it. */
  masked: string;
  isUnsubscribed: boolean;
}

/** Null when no mail of ours carries the token. It changes nothing. */
export async function addressOfToken({ signing }: Pick<Services, "signing">, token: string): Promise<LinkedAddress | null> {
  const send = await findSendOf(signing, token);
  if (send === null) return null;
  const reasons = (await loadGuardReasons(send.workspaceId, [send.to])).get(send.to);
  return { masked: maskAddress(send.to), isUnsubscribed: reasons?.includes("UNSUBSCRIBED") ?? false };
}

async function findSendOf(signing: Services["signing"], token: string): Promise<Send | null> {
  const read = readToken(signing, "u", token);
  if (read === null) return null;
  // Only the token is known, so the send is looked up across workspaces
  return Send.findOne({ _id: read.sendId }).setOptions({ acrossWorkspaces: true }).lean<Send>();
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
