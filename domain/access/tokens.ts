import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";

/**
 * `u` is an unsubscribe link, `o` an open pixel and `c` a tracked click. Without an index, `c` is the invisible link
 * (rules/mail 3.1).
 */
export type Purpose = "u" | "o" | "c";

/** The keys of each purpose, newest first. Keys are added and never removed, because a token does not expire. */
export type PurposeKeys = Record<Purpose, { kid: string; key: Buffer }[]>;

/** The key that signs. @throws Error when there is none */
export function newestKey(keys: readonly { key: Buffer }[]): Buffer {
  const [newest] = keys;
  if (newest === undefined) throw new Error("A signing key is missing");
  return newest.key;
}

/** The key that was made first, for values that must never change. @throws Error when there is none */
export function oldestKey(keys: readonly { key: Buffer }[]): Buffer {
  const oldest = keys.at(-1);
  if (oldest === undefined) throw new Error("A signing key is missing");
  return oldest.key;
}

const MAC_BYTES = 16;
const TOKEN = /^v1\.([A-Za-z0-9_-]{1,32})\.([A-Za-z0-9_-]{1,200})\.([A-Za-z0-9_-]{22})$/;
const PAYLOAD = /^([uoc]):([A-Za-z0-9_-]{1,100}):(0|[1-9]\d{0,4})?$/;

/** Signs `v1.<kid>.<payload>.<mac>` with the newest key of the purpose. Throws an Error when there is no key. */
export function signToken(keys: PurposeKeys, purpose: Purpose, sendId: string, linkIndex?: number): string {
  const newest = keys[purpose][0];
  const payload = `${purpose}:${sendId}:${linkIndex ?? ""}`;
  if (!newest || !PAYLOAD.test(payload)) throw new Error(`No ${purpose} token can be signed for this send`);
  const signed = `v1.${newest.kid}.${Buffer.from(payload).toString("base64url")}`;
  return `${signed}.${macOf(newest.key, signed).toString("base64url")}`;
}

/** The content of a token; null if none of the keys has signed it for this purpose. */
export function readToken(
  keys: PurposeKeys,
  purpose: Purpose,
  token: string,
): { sendId: string; linkIndex: number | null } | null {
  const [, kid, body, mac] = TOKEN.exec(token) ?? [];
  const key = keys[purpose].find((candidate) => candidate.kid === kid)?.key;
  if (!key || !body || !mac) return null;
  const signature = Buffer.from(mac, "base64url");
  // 22 characters of base64 hold 132 bits, so several spellings decode to the same 16 bytes. Only the spelling that was
  // signed is accepted.
  if (signature.length !== MAC_BYTES || signature.toString("base64url") !== mac) return null;
  if (!timingSafeEqual(signature, macOf(key, `v1.${kid}.${body}`))) return null;
  const [, signedFor, sendId, linkIndex] = PAYLOAD.exec(Buffer.from(body, "base64url").toString()) ?? [];
  if (signedFor !== purpose || !sendId) return null;
  return { sendId, linkIndex: linkIndex === undefined ? null : Number(linkIndex) };
}

function macOf(key: Buffer, signed: string): Buffer {
  return createHmac("sha256", secretOf(key)).update(signed).digest().subarray(0, MAC_BYTES);
}

/**
 * The key in the form that the library needs. It is cached, because creating it takes five times as long as the
 * signature.
 */
function secretOf(key: Buffer): KeyObject {
  const secret = secrets.get(key) ?? createSecretKey(key);
  secrets.set(key, secret);
  return secret;
}

const secrets = new WeakMap<Buffer, KeyObject>();
