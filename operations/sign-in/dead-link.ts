import { AppError } from "../../domain/errors.ts";

/**
 * Why a sign-in or sign-up link no longer works, for the log. The texts of the page are in
 * `api/pages/dead-link-texts.ts`.
 */
const WHY = {
  UNKNOWN: "This link is not valid",
  USED: "This link was already used",
  LATE: "This link has expired",
  INVITE_LATE: "The link of this invite has expired",
  INVITE_REVOKED: "This invite was revoked",
  SIGN_UP_UNKNOWN: "This link is not valid or has expired: sign up again",
  SIGN_UP_USED: "This link was already used: sign in",
  SIGN_UP_KNOWN: "This address already has an account: sign in",
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
