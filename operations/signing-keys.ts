import { randomBytes } from "node:crypto";
import { type KeyRing, open, seal } from "../domain/seal.ts";
import { randomBase62 } from "../models/ids.ts";
import { SigningKey } from "../models/signing-key.ts";

const PURPOSES = ["unsubscribe", "open", "click", "messageId", "reference"] as const;
type Purpose = (typeof PURPOSES)[number];

export interface PurposeKey {
  kid: string;
  key: Buffer;
}

/** Keys per purpose, newest first: the first signs, all verify. */
export type SigningKeys = Record<Purpose, readonly [PurposeKey, ...PurposeKey[]]>;

/** Opens the keys of every purpose, and makes those that are missing: once per installation, whoever starts first. */
export async function load(ring: KeyRing): Promise<SigningKeys> {
  const [unsubscribe, opened, click, messageId, reference] = await Promise.all(PURPOSES.map((purpose) => keysOf(ring, purpose)));
  if (!unsubscribe || !opened || !click || !messageId || !reference) throw new Error("A signing key is missing");
  return { unsubscribe, open: opened, click, messageId, reference };
}

async function keysOf(ring: KeyRing, purpose: Purpose): Promise<readonly [PurposeKey, ...PurposeKey[]]> {
  const first = { kid: `${purpose}-1`, key: randomBytes(32).toString("base64") };
  const fresh = { purpose, kid: randomBase62(6), sealed: seal(ring, placeOf(first.kid), first.key) };
  await SigningKey.updateOne({ _id: first.kid }, { $setOnInsert: fresh }, { upsert: true });
  const rows = await SigningKey.find({ purpose }).sort({ createdAt: -1 }).lean<SigningKey[]>();
  const [newest, ...older] = rows.map((row) => ({ kid: row.kid, key: Buffer.from(open(ring, placeOf(row._id), row.sealed), "base64") }));
  if (newest === undefined) throw new Error(`No signing key for ${purpose}`);
  return [newest, ...older];
}

function placeOf(documentId: string) {
  return { workspaceId: "installation", collection: "signing_keys", documentId, field: "sealed" };
}
