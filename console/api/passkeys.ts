import { passkeyWords as says } from "../words/en/access/confirm.ts";
import { Refusal } from "./refusal.ts";

/** What a browser answers about a passkey, as the service takes it. */
export type PasskeyAnswer = Record<string, unknown>;

/**
 * Whether this browser can make and use passkeys here: it has to know them, and the page has to come over https or from
 * the machine itself.
 */
export function canUsePasskeys(): boolean {
  const { PublicKeyCredential: known } = globalThis as { PublicKeyCredential?: Partial<typeof PublicKeyCredential> }; // absent on plain http
  return known?.parseCreationOptionsFromJSON !== undefined;
}

/** Has the browser make a passkey. @throws Refusal in our words, also when no one answered */
export async function makePasskey(options: object): Promise<PasskeyAnswer> {
  refuseWithout();
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON); // made by the service for just this
  return answerOf(navigator.credentials.create({ publicKey }));
}

/** Has the browser prove one of the passkeys that the options name. @throws Refusal as above */
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
