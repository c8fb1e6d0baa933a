import type { Sealed } from "../../domain/access/seal.ts";
import { type Base, counter, flag, globalModel, required, secret, text, texts } from "../../mongo/schema.ts";

/** A passkey of a person (WebAuthn): what verifies its signatures, never a secret. */
export interface Passkey {
  /** base64url, as the authenticator names it. */
  id: string;
  /** COSE key in base64url. */
  publicKey: string;
  counter: number;
  transports: string[];
  name: string;
  createdAt: Date;
}

/** A person who signs in. People belong to the deployment; memberships say where they may do what. */
export interface User extends Base {
  /** In lower case. */
  email: string;
  name: string | null;
  /** Null until a sign-in link was followed. */
  passwordHash: string | null;
  /** Whether this person is an operator. The first user is one. */
  isOperator: boolean;
  /** The secret of the one-time passwords in base32; null without them. */
  totp: Sealed | null;
  /** A secret that was shown, but that no code has confirmed yet. */
  totpOffered: Sealed | null;
  /** The last step whose code was used, because a code is valid only once (RFC 6238 5.2). */
  totpStep: number;
  /** SHA-256 of the recovery codes that are left, in hexadecimal. */
  recoveryCodes: string[];
  passkeys: Passkey[];
}

export const User = globalModel<User>(
  "User",
  "users",
  {
    email: required,
    name: text,
    passwordHash: text,
    isOperator: flag,
    totp: secret,
    totpOffered: secret,
    totpStep: counter,
    recoveryCodes: texts,
    passkeys: { type: [Object], required: true, default: [] },
  },
  [{ fields: { email: 1 }, unique: true }],
);
