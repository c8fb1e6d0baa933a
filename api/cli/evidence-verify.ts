import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { z } from "zod";
import { readConfig } from "../../config.ts";
import { keyRing } from "../../domain/access/seal.ts";
import { type EvidenceKey, verifyFile } from "../../domain/evidence/signature.ts";
import { ensureSecretKey } from "../../embedded/data-folder.ts";
import { loadSigningKeys } from "../../operations/access/signing-keys.ts";
import { evidenceKeysOf } from "../../operations/evidence/evidence-keys.ts";
import { onDatabase } from "./database.ts";

const USAGE =
  "usage: npm run evidence:verify -- <file> [--keys <file>]\n" +
  "  --keys names a file with the response of /evidence-keys; without it, the keys of this deployment verify the file";
/** The response of `/evidence-keys`, or one key of it. */
const Key = z
  .object({ keyId: z.string(), publicKey: z.string() })
  .transform((key): EvidenceKey => ({ ...key, algorithm: "Ed25519" }));
const Keys = z.union([z.object({ keys: z.array(Key) }).transform(({ keys }) => keys), Key.transform((key) => [key])]);

// Verifies the signature of an evidence file; the exit code is 1 when it does not match. With --keys the command needs
// no database.
const { values, positionals } = parseArgs({ options: { keys: { type: "string" } }, allowPositionals: true });
const [file] = positionals;
if (file === undefined || positionals.length > 1) await failWith(USAGE);
else if (values.keys === undefined) await onDatabase(async () => sentenceOf(await readFile(file), await ownKeys()));
else {
  try {
    console.log(sentenceOf(await readFile(file), Keys.parse(JSON.parse(await readFile(values.keys, "utf8")))));
  } catch (error) {
    await failWith(error instanceof Error ? error.message : String(error));
  }
}

function sentenceOf(content: Buffer, keys: readonly EvidenceKey[]): string {
  const verdict = verifyFile(content, keys);
  if (!verdict.isGenuine) throw new Error(`not genuine: ${verdict.why}`);
  return `genuine: ${verdict.lines} lines, signed with the key ${verdict.keyId}`;
}

async function ownKeys(): Promise<EvidenceKey[]> {
  const { SECRET_KEY, SECRET_KEYS_RETIRED, DATA_DIR } = readConfig();
  const ring = keyRing(SECRET_KEY ?? (await ensureSecretKey(DATA_DIR)), SECRET_KEYS_RETIRED);
  return evidenceKeysOf({ signing: await loadSigningKeys(ring) });
}

async function failWith(line: string): Promise<void> {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
