import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { AppError } from "../../domain/errors.ts";
import type { Session } from "../../models/sign-in/session.ts";
import { type Passkey, User } from "../../models/sign-in/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { setChallenge, takeChallenge } from "../access/sessions.ts";

const MOST_PASSKEYS = 20;

/** The options that a browser needs to create a passkey for the person. */
export async function offerPasskey(
  publicUrl: string,
  session: Session,
  { _id, email, passkeys }: User,
): Promise<object> {
  if (passkeys.length >= MOST_PASSKEYS)
    throw new AppError("LIMIT_EXCEEDED", `At most ${MOST_PASSKEYS} passkeys`, { limit: MOST_PASSKEYS });
  const options = await generateRegistrationOptions({
    rpName: "Outreach",
    rpID: hostOf(publicUrl),
    userName: email,
    userID: new TextEncoder().encode(_id),
    excludeCredentials: passkeys.map(({ id }) => ({ id })),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
  await setChallenge(session, options.challenge);
  return options;
}

/** Adds the passkey that the browser created for the challenge. @throws AppError WRONG_CODE */
export async function addPasskey(
  publicUrl: string,
  session: Session,
  person: User,
  name: string,
  response: object,
): Promise<Passkey> {
  const expected = await expectedOf(publicUrl, session);
  const verified = await verifyRegistrationResponse({
    ...expected,
    response: response as RegistrationResponseJSON, // the library checks each part of it
    requireUserVerification: false,
  }).catch(wrong);
  if (!verified.verified) throw wrong(null);
  const { id, publicKey, counter, transports = [] } = verified.registrationInfo.credential;
  const passkey = {
    id,
    publicKey: Buffer.from(publicKey).toString("base64url"),
    counter,
    transports,
    name,
    createdAt: new Date(),
  };
  const added = await User.updateOne(
    { _id: person._id, "passkeys.id": trusted({ $ne: id }) },
    { $push: { passkeys: passkey } },
    sessionOption(),
  );
  if (added.matchedCount === 0) throw wrong(null);
  return passkey;
}

/** The options that a browser needs to prove one of the person's passkeys. */
export async function askPasskey(publicUrl: string, session: Session, { passkeys }: User): Promise<object> {
  const allowCredentials = passkeys.map(({ id }) => ({ id }));
  const options = await generateAuthenticationOptions({
    rpID: hostOf(publicUrl),
    allowCredentials,
    userVerification: "preferred",
  });
  await setChallenge(session, options.challenge);
  return options;
}

/** Checks the proof of a passkey against the challenge of this browser. @throws AppError WRONG_CODE */
export async function usePasskey(publicUrl: string, session: Session, person: User, response: object): Promise<void> {
  const named = Reflect.get(response, "id");
  const passkey = person.passkeys.find(({ id }) => id === named);
  const expected = await expectedOf(publicUrl, session);
  if (passkey === undefined) throw wrong(null);
  const { id, counter } = passkey;
  const verified = await verifyAuthenticationResponse({
    ...expected,
    response: response as AuthenticationResponseJSON, // the library checks each part of it
    credential: { id, publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")), counter },
    requireUserVerification: false,
  }).catch(wrong);
  if (!verified.verified) throw wrong(null);
  const { newCounter } = verified.authenticationInfo;
  await User.updateOne(
    { _id: person._id, "passkeys.id": id },
    { $set: { "passkeys.$.counter": newCounter } },
    sessionOption(),
  );
}

async function expectedOf(publicUrl: string, session: Session) {
  const challenge = await takeChallenge(session);
  if (challenge === null) throw wrong(null);
  return { expectedChallenge: challenge, expectedOrigin: new URL(publicUrl).origin, expectedRPID: hostOf(publicUrl) };
}

function hostOf(publicUrl: string): string {
  return new URL(publicUrl).hostname;
}

/** Replaces the library's error message with our own. */
function wrong(cause: unknown): never {
  throw new AppError("WRONG_CODE", "The passkey is wrong, or its challenge was already used", undefined, { cause });
}
