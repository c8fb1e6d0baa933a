import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { readBy } from "../../domain/issues.ts";
import { noticeNameOf } from "../../domain/mailboxes/transport.ts";
import { noteEnded, noteNotices } from "../../store/inbox/notices.ts";

const MOST_NOTICES = 1_000;
/** 32 bytes in base64url. */
const SECRET = /^[\w-]{43}$/;

/** The parts of Microsoft's notices that are used. What changed is read from the mailbox. */
const Notices = z.looseObject({
  value: z
    .array(z.looseObject({ clientState: z.string().max(128).nullish(), lifecycleEvent: z.string().max(100).nullish() }))
    .max(MOST_NOTICES),
});
/** Microsoft reports no more until it is asked again. */
const ENDS: ReadonlySet<string> = new Set(["subscriptionRemoved", "reauthorizationRequired"]);

/**
 * Records which mailboxes Microsoft has reported. Anyone can post here: a notice counts only with the secret that
 * Microsoft got for that mailbox, and the others are ignored. @throws AppError VALIDATION_FAILED
 */
export async function takeGraphNotices(body: unknown): Promise<void> {
  const notices = readBy(Notices, body);
  if (!notices.success) throw new AppError("VALIDATION_FAILED", "The notices are invalid", { issues: notices.issues });
  const named = notices.data.value.flatMap(({ clientState, lifecycleEvent }) =>
    clientState && SECRET.test(clientState)
      ? [{ name: noticeNameOf(clientState), isEnd: ENDS.has(lifecycleEvent ?? "") }]
      : [],
  );
  const ended = new Set(named.filter(({ isEnd }) => isEnd).map(({ name }) => name));
  const at = new Date();
  await noteEnded([...ended], at);
  await noteNotices(
    [...new Set(named.map(({ name }) => name))].filter((name) => !ended.has(name)),
    at,
  );
}
