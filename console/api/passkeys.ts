import { passkeyWords as says } from "../words/en/access/confirm.ts";
import { Refusal } from "./refusal.ts";

/** The browser's answer about a passkey, in the format that the server accepts. */
export type PasskeyAnswer = Record<string, unknown>;

/**
 * Whether this browser can use passkeys here: the browser must support them, and the page must be loaded over https or
 * from localhost.
 */
export function canUsePasskeys(): boolean {
  const { PublicKeyCredential: known } = globalThis as { PublicKeyCredential?: Partial<typeof PublicKeyCredential> }; // absent on plain http
  return known?.parseCreationOptionsFromJSON !== undefined;
}

/** Lets the browser create a passkey. @throws Refusal with our own message, also if the person did not respond */
export async function makePasskey(options: object): Promise<PasskeyAnswer> {
  refuseWithout();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON); // from the server
  return answerOf(navigator.credentials.create({ publicKey }));
}

/** Lets the browser sign in with one of the passkeys that the options name. @throws Refusal with our own message */
export async function provePasskey(options: object): Promise<PasskeyAnswer> {
  refuseWithout();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON); // from the server
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
