import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import { type KeyRing, open, type SealPlace, seal } from "../../domain/access/seal.ts";
import { AppError } from "../../domain/errors.ts";
import { User } from "../../models/sign-in/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { hashOf } from "../access/secrets.ts";

/** The settings of RFC 6238 that every authenticator app supports: SHA-1, 6 digits, 30 s. */
const PERIOD_S = 30;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 8;

/** A new secret for an authenticator app: as text, and as the URI of a QR code. */
export function newTotp(email: string, issuer: string): { secret: string; uri: string } {
  const totp = new TOTP({ issuer, label: email, secret: new Secret({ size: SECRET_BYTES }), period: PERIOD_S });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

export function sealTotp(ring: KeyRing, userId: string, secret: string) {
  return seal(ring, placeOf(userId), secret);
}

/** The time step of a code, at most one step before or after now (RFC 6238 5.2); null for a wrong code. */
function stepOf(secret: string, code: string, now: Date): number | null {
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period: PERIOD_S });
  const delta = totp.validate({ token: code.replaceAll(/\s/g, ""), timestamp: now.getTime(), window: 1 });
  return delta === null ? null : Math.floor(now.getTime() / 1_000 / PERIOD_S) + delta;
}

/**
 * Uses up a code of the authenticator app, or a recovery code. If two requests use the same code, one is refused.
 * @throws AppError WRONG_CODE
 */
export async function useCode(ring: KeyRing, { _id, totp }: User, code: string, now: Date): Promise<void> {
  const step = totp === null ? null : stepOf(open(ring, placeOf(_id), totp), code, now);
  if (step !== null) {
    const fresh = { _id, totpStep: trusted({ $lt: step }) };
    if ((await User.updateOne(fresh, { $set: { totpStep: step } }, sessionOption())).matchedCount === 1) return;
  }
  const recovery = hashOf(plainCode(code));
  const left = await User.updateOne(
    { _id, recoveryCodes: recovery },
    { $pull: { recoveryCodes: recovery } },
    sessionOption(),
  );
  if (left.matchedCount === 0) throw new AppError("WRONG_CODE", "The code is not right, or was used already");
}

/** Activates an offered secret with its first code. Returns false for a wrong code. */
export async function confirmTotp(
  ring: KeyRing,
  { _id, totpOffered }: User,
  code: string,
  now: Date,
): Promise<boolean> {
  const step = totpOffered === null ? null : stepOf(open(ring, placeOf(_id), totpOffered), code, now);
  if (step === null) return false;
  await User.updateOne({ _id }, { $set: { totp: totpOffered, totpOffered: null, totpStep: step } }, sessionOption());
  return true;
}

/** Creates ten recovery codes, which replace all earlier ones and are shown once. */
export async function renewRecoveryCodes(userId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(RECOVERY_BYTES).toString("hex"));
  await User.updateOne({ _id: userId }, { $set: { recoveryCodes: codes.map(hashOf) } }, sessionOption());
  return codes.map((code) => code.replace(/^(.{4})(.{4})(.{4})(.{4})$/, "$1-$2-$3-$4"));
}

/** The code as it was created, without the separators that a person typed. */
function plainCode(code: string): string {
  return code.replaceAll(/[^0-9a-z]/gi, "").toLowerCase();
}

function placeOf(documentId: string): SealPlace {
  return { workspaceId: "installation", collection: "users", documentId, field: "totp" };
}
