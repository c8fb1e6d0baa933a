import { AppError } from "../../domain/errors.ts";
import type { Session } from "../../models/sign-in/session.ts";
import type { User } from "../../models/sign-in/user.ts";
import { endSession, findWaitingSession } from "../access/sessions.ts";
import type { Services } from "../context.ts";
import { credential, guess } from "./attempts.ts";
import { askPasskey, usePasskey } from "./passkeys.ts";
import { loadPerson } from "./people.ts";
import { useCode } from "./second-factor.ts";

/** A browser in which the password was correct and the second factor is missing. */
export interface Waiting {
  session: Session;
  person: User;
}

/** @throws AppError UNAUTHENTICATED when there is none, or when it is older than ten minutes; RATE_LIMITED */
export async function loadWaiting(cookie: string | null, portalId: string | null, address: string): Promise<Waiting> {
  const find = (value: string) => credential(address, () => findWaitingSession(value, portalId, new Date()));
  const session = cookie === null ? null : await find(cookie);
  if (session === null)
    throw new AppError("UNAUTHENTICATED", "Sign in again: the time to enter the second factor has passed");
  return { session, person: await loadPerson(session.userId) };
}

/**
 * Checks the code or the proof of a passkey, and ends the waiting session; the caller then opens the real one. Wrong
 * attempts are counted for the person across browsers: otherwise each new sign-in with the correct password would reset
 * the count.
 * @throws AppError WRONG_CODE, RATE_LIMITED
 */
export async function passSecondFactor(
  { keyRing, settings }: Services,
  { session, person }: Waiting,
  given: { code: string } | { passkey: object },
): Promise<void> {
  const { _id: userId } = person;
  await guess([`factor:${userId}`], "wrong codes", async () => {
    if ("passkey" in given) await usePasskey(settings.publicUrl, session, person, given.passkey);
    else await useCode(keyRing, person, given.code, new Date());
  });
  await endSession(session);
}

/** The options that the browser needs to prove a passkey; null for a person without one. */
export async function passkeyOptions({ settings }: Services, { session, person }: Waiting): Promise<object | null> {
  return person.passkeys.length === 0 ? null : askPasskey(settings.publicUrl, session, person);
}
