import { AppError } from "../../domain/errors.ts";
import type { Session } from "../../models/session.ts";
import type { User } from "../../models/user.ts";
import { endSession, findWaitingSession } from "../access/sessions.ts";
import type { Services } from "../context.ts";
import { askPasskey, usePasskey } from "./passkeys.ts";
import { loadPerson } from "./people.ts";
import { useCode } from "./second-factor.ts";

/** A browser that gave the right password and owes the second factor. */
export interface Waiting {
  session: Session;
  person: User;
}

/** @throws AppError UNAUTHENTICATED when there is none, or when it waited longer than ten minutes */
export async function loadWaiting(cookie: string | null, portalId: string | null): Promise<Waiting> {
  const session = cookie === null ? null : await findWaitingSession(cookie, portalId, new Date());
  if (session === null) throw new AppError("UNAUTHENTICATED", "Sign in again: the time for the second factor has passed");
  return { session, person: await loadPerson(session.userId) };
}

/** Takes the code or the proof of a passkey, and ends the waiting; the caller then opens the session. @throws AppError WRONG_CODE */
export async function passSecondFactor(
  { keyRing, settings }: Services,
  { session, person }: Waiting,
  given: { code: string } | { passkey: object },
): Promise<void> {
  if ("passkey" in given) await usePasskey(settings.publicUrl, session, person, given.passkey);
  else await useCode(keyRing, person, given.code, new Date());
  await endSession(session);
}

/** What the browser needs to prove a passkey; null for a person without one. */
export async function passkeyOptions({ settings }: Services, { session, person }: Waiting): Promise<object | null> {
  return person.passkeys.length === 0 ? null : askPasskey(settings.publicUrl, session, person);
}
