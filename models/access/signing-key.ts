import type { Sealed } from "../../domain/access/seal.ts";
import { type Base, globalModel, required, secret } from "../../mongo/schema.ts";

/**
 * An encrypted random key for one purpose. Keys are added and never removed, because the tokens signed with them do not
 * expire.
 */
export interface SigningKey extends Base {
  purpose: string;
  kid: string;
  sealed: Sealed;
}

export const SigningKey = globalModel<SigningKey>(
  "SigningKey",
  "signing_keys",
  { purpose: required, kid: required, sealed: secret },
  [{ fields: { purpose: 1, kid: 1 }, unique: true }],
);
