import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import pLimit from "p-limit";

/** The cost of scrypt that OWASP recommends for 32 MiB a hash: N = 2^15, r = 8, p = 3 (rules/access 2.1). */
const COST = { ln: 15, r: 8, p: 3 } as const;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** How many hashes run at a time. Each takes 32 MiB, and a flood of sign-ins must not take all memory. */
const atOnce = pLimit(4);

const SHORTEST_PASSWORD = 10;
export const LONGEST_PASSWORD = 200;

/** `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, both in base64url. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES);
  const hash = await derive(password, salt, COST);
  return `$scrypt$ln=${COST.ln},r=${COST.r},p=${COST.p}$${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

const FORM = /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([\w-]+)\$([\w-]+)$/;

/**
 * Whether a password matches the stored hash. Without a stored hash the check takes the same time and fails, so the
 * response time does not reveal who has an account.
 */
export async function isPassword(password: string, stored: string | null): Promise<boolean> {
  const [, ln, r, p, salt = "", hash = ""] = FORM.exec(stored ?? "") ?? [];
  if (hash === "") {
    await derive(password, Buffer.alloc(SALT_BYTES), COST);
    return false;
  }
  const inputHash = await derive(password, Buffer.from(salt, "base64url"), {
    ln: Number(ln),
    r: Number(r),
    p: Number(p),
  });
  return timingSafeEqual(inputHash, Buffer.from(hash, "base64url"));
}

/** Why a text cannot be a password, as the end of a sentence; null when it can. */
export function whyNotPassword(password: string, email: string): string | null {
  const length = [...password].length;
  if (length < SHORTEST_PASSWORD) return `must have at least ${SHORTEST_PASSWORD} characters`;
  if (length > LONGEST_PASSWORD) return `must have at most ${LONGEST_PASSWORD} characters`;
  if (new Set(password).size < 4) return "must have at least 4 different characters";
  if (password.toLowerCase() === email) return "must not be the e-mail address";
  return null;
}

/**
 * Computes the scrypt hash of a password. The password is normalised first, because keyboards encode the same
 * characters in different ways.
 */
function derive(password: string, salt: Buffer, { ln, r, p }: { ln: number; r: number; p: number }): Promise<Buffer> {
  const options = { N: 2 ** ln, r, p, maxmem: 256 * r * 2 ** ln };
  return atOnce(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        scrypt(password.normalize("NFKC"), salt, HASH_BYTES, options, (err, hash) =>
          err === null ? resolve(hash) : reject(err),
        );
      }),
  );
}
