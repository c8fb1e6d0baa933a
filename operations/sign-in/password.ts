import { hashPassword, isPassword, whyNotPassword } from "../../domain/access/password.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { KnownBrowser } from "../../models/sign-in/known-browser.ts";
import type { Session } from "../../models/sign-in/session.ts";
import { User } from "../../models/sign-in/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { findMemberships } from "../access/members.ts";
import { hashOf, newSecret } from "../access/secrets.ts";
import { endSessionsOf } from "../access/sessions.ts";
import { type AttemptSource, guess } from "./attempts.ts";
import { findByAddress, loadPerson } from "./people.ts";

/** How long a browser stays known after a sign-in. */
export const KNOWN_MS = 180 * DAY_MS;

/** The name under which wrong passwords are counted. */
export const WRONG_PASSWORDS = "wrong passwords";

/**
 * The person with this address and password, who is a member at the portal; null is the service's own address.
 * `isKnown` says whether this browser is one in which the password was right before.
 * @throws AppError WRONG_PASSWORD, RATE_LIMITED
 */
export async function signIn(
  { email, password, portalId }: { email: string; password: string; portalId: string | null },
  visitor: AttemptSource,
  now: Date,
): Promise<{ person: User; isKnown: boolean }> {
  const isKnown = await isKnownBrowser(visitor, email, now);
  const person = await guess(namesOf(email, visitor, isKnown), WRONG_PASSWORDS, async () => {
    const found = await verifyPassword(email, password);
    // At a portal a person who is in none of its workspaces is answered like a stranger: it does not tell who has an
    // account elsewhere
    if (found === null || !(await isLetIn(found._id, portalId))) throw wrongPair();
    return found;
  });
  return { person, isKnown };
}

export function wrongPair(): AppError {
  return new AppError("WRONG_PASSWORD", "The email address or the password is wrong");
}

async function isLetIn(userId: string, portalId: string | null): Promise<boolean> {
  return portalId === null || (await findMemberships(userId, portalId)).length > 0;
}

/**
 * What a wrong password for an account counts against (rules/access 2.4): the address it came from and the account. A
 * browser that is known to the account counts apart, so guesses from elsewhere do not lock its owner out.
 */
export function namesOf(email: string, { address, knownBrowser }: AttemptSource, isKnown: boolean): string[] {
  return isKnown ? [`browser:${knownBrowser}`] : [`address:${address}`, `account:${email.trim().toLowerCase()}`];
}

/**
 * The person with this address and password; null for any other pair, after the same time. The caller counts the try.
 */
export async function verifyPassword(address: string, password: string): Promise<User | null> {
  const person = await findByAddress(address);
  return (await isPassword(password, person?.passwordHash ?? null)) ? person : null;
}

/** Remembers that this browser gave the right password, and returns the value of the cookie that proves it. */
export async function rememberBrowser(userId: string, now: Date): Promise<string> {
  const { value, hash } = newSecret();
  await KnownBrowser.insertMany([{ _id: hash, userId, expiresAt: new Date(now.getTime() + KNOWN_MS) }]);
  return value;
}

/** Whether the person with this address has signed in in this browser. */
export async function isKnownBrowser({ knownBrowser }: AttemptSource, email: string, now: Date): Promise<boolean> {
  if (knownBrowser === null) return false;
  const person = await findByAddress(email);
  const own = { _id: hashOf(knownBrowser), userId: person?._id ?? "", expiresAt: trusted({ $gt: now }) };
  return person !== null && (await KnownBrowser.findOne(own, { _id: 1 }).lean()) !== null;
}

/**
 * Changes the password of a person who knows the present one, and ends every other session. The caller counts the try.
 * @throws AppError WRONG_PASSWORD
 */
export async function changePassword(session: Session, current: string, next: string): Promise<void> {
  const person = await loadPerson(session.userId);
  if (!(await isPassword(current, person.passwordHash)))
    throw new AppError("WRONG_PASSWORD", "The present password is not right");
  const why = whyNotPassword(next, person.email);
  if (why !== null) throw invalid("password", why);
  const passwordHash = await hashPassword(next);
  await inTransaction(async () => {
    await User.updateOne({ _id: person._id }, { $set: { passwordHash } }, sessionOption());
    await KnownBrowser.deleteMany({ userId: person._id }, sessionOption());
    await endSessionsOf(person._id, session);
  });
}
