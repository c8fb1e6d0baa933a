import { hashPassword, isPassword, whyNotPassword } from "../../domain/access/password.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { KnownBrowser } from "../../models/known-browser.ts";
import type { Session } from "../../models/session.ts";
import { User } from "../../models/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { hashOf, newSecret } from "../access/secrets.ts";
import { endSessionsOf } from "../access/sessions.ts";
import { findByAddress, loadPerson } from "./people.ts";

/** How long a browser stays known after a sign-in. */
export const KNOWN_MS = 180 * DAY_MS;

/** The person with this address and password; null for any other pair, after the same time. */
export async function verifyPassword(address: string, password: string): Promise<User | null> {
  const person = await findByAddress(address);
  return (await isPassword(password, person?.passwordHash ?? null)) ? person : null;
}

/** Remembers that the right password was given in this browser, and returns the value of the cookie that tells. */
export async function rememberBrowser(userId: string, now: Date): Promise<string> {
  const { value, hash } = newSecret();
  await KnownBrowser.insertMany([{ _id: hash, userId, expiresAt: new Date(now.getTime() + KNOWN_MS) }]);
  return value;
}

/** Whether the person with this address has signed in in the browser of the cookie. */
export async function isKnownBrowser(value: string, address: string, now: Date): Promise<boolean> {
  const person = await findByAddress(address);
  const own = { _id: hashOf(value), userId: person?._id ?? "", expiresAt: trusted({ $gt: now }) };
  return person !== null && (await KnownBrowser.findOne(own, { _id: 1 }).lean()) !== null;
}

/** Changes the password of a person who knows the present one, and ends every other session. @throws AppError WRONG_PASSWORD */
export async function changePassword(session: Session, current: string, next: string): Promise<void> {
  const person = await loadPerson(session.userId);
  if (!(await isPassword(current, person.passwordHash))) throw new AppError("WRONG_PASSWORD", "The present password is not right");
  const why = whyNotPassword(next, person.email);
  if (why !== null) throw invalid("password", why);
  const passwordHash = await hashPassword(next);
  await inTransaction(async () => {
    await User.updateOne({ _id: person._id }, { $set: { passwordHash } }, sessionOption());
    await KnownBrowser.deleteMany({ userId: person._id }, sessionOption());
    await endSessionsOf(person._id, session);
  });
}
