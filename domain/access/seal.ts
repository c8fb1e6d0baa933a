import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { AppError } from "../errors.ts";

export interface KeyRing {
  current: { version: string; key: Buffer };
  /** Every key by its version, including the current one. */
  all: Map<string, Buffer>;
}

/** Where an encrypted value is stored. A value that is copied to another place cannot be decrypted there. */
export interface SealPlace {
  workspaceId: string;
  collection: string;
  documentId: string;
  field: string;
}

/**
 * A secret encrypted at rest (rules/security 5.1). All parts are base64. `wrapped` (the data key) and `data` are the
 * ciphertext followed by a 16-byte tag.
 */
export interface Sealed {
  v: 1;
  keyVersion: string;
  wrapNonce: string;
  wrapped: string;
  nonce: string;
  data: string;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Reads the key-encryption keys from base64 text, the current key first. Throws an Error when a key is not 32 bytes of
 * base64 or looks like an example, because a key that anyone can guess protects nothing.
 */
export function keyRing(secretKeyBase64: string, retired: string[]): KeyRing {
  const current = readKey(secretKeyBase64);
  const all = new Map([...retired.map(readKey), current].map(({ version, key }) => [version, key]));
  return { current, all };
}

/** Encrypts a secret with a new data key, which is itself encrypted with the current key-encryption key. */
export function seal(ring: KeyRing, place: SealPlace, plain: string): Sealed {
  const { version, key } = ring.current;
  const aad = aadOf(place, version);
  const dataKey = randomBytes(KEY_BYTES);
  const wrap = encrypt(key, aad, dataKey);
  const body = encrypt(dataKey, aad, Buffer.from(plain, "utf8"));
  return { v: 1, keyVersion: version, wrapNonce: wrap.nonce, wrapped: wrap.box, nonce: body.nonce, data: body.box };
}

/** Decrypts a secret. Throws INTERNAL_ERROR if its key is missing, or if the encrypted value was changed or moved. */
export function open(ring: KeyRing, place: SealPlace, sealed: Sealed): string {
  const key = ring.all.get(sealed.keyVersion);
  if (!key) throw new AppError("INTERNAL_ERROR", "A stored secret was encrypted with a key that is not configured");
  try {
    const aad = aadOf(place, sealed.keyVersion);
    const dataKey = decrypt(key, aad, sealed.wrapNonce, sealed.wrapped);
    return decrypt(dataKey, aad, sealed.nonce, sealed.data).toString("utf8");
  } catch (err) {
    throw new AppError("INTERNAL_ERROR", "A stored secret cannot be decrypted", undefined, { cause: err });
  }
}

/**
 * Encrypts a secret with the current key. The authenticated text names the key version, so the whole value is encrypted
 * again.
 */
export function rewrap(ring: KeyRing, place: SealPlace, sealed: Sealed): Sealed {
  return sealed.keyVersion === ring.current.version ? sealed : seal(ring, place, open(ring, place, sealed));
}

function readKey(base64: string): { version: string; key: Buffer } {
  const key = Buffer.from(base64, "base64");
  if (key.length !== KEY_BYTES || key.toString("base64").replace(/=+$/, "") !== base64.trim().replace(/=+$/, ""))
    throw new Error(`A secret key is ${KEY_BYTES} random bytes in base64`);
  if (isGuessable(key)) throw new Error("A secret key must be random, not an example value");
  return { version: createHash("sha256").update(key).digest("hex").slice(0, 8), key };
}

/**
 * Whether a key is zeros, counting bytes, a repeated block or readable text, which 32 random bytes practically never
 * are.
 */
function isGuessable(key: Buffer): boolean {
  const steps = new Set(key.subarray(1).map((byte, index) => (byte - (key[index] ?? 0)) & 0xff));
  const isText = /^[\x20-\x7e]*$/.test(key.toString("latin1")) && !/^[0-9a-f]+$/i.test(key.toString("latin1"));
  const isDoubled = key.subarray(0, KEY_BYTES / 2).equals(key.subarray(KEY_BYTES / 2));
  return isDoubled || new Set(key).size < 12 || steps.size === 1 || isText;
}

/** The authenticated text of a value. Its parts are escaped, so the separator between them is unambiguous. */
function aadOf({ workspaceId, collection, documentId, field }: SealPlace, keyVersion: string): Buffer {
  return Buffer.from([workspaceId, collection, documentId, field, keyVersion].map(encodeURIComponent).join("|"));
}

function encrypt(key: Buffer, aad: Buffer, plain: Buffer): { nonce: string; box: string } {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES }).setAAD(aad);
  const box = Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return { nonce: nonce.toString("base64"), box: box.toString("base64") };
}

function decrypt(key: Buffer, aad: Buffer, nonce: string, box: string): Buffer {
  const bytes = Buffer.from(box, "base64");
  const tagAt = Math.max(0, bytes.length - TAG_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64"), { authTagLength: TAG_BYTES });
  decipher.setAAD(aad).setAuthTag(bytes.subarray(tagAt));
  return Buffer.concat([decipher.update(bytes.subarray(0, tagAt)), decipher.final()]);
}
