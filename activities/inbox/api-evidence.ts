import type { BearerAccess } from "../../connectors/bearer-call.ts";
import { readHeaders } from "../../connectors/gmail/messages.ts";
import { deleteDraft, findSent } from "../../connectors/gmail/send.ts";
import type { GraphAccess } from "../../connectors/graph/call.ts";
import { lookAtDraft } from "../../connectors/graph/send.ts";
import type { MailApi, ProviderDraft } from "../../domain/mailboxes/transport.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { noteWithdrawn, recordUnsent, resendUnknown } from "../../store/sending/resolve-unknown.ts";
import { confirmByCopy, type UnknownSend } from "./sent-evidence.ts";

/**
 * Asks the mailbox about the drafts of sends of unknown outcome (rules/sending 9.2). Gmail can say that an email was not
 * sent: its draft is still there, and once the draft is deleted it never will be. Then the step is sent again, and a
 * reply is shown as not sent. Graph cannot: an accepted email stays a draft for a while.
 */
export async function settleDrafts(
  access: GraphAccess,
  transport: MailApi["transport"],
  sends: readonly UnknownSend[],
): Promise<void> {
  for (const { workspaceId, _id } of sends) {
    const send = await scoped(workspaceId).Send.get(_id);
    const draft = send?.draft ?? null;
    if (send === null || send.state !== "UNKNOWN" || draft?.transport !== transport) continue;
    const found = await stateOf(access, send, draft);
    if (found === "sent") await confirmByCopy(send, send.dataAt ?? send.claimedAt ?? new Date());
    // The step is sent again under a new generation, which makes all the checks of a claim
    if (found === "unsent")
      await inTransaction(async () => {
        // Another process may have settled it meanwhile
        const now = await scoped(workspaceId).Send.get(_id);
        if (now?.state !== "UNKNOWN" || now.draft?.draftId !== draft.draftId) return;
        if ((await resendUnknown(now)) === "REFUSED") await recordUnsent(now);
      });
  }
}

async function stateOf(access: GraphAccess, send: Send, draft: ProviderDraft): Promise<"sent" | "unsent" | "unknown"> {
  const { isWithdrawn = false, draftId } = draft;
  if (draft.transport === "GRAPH") {
    const { kind } = await lookAtDraft(access, draft);
    return kind === "gone" && isWithdrawn ? "unsent" : kind === "sent" ? "sent" : "unknown";
  }
  const found = await findSent(access, draft);
  if (found.kind === "sent") return (await isOurs(access, found.messageId, send.mailRef)) ? "sent" : "unknown";
  if (found.kind === "unknown")
    return isWithdrawn && (await isNoneOf(access, found.others, send)) ? "unsent" : "unknown";
  await noteWithdrawn(send, draftId, true);
  if (await deleteDraft(access, draft)) return "unsent";
  // Someone else has sent or deleted it just now
  await noteWithdrawn(send, draftId, false);
  return "unknown";
}

/** Sent messages of other threads that are looked at, so that a busy mailbox is not read for one email. */
const MOST_OTHERS = 50;

/** Whether our service sent all of them, for other emails: a person may have sent the draft by hand under another subject. */
async function isNoneOf(access: BearerAccess, messageIds: string[] | null, { mailRef }: Send): Promise<boolean> {
  if (messageIds === null || messageIds.length > MOST_OTHERS) return false;
  for (const id of messageIds) {
    const ref = await readRef(access, id);
    if (ref === null || ref === mailRef) return false;
  }
  return true;
}

/** Whether a sent message of the thread is our email: a person may have written into the same thread. */
async function isOurs(access: BearerAccess, messageId: string, mailRef: string | null): Promise<boolean> {
  return mailRef !== null && (await readRef(access, messageId)) === mailRef;
}

async function readRef(access: BearerAccess, messageId: string): Promise<string | null> {
  const headers = await readHeaders(access, messageId, ["X-Mail-Ref"]);
  return headers.get("x-mail-ref")?.trim().toLowerCase() ?? null;
}
