import { addressHash } from "../../domain/tracking/conversion-event.ts";
import { recordConversion } from "../../store/tracking/convert.ts";
import type { SignedUp } from "../sign-in/sign-up.ts";

/**
 * Counts a sign-up at this service as a conversion of the recipient whose click led to the page, in the transaction of
 * the sign-up (rules/tracking 5.7). An unknown recipient or a closed attribution window does not affect the sign-up.
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
