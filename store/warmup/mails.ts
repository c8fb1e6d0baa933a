import { createHash } from "node:crypto";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { sessionOption } from "../../mongo/direct.ts";

/** The id of an opening, the same however often it is planned. */
export function openingId(day: string, fromMailboxId: string, number: number): string {
  return warmupMailId(`${day}\n${fromMailboxId}\n${number}`);
}

/** The id of the answer to an email; there is one at most. */
export function replyId(answeredId: string): string {
  return warmupMailId(`answers\n${answeredId}`);
}

function warmupMailId(text: string): string {
  return `wml_${createHash("sha256").update(text).digest("hex").slice(0, 28)}`;
}

const KEY = "warmup:";

/** The key of a warmup email's row in the ledger, and the email that such a key belongs to. */
export function sendKeyOf(mailId: string): string {
  return `${KEY}${mailId}`;
}

export function mailIdOf(sendKey: string | null): string | null {
  return sendKey?.startsWith(KEY) === true ? sendKey.slice(KEY.length) : null;
}

export function loadWarmupMail(mailId: string): Promise<WarmupMail | null> {
  return WarmupMail.findOne({ _id: mailId }, null, sessionOption()).lean<WarmupMail>().exec();
}

/** Fields that an email must have to be changed, as the driver compares them: never a caller's values. */
export type WarmupMailIs = { [K in keyof WarmupMail]?: unknown } & { [path: `engaged.${string}`]: unknown };

/** Changes an email if it has these fields; null when it has not. Call it in the transaction of the consequences. */
export async function changeWarmupMail(
  mailId: string,
  is: WarmupMailIs,
  set: Partial<WarmupMail> | Record<`engaged.${string}`, Date>,
): Promise<WarmupMail | null> {
  const options = { returnDocument: "after", ...sessionOption() } as const;
  const filter = { _id: mailId, ...is } as object; // the driver's own types want an ObjectId
  return (await WarmupMail.collection.findOneAndUpdate(
    filter,
    { $set: { ...set, updatedAt: new Date() } },
    options,
  )) as WarmupMail | null;
}
