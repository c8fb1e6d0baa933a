import { HOUR_MS } from "../time/durations.ts";

/** The most sign-up emails that an address gets within an hour, however many are requested (rules/access 2.5). */
export const MOST_MAILS = 3;
export const MAILS_WITHIN_MS = HOUR_MS;

/** How many sign-ups are accepted within 24 hours (rules/access 2.6). */
export interface SignUpLimits {
  perAddress: number;
  /** A network is an IPv4 /24 or an IPv6 /48. */
  perNetwork: number;
  /** Over the whole deployment. */
  perDay: number;
}

export const SIGN_UP_LIMITS: SignUpLimits = { perAddress: 3, perNetwork: 10, perDay: 200 };

/** The address under which sign-ups are counted: `kim+two@a.test` is delivered to `kim@a.test`. */
export function countedAddress(email: string): string {
  return email
    .trim()
    .toLowerCase()
    .replace(/\+[^@]*(?=@)/, "");
}

const CID = /^[0-9A-Za-z]{14}$/;

/** The id of a recipient in the `svc` parameter of a page's URL; null for anything else. */
export function cidIn(text: unknown): string | null {
  return typeof text === "string" && CID.test(text) ? text : null;
}
