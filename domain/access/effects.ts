import type { SendPolicy } from "./send-policy.ts";

/**
 * What a call can cause (rules/access 4.7). SENDS: an email leaves, now or by being booked. CHANGES_SENDING: what will be sent, to whom,
 * when or from where is another. DISCLOSES: data goes to a new place outside. DESTROYS: data is lost that no other call restores.
 */
export const EFFECTS = ["SENDS", "CHANGES_SENDING", "DISCLOSES", "DESTROYS"] as const;
export type Effect = (typeof EFFECTS)[number];

/**
 * Whether a credential may cause an effect by a call that shows no plan. NONE may cause none. A credential that needs a plan or a person for its
 * emails may neither send nor change what is sent by such a call.
 */
export function mayCause({ sends }: SendPolicy, effect: Effect): boolean {
  if (sends === "DIRECT") return true;
  return sends !== "NONE" && effect !== "SENDS" && effect !== "CHANGES_SENDING";
}
