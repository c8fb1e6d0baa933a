import { AppError } from "../../domain/errors.ts";
import { User } from "../../models/sign-in/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { IS_TEXT } from "../../mongo/schema.ts";

/** The person with this address; null when there is none. */
export function findByAddress(address: string): Promise<User | null> {
  return User.findOne({ email: address.trim().toLowerCase() }, null, sessionOption()).lean<User>().exec();
}

/** @throws AppError UNAUTHENTICATED when the person no longer exists */
export async function loadPerson(userId: string): Promise<User> {
  const person = await User.findOne({ _id: userId }, null, sessionOption()).lean<User>();
  if (person === null) throw new AppError("UNAUTHENTICATED", "Sign in first");
  return person;
}

/**
 * Returns true before the first sign-in to the deployment: no person has a password, so only the link of the first
 * start gives access.
 */
export async function isUnclaimed(): Promise<boolean> {
  return (await User.findOne({ passwordHash: trusted(IS_TEXT) }, { _id: 1 }, sessionOption()).lean()) === null;
}

export function hasSecondFactor({ totp, passkeys }: Pick<User, "totp" | "passkeys">): boolean {
  return totp !== null || passkeys.length > 0;
}
