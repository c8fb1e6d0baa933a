import { addressHashOf, type KeyedHash } from "../domain/leads/address-hash.ts";

let hash: KeyedHash | null = null;

/**
 * Sets the key with which this process hashes addresses, before it serves. All processes of a deployment use the
 * key that was made first, because another one would not find the suppressions that are stored.
 */
export function setAddressKey(keyed: KeyedHash): void {
  hash = keyed;
}

/**
 * What takes the place of the keyed hash where the database still has hashes of an earlier version: the hash without a
 * key, which stands at the end of the text (rules/security 5.5).
 */
export const unkeyedHash: KeyedHash = (text) => text.slice(text.lastIndexOf(":") + 1);

/** @throws Error before the key is known, so that no email is sent past a suppression that cannot be found */
export function keyedHash(text: string): string {
  if (hash === null) throw new Error("The key that hashes addresses has not been loaded");
  return hash(text);
}

/** The hash under which what is known about an address is stored for all workspaces. */
export function keyedAddressHash(email: string): string {
  return keyedHash(addressHashOf(email));
}
