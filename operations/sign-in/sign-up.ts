import { hashPassword, whyNotPassword } from "../../domain/access/password.ts";
import { cidIn } from "../../domain/access/sign-up.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { readOneAddress } from "../../domain/values/address.ts";
import { User } from "../../models/sign-in/user.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { startAsNewcomer } from "../../store/newcomers.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { openWorkspace } from "../access/workspaces.ts";
import { type AttemptSource, countTry } from "./attempts.ts";
import { namesOf, verifyPassword, wrongPair } from "./password.ts";
import { isUnclaimed, loadPerson } from "./people.ts";
import type { CountSignUp } from "./sign-up-limits.ts";

/** The most characters of the name of a person or workspace. */
const LONGEST_NAME = 200;

export interface NewAccount {
  email: string;
  name: string | null;
  workspaceName: string;
  password: string;
  /** The parameter `svc` of the page's URL: the id of the recipient whose click led there, if it is valid. */
  svc: string | null;
}

export interface SignedUp {
  userId: string;
  /** As it is stored. */
  email: string;
  workspaceId: string;
  /** The recipient whose click led to the sign-up; null without one. */
  cid: string | null;
}

/** Further work in the transaction of a sign-up. It may run again when the database retries the transaction. */
export type AlsoOnSignUp = (made: SignedUp) => Promise<void>;

/** The address in its stored form. @throws AppError VALIDATION_FAILED */
export function addressOf(text: string): string {
  const read = readOneAddress(text);
  if (read === null) throw invalid("email", "must be an e-mail address");
  return read.address;
}

/** The name of a workspace. @throws AppError VALIDATION_FAILED */
export function workspaceNameOf(text: string): string {
  const name = text.trim();
  if (name === "" || name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
    throw invalid("workspace", `must have 1 to ${LONGEST_NAME} characters in one line`);
  return name;
}

/**
 * Refuses a sign-up before the operator has a password, because the first person with a password becomes the operator.
 * @throws AppError SERVICE_UNAVAILABLE
 */
export async function refuseTooEarly(): Promise<void> {
  if (await isUnclaimed())
    throw new AppError(
      "SERVICE_UNAVAILABLE",
      "No one can sign up yet: the operator of this service has to sign in first",
    );
}

/**
 * Counts every sign-up attempt, also a successful one, because an account costs a password hash and possibly an email.
 * It shares its counter with wrong passwords at sign-in, so sign-ups allow no further guesses.
 * @throws AppError RATE_LIMITED
 */
export async function countSignUpTry(email: string, visitor: AttemptSource): Promise<void> {
  await countTry(namesOf(email, visitor, false), "tries");
}

/**
 * Signs a new person up, or signs in a person who already has an account with this password.
 * @throws AppError as `signUp`, WRONG_PASSWORD, RATE_LIMITED
 */
export async function signUpOrIn(
  account: NewAccount,
  visitor: AttemptSource,
  also: AlsoOnSignUp,
  count: CountSignUp,
): Promise<User> {
  await countSignUpTry(account.email, visitor);
  const takeBack = await count(addressOf(account.email), visitor);
  const made = await signUp(account, also).catch(async (error) => {
    await takeBack();
    throw error;
  });
  if (made !== null) return made;
  await takeBack();
  const person = await verifyPassword(account.email, account.password);
  if (person === null) throw wrongPair();
  return person;
}

/**
 * Creates a person with a password and a workspace that the person owns, and runs `also`, in one transaction. Returns
 * null without effect when the address already has an account. `isConfirmed`: the person has proved to read emails at
 * the address.
 * @throws AppError VALIDATION_FAILED or SERVICE_UNAVAILABLE, without effect
 */
export async function signUp(
  account: NewAccount,
  also: AlsoOnSignUp,
  { isConfirmed = false } = {},
): Promise<User | null> {
  const email = addressOf(account.email);
  const workspaceName = workspaceNameOf(account.workspaceName);
  const why = whyNotPassword(account.password, email);
  if (why !== null) throw invalid("password", why);
  await refuseTooEarly();
  const passwordHash = await hashPassword(account.password);
  const name = account.name?.trim().slice(0, LONGEST_NAME) || null;
  const userId = newId("usr");
  try {
    return await inTransaction(async () => {
      if ((await User.findOne({ email }, { _id: 1 }, sessionOption()).lean()) !== null) return null;
      const person = { _id: userId, email, name, passwordHash, isUnconfirmed: !isConfirmed };
      await User.insertMany([person], sessionOption());
      const workspaceId = await openWorkspace({ name: workspaceName }, userId);
      await startAsNewcomer(workspaceId);
      const actor = { kind: "CONSOLE" as const, id: userId };
      await appendAuditEntry({ workspaceId, actor, action: "account.signUp", input: { userId } }, "DONE", null);
      await also({ userId, email, workspaceId, cid: cidIn(account.svc) });
      return loadPerson(userId);
    });
  } catch (err) {
    // A concurrent sign-up with the same address was first
    if (isDuplicateKey(err)) return null;
    throw err;
  }
}
