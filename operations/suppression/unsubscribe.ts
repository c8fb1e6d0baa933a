import { readToken } from "../../domain/access/tokens.ts";
import { maskAddress } from "../../domain/mail/mask-address.ts";
import { Send } from "../../models/sending/send.ts";
import { timeOfId } from "../../mongo/ids.ts";
import { goFirst } from "../../mongo/precedence.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { mayHaveBeenPurged } from "../../store/purge-workspaces.ts";
import { wasLostInRestore } from "../../store/restore.ts";
import { confirmSent, StillRecording } from "../../store/sending/delivery-evidence.ts";
import { findAddressBehind, loadGuardReasons, suppressAddress } from "../../store/suppression/suppress.ts";
import type { Services } from "../context.ts";

/**
 * UNKNOWN: we sent no email with this token. SENDER_GONE: the workspace that sent it was purged and sends no more
 * emails.
 */
export type Unsubscription = "UNSUBSCRIBED" | "SENDER_GONE" | "UNKNOWN";

/**
 * Suppresses the address to which the token's email was sent. The token alone decides (rules/mail 3.3), and using it
 * again changes nothing. Resolves after the commit.
 */
export async function unsubscribeByToken(
  { signing }: Pick<Services, "signing">,
  token: string,
): Promise<Unsubscription> {
  const send = await findSendOf(signing, token);
  if (send === null || send === "SENDER_GONE") return send ?? "UNKNOWN";
  const { workspaceId, to, recipientId } = send;
  await goFirst(workspaceId, () => suppressAddress(workspaceId, to, "UNSUBSCRIBED", { named: recipientId }));
  if (send.state === "UNKNOWN") await proveSent(send);
  return "UNSUBSCRIBED";
}

/** What a person who opens an unsubscribe link may see. The email may have been forwarded to them. */
export interface LinkedAddress {
  /** Masked so that only a person who knows the address recognises it. */
  masked: string;
  isUnsubscribed: boolean;
}

/** Returns null when we sent no email with this token. It changes nothing. */
export async function addressOfToken(
  { signing }: Pick<Services, "signing">,
  token: string,
): Promise<LinkedAddress | "SENDER_GONE" | null> {
  const send = await findSendOf(signing, token);
  if (send === null || send === "SENDER_GONE") return send;
  const reasons = (await loadGuardReasons(send.workspaceId, [send.to])).get(send.to);
  const address = await findAddressBehind(send.workspaceId, send.to);
  return { masked: maskAddress(address), isUnsubscribed: reasons?.includes("UNSUBSCRIBED") ?? false };
}

/**
 * The send whose email contains a token that we signed. A send is deleted only with its workspace (rules/evidence 2.4),
 * or lost when an older backup is restored. After a restore the workspace may still send emails, so the link then
 * counts as invalid.
 */
async function findSendOf(signing: Services["signing"], token: string): Promise<Send | "SENDER_GONE" | null> {
  const read = readToken(signing, "u", token);
  if (read === null) return null;
  // Only the token is known, so the send is looked up across workspaces
  const send = await Send.findOne({ _id: read.sendId }).setOptions({ acrossWorkspaces: true }).lean<Send>();
  if (send !== null) return send;
  const madeAt = timeOfId(read.sendId);
  const isGone = (await mayHaveBeenPurged(madeAt)) && !(await wasLostInRestore(madeAt));
  return isGone ? "SENDER_GONE" : null;
}

/** A used link proves that the email arrived, so a send with an unknown outcome is confirmed (rules/sending 9.3). */
async function proveSent(send: Send): Promise<void> {
  try {
    await inTransaction(() => confirmSent(send, "unsubscribe"));
  } catch (error) {
    // Something else has settled the send since it was read
    if (!(error instanceof StillRecording)) throw error;
  }
}
