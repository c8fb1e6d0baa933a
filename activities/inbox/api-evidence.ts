import type { BearerAccess } from "../../connectors/bearer-call.ts";
import { readHeaders } from "../../connectors/gmail/messages.ts";
import * as gmail from "../../connectors/gmail/send.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import type { GraphAccess } from "../../connectors/graph/call.ts";
import * as graph from "../../connectors/graph/send.ts";
import type { MailApi, ProviderDraft } from "../../domain/mailboxes/transport.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { noteWithdrawn, recordUnsent, resendUnknown } from "../../store/sending/resolve-unknown.ts";
import { confirmByCopy, type UnknownSend } from "./sent-evidence.ts";

/**
 * Asks the mailbox about the draft of a send of unknown outcome (rules/sending 9.2). Gmail can say that an email was not
 * sent: its draft is still there, and once the draft is deleted it never will be. Then the step is sent again, and a
 * reply is shown as not sent. Graph cannot: an accepted email stays a draft for a while.
 * Returns false when the mailbox has sent so many emails since that the next look must continue.
 */
export async function settleDraft(
  access: GraphAccess,
  transport: MailApi["transport"],
  { workspaceId, _id }: UnknownSend,
  refs: MailRefs,
): Promise<boolean> {
  const send = await scoped(workspaceId).Send.get(_id);
  const draft = send?.draft ?? null;
  if (send === null || send.state !== "UNKNOWN" || draft?.transport !== transport) return true;
  const found = await outcomeOf(access, send, draft, refs);
  if (found === "unfinished") return false;
  if (found === "sent") await confirmByCopy(send, send.dataAt ?? send.claimedAt ?? new Date());
  // The step is sent again under a new generation, which makes all the checks of a claim
  if (found === "unsent")
    await inTransaction(async () => {
      // Another process may have settled it meanwhile
      const now = await scoped(workspaceId).Send.get(_id);
      if (now?.state !== "UNKNOWN" || now.draft?.draftId !== draft.draftId) return;
      if ((await resendUnknown(now)) === "REFUSED") await recordUnsent(now);
    });
  return true;
}

/** The values of X-Mail-Ref of sent messages by Gmail's id; null for a message without one. */
export type MailRefs = Map<string, string | null>;

/** Sent messages whose headers are read in one look, so that a busy mailbox's quota is not spent on them. */
const MOST_READ = 200;

async function outcomeOf(
  access: GraphAccess,
  send: Send,
  draft: ProviderDraft,
  refs: MailRefs,
): Promise<"sent" | "unsent" | "unknown" | "unfinished"> {
  const { isWithdrawn = false, draftId } = draft;
  if (draft.transport === "GRAPH") {
    const { kind } = await graph.lookAtDraft(access, draft);
    return kind === "gone" && isWithdrawn ? "unsent" : kind === "sent" ? "sent" : "unknown";
  }
  const found = await gmail.lookAtDraft(access, draft);
  if (found.kind === "draft") {
    await noteWithdrawn(send, draftId, true);
    if (await gmail.deleteDraft(access, draft)) return "unsent";
    // Someone else has sent or deleted it just now
    await noteWithdrawn(send, draftId, false);
    return "unknown";
  }
  const { sent } = found;
  const { mailRef } = send;
  if (sent === null || mailRef === null) return "unknown";
  // A person may have written into the same thread, or sent the draft by hand under another subject
  const looked = isWithdrawn ? sent : sent.filter(({ threadId }) => threadId === draft.threadId);
  if (looked.some(({ id }) => refs.get(id) === mailRef)) return "sent";
  const unread = looked.filter(({ id }) => !refs.has(id));
  for (const { id } of unread.slice(0, MOST_READ)) {
    const ref = await readRef(access, id);
    refs.set(id, ref);
    if (ref === mailRef) return "sent";
  }
  if (unread.length > MOST_READ) return "unfinished";
  const areAllOthers = looked.every(({ id }) => refs.get(id) !== null);
  return isWithdrawn && areAllOthers ? "unsent" : "unknown";
}

/** Null for a message that our service has not sent, or that is deleted. */
async function readRef(access: BearerAccess, messageId: string): Promise<string | null> {
  const headers = await readHeaders(access, messageId, ["X-Mail-Ref"]).catch((error: unknown) => {
    if (error instanceof GmailTrouble && error.kind === "gone") return new Map<string, string>();
    throw error;
  });
  return headers.get("x-mail-ref")?.trim().toLowerCase() ?? null;
}
