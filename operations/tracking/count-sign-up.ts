import { addressHash } from "../../domain/tracking/conversion-event.ts";
import { recordConversion } from "../../store/tracking/convert.ts";
import type { SignedUp } from "../sign-in/sign-up.ts";

/**
 * Counts a sign-up at the service itself for the recipient whose click led to the page, in the transaction of the
 * sign-up (rules/tracking 5.7). What the conversion comes to, an unknown recipient or a window that has closed, is no
 * matter of who signs up.
 */
export async function countSignUp({ userId, email, cid }: SignedUp): Promise<void> {
  if (cid === null) return;
  const event = {
    event_name: "CompleteRegistration",
    event_id: `signup_${userId}`,
    user_data: { cid, em: addressHash(email) },
  };
  await recordConversion(event, "AUTO");
}
