import { AppError } from "../../domain/errors.ts";

/**
 * Why a link to sign in or to sign up no longer works, for the log. What the page says is in
 * `api/pages/dead-link-texts.ts`.
 */
const WHY = {
  UNKNOWN: "This link is not valid",
  USED: "This link was used already",
  LATE: "This link is too old",
  INVITE_LATE: "The link of this invite is too old",
  INVITE_REVOKED: "This invite was revoked",
  SIGN_UP_UNKNOWN: "This link is not valid, or too old: sign up once more",
  SIGN_UP_USED: "This link was used already: sign in",
  SIGN_UP_KNOWN: "This address has an account by now: sign in",
} as const;
export type DeadLink = keyof typeof WHY;

export function deadLink(why: DeadLink): AppError {
  return new AppError("ROUTE_NOT_FOUND", WHY[why], { deadLink: why });
}

/** Why the link of this error does not work; null for any other error. */
export function whyDead({ details }: AppError): DeadLink | null {
  const why = details?.["deadLink"];
  return typeof why === "string" && isWhy(why) ? why : null;
}

function isWhy(why: string): why is DeadLink {
  return Object.hasOwn(WHY, why);
}
