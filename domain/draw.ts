import { hash } from "node:crypto";

/** Draws are whole numbers from 0 up to but excluding this. */
export const DRAWS = 2 ** 48;

/**
 * A whole number from 0, drawn by some names: the same names draw the same number in every process, forever (rules/mail
 * 4.4).
 */
export function draw(...names: (string | number)[]): number {
  return hash("sha256", JSON.stringify(names), "buffer").readUIntBE(0, 6);
}
