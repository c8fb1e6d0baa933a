import { randomBytes } from "node:crypto";
import { type KeyRing, open, seal } from "../../domain/access/seal.ts";
import { SigningKey } from "../../models/access/signing-key.ts";
import { randomBase62 } from "../../mongo/ids.ts";

/**
 * Purposes of signing keys: tokens for unsubscribing, opens and clicks; Message-IDs; the reference in X-Mail-Ref;
 * addresses of exports; hashes of requests; undoing a consent; plans; cookies and forms of the authorization server;
 * evidence about leads, whose keys are seeds of key pairs.
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
] as const;
type Purpose = (typeof PURPOSES)[number];

export interface PurposeKey {
  kid: string;
  key: Buffer;
}

/** The keys of each purpose, newest first: the first key signs, all keys verify. */
export type SigningKeys = Record<Purpose, [PurposeKey, ...PurposeKey[]]>;

/**
 * Decrypts the keys of every purpose and creates the missing ones. The first process that starts creates them, once per
 * deployment.
 */
export async function loadSigningKeys(ring: KeyRing): Promise<SigningKeys> {
  const [u, o, c, messageId, reference, exports, idempotency, undo, plan, oauth, evidence] = await Promise.all(
    PURPOSES.map((purpose) => keysOf(ring, purpose)),
  );
  if (!u || !o || !c || !messageId || !reference || !exports || !idempotency || !undo || !plan || !oauth || !evidence)
    throw new Error("A signing key is missing");
  return { u, o, c, messageId, reference, export: exports, idempotency, undo, plan, oauth, evidence };
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
