import { createHash } from "node:crypto";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { sessionOption } from "../../mongo/direct.ts";

/** The id of an opening email. Planning the same opening again gives the same id. */
export function openingId(day: string, fromMailboxId: string, number: number): string {
  return warmupMailId(`${day}\n${fromMailboxId}\n${number}`);
}

/** The id of the reply to an email; each email has at most one. */
export function replyId(answeredId: string): string {
  return warmupMailId(`answers\n${answeredId}`);
}

function warmupMailId(text: string): string {
  return `wml_${createHash("sha256").update(text).digest("hex").slice(0, 28)}`;
}

const KEY = "warmup:";

/** `sendKeyOf` gives the key of a warmup email's send; `mailIdOf` gives the email of such a key. */
export function sendKeyOf(mailId: string): string {
  return `${KEY}${mailId}`;
}

export function mailIdOf(sendKey: string | null): string | null {
  return sendKey?.startsWith(KEY) === true ? sendKey.slice(KEY.length) : null;
}

export function loadWarmupMail(mailId: string): Promise<WarmupMail | null> {
  return WarmupMail.findOne({ _id: mailId }, null, sessionOption()).lean<WarmupMail>().exec();
}

/**
 * The fields that an email must have in order to be changed, in the driver's form. They never contain a caller's
 * values.
 */
export type WarmupMailIs = { [K in keyof WarmupMail]?: unknown } & { [path: `engaged.${string}`]: unknown };

/** Changes an email if it has these fields; otherwise returns null. Call it in the transaction of the consequences. */
export async function changeWarmupMail(
  mailId: string,
  is: WarmupMailIs,
  set: Partial<WarmupMail> | Record<`engaged.${string}`, Date>,
): Promise<WarmupMail | null> {
  const options = { returnDocument: "after", ...sessionOption() } as const;
  const filter = { _id: mailId, ...is } as object; // The driver's types expect an ObjectId
  return (await WarmupMail.collection.findOneAndUpdate(
    filter,
    { $set: { ...set, updatedAt: new Date() } },
    options,
  )) as WarmupMail | null;
}
