import { createHash } from "node:crypto";
import mongoose from "mongoose";

/** The documents of all collections as bytes, by collection and id. */
export async function dumpDatabase(): Promise<Map<string, Buffer>> {
  const dump = new Map<string, Buffer>();
  for (const collection of (await mongoose.connection.db?.collections()) ?? []) {
    for await (const document of collection.find())
      dump.set(`${collection.collectionName} ${document._id}`, Buffer.from(mongoose.mongo.BSON.serialize(document)));
  }
  return dump;
}

/** The documents whose bytes contain one of these texts, whatever the case. */
export function documentsNaming(dump: ReadonlyMap<string, Buffer>, texts: readonly string[]): string[] {
  const wanted = texts.map((text) => text.toLowerCase());
  return [...dump]
    .filter(([id, bytes]) => {
      const text = `${id} ${bytes.toString("latin1")} ${bytes.toString("utf8")}`.toLowerCase();
      return wanted.some((one) => text.includes(one));
    })
    .map(([id]) => id);
}

/** The hashes without a key by which anyone with a dump could test for an address, as texts and the beginnings of them. */
export function plainHashesOf(email: string): string[] {
  const hash = createHash("sha256").update(email).digest();
  return [hash.toString("hex"), ...(["base64", "base64url"] as const).map((form) => hash.toString(form).slice(0, 20))];
}

/** The collections of these documents, each once. */
export function collectionsOf(ids: readonly string[]): string[] {
  return [...new Set(ids.map((id) => id.slice(0, id.indexOf(" "))))].sort();
}
