import { hash } from "node:crypto";

/** The number of possible draws: a draw is a whole number from 0 up to but excluding this one. */
export const DRAWS = 2 ** 48;

/**
 * A pseudo-random whole number that depends only on `names`: the same names give the same number in every process and
 * every version (rules/mail 4.4).
 */
export function draw(...names: (string | number)[]): number {
  return hash("sha256", JSON.stringify(names), "buffer").readUIntBE(0, 6);
}
