import type { Sealed } from "../../domain/access/seal.ts";
import { type Base, counter, flag, globalModel, required, secret, text, texts } from "../../mongo/schema.ts";

/** A passkey of a person (WebAuthn): the data to verify its signatures, never a secret. */
export interface Passkey {
  /** The id that the authenticator uses, in base64url. */
  id: string;
  /** COSE key in base64url. */
  publicKey: string;
  counter: number;
  transports: string[];
  name: string;
  createdAt: Date;
}

/**
 * A person who signs in. People belong to the deployment; their memberships define what they may do in which workspace.
 */
export interface User extends Base {
  /** In lower case. */
  email: string;
  name: string | null;
  /** Null until the person has set a password through a sign-in link. */
  passwordHash: string | null;
  /** Whether this person is an operator. The first user is one. */
  isOperator: boolean;
  /**
   * Whether the person signed up without proving to read emails at the address, or was invited by such a person
   * (rules/access 2.7). Absent in people of earlier versions, who count as confirmed.
   */
  isUnconfirmed?: boolean;
  /** The base32 secret of the one-time passwords, encrypted; null without them. */
  totp: Sealed | null;
  /** A secret that was shown to the person, but not yet confirmed by a code. */
  totpOffered: Sealed | null;
  /** The time step of the last code that was used, because a code is valid only once (RFC 6238 5.2). */
  totpStep: number;
  /** SHA-256 of the unused recovery codes, in hexadecimal. */
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
    isUnconfirmed: flag,
    totp: secret,
    totpOffered: secret,
    totpStep: counter,
    recoveryCodes: texts,
    passkeys: { type: [Object], required: true, default: [] },
  },
  [{ fields: { email: 1 }, unique: true }],
);
