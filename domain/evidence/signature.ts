import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** The secret that signs evidence: 32 random bytes, from which the key pair follows (Ed25519, RFC 8032). */
export interface EvidenceSeed {
  kid: string;
  key: Buffer;
}

/** The public key that verifies signed evidence. */
export interface EvidenceKey {
  keyId: string;
  algorithm: typeof ALGORITHM;
  /** PEM (SPKI). */
  publicKey: string;
}

export type SignatureVerdict = { isGenuine: true; keyId: string; lines: number } | { isGenuine: false; why: string };

const ALGORITHM = "Ed25519";
const LINE_END = 0x0a;
/** The bytes before the seed in a PKCS #8 document of an Ed25519 key (RFC 8410 7). */
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");

/** Appends a line with the signature of all lines before it. */
export function signLines(lines: string, seed: EvidenceSeed): string {
  return `${lines}${signatureLine(seed.kid, sign(null, Buffer.from(lines), privateKeyOf(seed)))}\n`;
}

export function publicKeyOf(seed: EvidenceSeed): EvidenceKey {
  const publicKey = createPublicKey(privateKeyOf(seed)).export({ type: "spki", format: "pem" });
  return { keyId: seed.kid, algorithm: ALGORITHM, publicKey: publicKey.toString() };
}

/** Whether a file is unchanged, to the byte, since one of these keys signed it. */
export function verifyFile(file: Buffer, keys: readonly EvidenceKey[]): SignatureVerdict {
  if (file.at(-1) !== LINE_END) return notGenuine("it does not end with a whole line");
  const lastStart = file.lastIndexOf(LINE_END, file.length - 2) + 1;
  const [lines, last] = [file.subarray(0, lastStart), file.subarray(lastStart, -1)];
  const { keyId, value } = readSignature(last.toString()) ?? {};
  if (keyId === undefined || value === undefined) return notGenuine("its last line is no signature");
  const key = keys.find((one) => one.keyId === keyId);
  if (key === undefined) return notGenuine(`it names the key ${keyId}, which is none of those given`);
  // Several base64 texts decode to the same bytes. Only the form that we write is accepted
  if (!last.equals(Buffer.from(signatureLine(keyId, value)))) return notGenuine("its last line was changed");
  if (!verify(null, lines, createPublicKey(key.publicKey), value))
    return notGenuine("its lines are not those that were signed");
  return { isGenuine: true, keyId, lines: lines.filter((byte) => byte === LINE_END).length };
}

function notGenuine(why: string): SignatureVerdict {
  return { isGenuine: false, why };
}

function signatureLine(keyId: string, value: Buffer): string {
  return JSON.stringify({ line: "signature", algorithm: ALGORITHM, keyId, value: value.toString("base64url") });
}

function readSignature(line: string): { keyId: string; value: Buffer } | null {
  const [, keyId, value] =
    /^\{"line":"signature",.*"keyId":"([0-9A-Za-z]{1,32})","value":"([A-Za-z0-9_-]{86})"\}$/.exec(line) ?? [];
  return keyId === undefined || value === undefined ? null : { keyId, value: Buffer.from(value, "base64url") };
}

function privateKeyOf({ key }: EvidenceSeed): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, key]), format: "der", type: "pkcs8" });
}
