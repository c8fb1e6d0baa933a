import { randomBytes } from "node:crypto";
import { type Config, ConfigError, readConfig, readConfigWithKey } from "../../config.ts";
import { type KeyRing, keyRing } from "../../domain/access/seal.ts";
import { AppError } from "../../domain/errors.ts";
import { type EvidenceKey, publicKeyOf } from "../../domain/evidence/signature.ts";
import type { SetupFinding } from "../../domain/readiness.ts";
import { readSecretKey } from "../../embedded/data-folder.ts";
import { findSigningKeys } from "../../operations/access/signing-keys.ts";
import { fail, ok, skip } from "./finding.ts";

const KEY = "SECRET_KEY";
const MAKE_KEY =
  "If the service has run before, set the key that it ran with. Otherwise `openssl rand -base64 32` makes one";

/**
 * Reads the settings. When only the secret key is missing or unusable, the other checks continue with the settings that
 * are left; `config` is null when there are none.
 */
export function checkSettings(): { config: Config | null; findings: SetupFinding[] } {
  try {
    return { config: readConfig(), findings: [ok("Settings", "all settings can be used")] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const findings = error.message.split("\n").map(faultOf);
    const config = findings.every(({ check }) => check === KEY) ? configWithoutKey() : null;
    return { config, findings };
  }
}

function faultOf(message: string): SetupFinding {
  if (!message.startsWith(KEY)) return fail("Settings", message, null);
  const isUnset = message.startsWith(`${KEY} is not set`);
  const found = isUnset ? "it is not set" : "it is not 32 random bytes in base64, or it is an example value";
  return fail(KEY, /^SECRET_KEY\b/.test(message) ? found : message, MAKE_KEY);
}

function configWithoutKey(): Config | null {
  try {
    return readConfigWithKey(randomBytes(32).toString("base64"));
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}

/**
 * Whether the secret key opens what is stored. `keys` are the public keys by which this deployment is recognised; null
 * when they cannot be read.
 */
export async function checkSecretKey(
  config: Config,
  isDatabaseOpen: boolean,
): Promise<{ finding: SetupFinding; keys: EvidenceKey[] | null }> {
  const key = config.SECRET_KEY ?? (await readSecretKey(config.DATA_DIR));
  const without = (finding: SetupFinding) => ({ finding, keys: null });
  if (key === null) return without(skip(KEY, "the first start makes one in the data folder"));
  if (!isDatabaseOpen)
    return without(skip(KEY, "it is set, but no database shows whether it opens the stored secrets"));
  const ring = readRing(key, config.SECRET_KEYS_RETIRED);
  if (ring === null) return without(fail(KEY, "the key in the data folder is not 32 random bytes in base64", MAKE_KEY));
  try {
    const found = await findSigningKeys(ring, "evidence");
    if (found.length === 0) return without(ok(KEY, "it is set, and the database holds no secrets yet"));
    return { finding: ok(KEY, "it is set and opens the stored secrets"), keys: found.map(publicKeyOf) };
  } catch (error) {
    if (!(error instanceof AppError)) return without(skip(KEY, "the database did not return the stored secrets"));
    const advice = "Set the key with which the service ran before, or name that key in SECRET_KEYS_RETIRED";
    return without(fail(KEY, "it does not open the secrets that are stored in the database", advice));
  }
}

function readRing(key: string, retired: readonly string[]): KeyRing | null {
  try {
    return keyRing(key, [...retired]);
  } catch {
    return null;
  }
}
