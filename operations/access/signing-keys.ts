import { randomBytes } from "node:crypto";
import { type KeyRing, open, seal } from "../../domain/access/seal.ts";
import { type KeyedHash, keyedHashBy } from "../../domain/leads/address-hash.ts";
import { SigningKey } from "../../models/access/signing-key.ts";
import { AddressGuard } from "../../models/address-guard.ts";
import { areAddressesKeyed } from "../../models/connect.ts";
import { trusted } from "../../mongo/collection.ts";
import { randomBase62 } from "../../mongo/ids.ts";
import { UnfitDatabase } from "../../mongo/unfit.ts";
import { setAddressKey, unkeyedHash } from "../../store/address-key.ts";

/**
 * Purposes of signing keys: tokens for unsubscribing, opens and clicks; Message-IDs; the reference in X-Mail-Ref;
 * addresses of exports; hashes of requests; undoing a consent; plans; cookies and forms of the authorization server;
 * evidence about leads, whose keys are seeds of key pairs; hashes of addresses, which always use the first key.
 */
const PURPOSES = [
  "u",
  "o",
  "c",
  "messageId",
  "reference",
  "export",
  "idempotency",
  "undo",
  "plan",
  "oauth",
  "evidence",
  "address",
] as const;
type Purpose = (typeof PURPOSES)[number];

const KEYED_GUARD = { _id: trusted({ $regex: /:[\w-]{43}$/ }) };
const ACROSS = { acrossWorkspaces: true };

export interface PurposeKey {
  kid: string;
  key: Buffer;
}

/** The keys of each purpose, newest first: the first key signs, all keys verify. */
export type SigningKeys = Record<Purpose, [PurposeKey, ...PurposeKey[]]>;

/**
 * Decrypts the keys of every purpose and creates the missing ones. The first process that starts creates them, once per
 * deployment. From then on this process can hash addresses.
 */
export async function loadSigningKeys(ring: KeyRing): Promise<SigningKeys> {
  // First, because it makes no key when the key ring cannot decrypt the others
  const address = await addressKeysOf(ring);
  const others = PURPOSES.filter((purpose) => purpose !== "address");
  const [u, o, c, messageId, reference, exports, idempotency, undo, plan, oauth, evidence] = await Promise.all(
    others.map((purpose) => keysOf(ring, purpose)),
  );
  if (!u || !o || !c || !messageId || !reference || !exports || !idempotency || !undo || !plan || !oauth || !evidence)
    throw new Error("A signing key is missing");
  setAddressKey((await areAddressesKeyed()) ? await openAddressHash(ring) : unkeyedHash);
  return { u, o, c, messageId, reference, export: exports, idempotency, undo, plan, oauth, evidence, address };
}

/**
 * The keyed hash of addresses, for a migration that runs before a process loads its keys. A process with another
 * SECRET_KEY must not create the key, because the others could not decrypt it.
 * @throws AppError INTERNAL_ERROR when the stored keys were encrypted with a key that is not configured
 */
export async function loadAddressHash(ring: KeyRing): Promise<KeyedHash> {
  await addressKeysOf(ring);
  return openAddressHash(ring);
}

/** The first key is used for ever: an address that is hashed with another one would no longer be suppressed. */
async function openAddressHash(ring: KeyRing): Promise<KeyedHash> {
  const first = await SigningKey.findOne({ _id: FIRST_ADDRESS_KEY }).lean<SigningKey>();
  if (first === null) throw new Error("The key that hashes addresses is missing");
  return keyedHashBy(Buffer.from(open(ring, placeOf(first._id), first.sealed), "base64"));
}

const FIRST_ADDRESS_KEY = "address-1";

/**
 * A new key in the place of a lost one would find no suppression, and emails would be sent to people who opted out.
 * @throws UnfitDatabase when the key is missing although suppressions were stored with it
 */
async function addressKeysOf(ring: KeyRing): Promise<[PurposeKey, ...PurposeKey[]]> {
  const known = await SigningKey.findOne({}).lean<SigningKey>();
  if (known !== null) open(ring, placeOf(known._id), known.sealed);
  const isStored = (await SigningKey.exists({ _id: FIRST_ADDRESS_KEY })) !== null;
  if (!isStored && (await AddressGuard.exists(KEYED_GUARD).setOptions(ACROSS)) !== null)
    throw new UnfitDatabase(
      "The key that hashes addresses is missing, and without it no suppression can be found: restore the collection signing_keys from a backup",
    );
  return keysOf(ring, "address");
}

async function keysOf(ring: KeyRing, purpose: Purpose): Promise<[PurposeKey, ...PurposeKey[]]> {
  const _id = `${purpose}-1`;
  const fresh = { purpose, kid: randomBase62(6), sealed: seal(ring, placeOf(_id), randomBytes(32).toString("base64")) };
  await SigningKey.updateOne({ _id }, { $setOnInsert: fresh }, { upsert: true });
  const [newest, ...older] = await findSigningKeys(ring, purpose);
  if (newest === undefined) throw new Error(`No signing key for ${purpose}`);
  return [newest, ...older];
}

/**
 * The existing keys of one purpose, newest first. Only reads.
 * @throws AppError when the key ring cannot decrypt one of them
 */
export async function findSigningKeys(ring: KeyRing, purpose: Purpose): Promise<PurposeKey[]> {
  const rows = await SigningKey.find({ purpose }).sort({ createdAt: -1 }).lean<SigningKey[]>();
  return rows.map((row) => ({
    kid: row.kid,
    key: Buffer.from(open(ring, placeOf(row._id), row.sealed), "base64"),
  }));
}

function placeOf(documentId: string) {
  return { workspaceId: "installation", collection: "signing_keys", documentId, field: "sealed" };
}
