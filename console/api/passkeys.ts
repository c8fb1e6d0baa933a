import { passkeyWords as says } from "../words/en/access/confirm.ts";
import { Refusal } from "./refusal.ts";

/** A browser's answer about a passkey, in the form that the service accepts. */
export type PasskeyAnswer = Record<string, unknown>;

/**
 * Whether this browser can create and use passkeys here: it must support them, and the page must come over https or
 * from this machine.
 */
export function canUsePasskeys(): boolean {
  const { PublicKeyCredential: known } = globalThis as { PublicKeyCredential?: Partial<typeof PublicKeyCredential> }; // absent on plain http
  return known?.parseCreationOptionsFromJSON !== undefined;
}

/** Lets the browser create a passkey. @throws Refusal with our own message, also if the person did not respond */
export async function makePasskey(options: object): Promise<PasskeyAnswer> {
  refuseWithout();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON); // made by the service for just this
  return answerOf(navigator.credentials.create({ publicKey }));
}

/** Lets the browser prove one of the passkeys that the options name. @throws Refusal with our own message */
export async function provePasskey(options: object): Promise<PasskeyAnswer> {
  refuseWithout();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON); // as above
  return answerOf(navigator.credentials.get({ publicKey }));
}

async function answerOf(asked: Promise<Credential | null>): Promise<PasskeyAnswer> {
  const credential = await asked.catch((err: unknown) => {
    throw passkeyRefusal(err instanceof Error && err.name === "InvalidStateError" ? says.known : says.refused);
  });
  if (!(credential instanceof PublicKeyCredential)) throw passkeyRefusal(says.refused);
  return { ...credential.toJSON() };
}

function refuseWithout(): void {
  if (!canUsePasskeys()) throw passkeyRefusal(says.cannot);
}

function passkeyRefusal(message: string): Refusal {
  return new Refusal(422, { code: "PASSKEY_NOT_GIVEN", message: message.replace(/\.$/, "") });
}
