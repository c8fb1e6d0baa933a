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
 * Returns the person with this address and password, who must be a member at the portal; `portalId` is null for the
 * service's own address. `isKnown`: the password was correct in this browser before.
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
    // At a portal, a person without access to its workspaces gets the same error as an unknown person, so that it does
    // not reveal accounts elsewhere
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
 * The names for which a wrong password is counted (rules/access 2.4): the network address and the account. A browser
 * known to the account is counted separately, so that guesses from elsewhere do not lock out its owner.
 */
export function namesOf(email: string, { address, knownBrowser }: AttemptSource, isKnown: boolean): string[] {
  return isKnown ? [`browser:${knownBrowser}`] : [`address:${address}`, `account:${email.trim().toLowerCase()}`];
}

/**
 * The person with this address and password; null for any other pair, after the same time. The caller must count the
 * attempt.
 */
export async function verifyPassword(address: string, password: string): Promise<User | null> {
  const person = await findByAddress(address);
  return (await isPassword(password, person?.passwordHash ?? null)) ? person : null;
}

/** Stores that the password was correct in this browser, and returns the value of the cookie that proves it. */
export async function rememberBrowser(userId: string, now: Date): Promise<string> {
  const { value, hash } = newSecret();
  await KnownBrowser.insertMany([{ _id: hash, userId, expiresAt: new Date(now.getTime() + KNOWN_MS) }]);
  return value;
}

/** Returns true when the person with this address has signed in in this browser before. */
export async function isKnownBrowser({ knownBrowser }: AttemptSource, email: string, now: Date): Promise<boolean> {
  if (knownBrowser === null) return false;
  const person = await findByAddress(email);
  const own = { _id: hashOf(knownBrowser), userId: person?._id ?? "", expiresAt: trusted({ $gt: now }) };
  return person !== null && (await KnownBrowser.findOne(own, { _id: 1 }).lean()) !== null;
}

/**
 * Changes a person's password after checking the current one, and ends all their other sessions. The caller must count
 * the attempt.
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
