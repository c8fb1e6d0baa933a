import { bandOf } from "../../domain/mailboxes/band.ts";
import { scoped } from "../../models/scoped.ts";
import { BY_AGENT } from "../campaigns/approvals.ts";
import type { Letter } from "../inbox/reply-letter.ts";
import { loadHolds } from "../suppression/open-questions.ts";
import type { ReplyGround } from "./prepare-reply.ts";

/** A limit, because two agents could answer each other forever. */
const MOST_IN_THREAD = 3;

/**
 * Why a draft needs approval although the agent may send automatically; null when it may be sent (rules/agent 2.3). The
 * claim of the email checks suppression and the kill switch, as for every email.
 */
export async function whyAskFirst(ground: ReplyGround, letter: Letter): Promise<string | null> {
  const { message, mailbox, settings } = ground;
  if (settings.mode !== "AUTO") return settings.mode;
  // A follow-up that no one has just asked for is sent only with a person's approval
  if (ground.promise !== null) return "PROMISE";
  // People reply to anyone who may have asked for no more email
  const people = [letter.to, message.from, ground.lead?.email].flatMap((one) => one ?? []);
  if ((await loadHolds(message.workspaceId, people)).size > 0) return "MAY_OPT_OUT";
  if (goesElsewhere(ground, letter)) return "OTHER_ADDRESSEE";
  if (mayBeForged(ground)) return "FORGED";
  if (mailbox.status !== "CONNECTED" || bandOf(mailbox) === "BLOCKED") return "MAILBOX";
  const before = { threadId: message.threadId, kind: "REPLY", decidedBy: BY_AGENT };
  return (await scoped(message.workspaceId).Approval.count(before)) >= MOST_IN_THREAD ? "LONG_EXCHANGE" : null;
}

/** What a person should know before approving: sentences that an approval shows beside its reason (rules/agent 4.5). */
export function doubtsOf(ground: ReplyGround, letter: Letter): string[] {
  return [
    ...(goesElsewhere(ground, letter)
      ? [`It would go to ${letter.to}, which is not the address of whoever wrote`]
      : []),
    ...(mayBeForged(ground) ? ["The address of the author may be forged"] : []),
  ];
}

/** Whether the reply goes to an unknown address. The author of an email chooses that address. */
function goesElsewhere({ message, lead }: ReplyGround, { to }: Letter): boolean {
  return ![message.from, lead?.email, ...(lead?.secondaryEmails ?? [])].includes(to);
}

function mayBeForged({ message }: ReplyGround): boolean {
  return message.authentication === "FAIL";
}
