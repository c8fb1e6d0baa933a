import { bandOf } from "../../domain/mailboxes/band.ts";
import { scoped } from "../../models/scoped.ts";
import type { Letter } from "../inbox/reply-letter.ts";
import type { ReplyGround } from "./prepare-reply.ts";

/** Two agents could go on with each other for ever. */
const MOST_IN_THREAD = 3;

/**
 * Why a draft waits for a person although the agent may send by itself; null when nothing stands in the way (rules/agent 2.3). Suppression
 * and the kill switch are asked by the mail's own claim, as of every mail.
 */
export async function whyAskFirst({ message, mailbox, lead, settings }: ReplyGround, { to }: Letter): Promise<string | null> {
  if (settings.mode !== "AUTO") return settings.mode;
  const theirs = [message.from, lead?.email, ...(lead?.secondaryEmails ?? [])];
  // Whoever writes the mail chooses where its answer goes
  if (!theirs.includes(to)) return "OTHER_ADDRESSEE";
  if (message.authentication === "FAIL") return "FORGED";
  if (mailbox.status !== "CONNECTED" || bandOf(mailbox) === "BLOCKED") return "MAILBOX";
  const before = { threadId: message.threadId, kind: "REPLY", decidedBy: AGENT };
  return (await scoped(message.workspaceId).Approval.count(before)) >= MOST_IN_THREAD ? "LONG_EXCHANGE" : null;
}

/** Who decided an approval that the agent gave itself. */
export const AGENT = "agent";
