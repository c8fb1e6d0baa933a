import { HOUR_MS } from "../time/durations.ts";

/** The most sign-up emails that an address gets within an hour, however many are requested (rules/access 2.5). */
export const MOST_MAILS = 3;
export const MAILS_WITHIN_MS = HOUR_MS;

const CID = /^[0-9A-Za-z]{14}$/;

/** The id of a recipient in the `svc` parameter of a page's URL; null for anything else. */
export function cidIn(text: unknown): string | null {
  return typeof text === "string" && CID.test(text) ? text : null;
}
