import { z } from "zod";

/**
 * What a call can cause (rules/access 4.7). SENDS: an email is sent or booked. CHANGES_SENDING: the call changes what
 * will be sent, to whom, when or from where. DISCLOSES: data is sent to a new destination outside the service.
 * DESTROYS: data is lost, and no other call restores it.
 */
export const EFFECTS = ["SENDS", "CHANGES_SENDING", "DISCLOSES", "DESTROYS"] as const;
export type Effect = (typeof EFFECTS)[number];

/**
 * How a credential may cause an effect (rules/access 4.1). DIRECT: the call takes effect immediately. PLAN: the call
 * must commit a plan that showed the effect before. APPROVAL: a person must approve the call. NONE: the call is
 * refused.
 */
export const WAYS = ["DIRECT", "PLAN", "APPROVAL", "NONE"] as const;
export type Way = (typeof WAYS)[number];

const way = z.enum(WAYS);

export const Policy = z.strictObject({
  SENDS: way.describe(
    "For calls that send an email, now or later. DIRECT: immediately. PLAN: with a plan's token. APPROVAL: after a person approves. NONE: never",
  ),
  CHANGES_SENDING: way.describe("For calls that change what a launched campaign sends, to whom, when or from where"),
  DISCLOSES: way.describe(
    "For calls that give data to a new place outside Outreach, such as a webhook, a CRM, a hidden copy or an export",
  ),
  DESTROYS: way.describe("For calls that delete something that no other call restores"),
  dailySendBudget: z
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .nullable()
    .describe("The most emails that all its calls together may cause in a day; null: no limit of its own"),
  undoSeconds: z
    .number()
    .int()
    .min(0)
    .max(300)
    .describe("Seconds that a reply waits, during which it can be cancelled; 0: it leaves immediately"),
});
export type Policy = z.output<typeof Policy>;

const UNLIMITED = { dailySendBudget: null, undoSeconds: 0 } as const;

/** The policy of new API keys and grants, unless their creator chooses another one. */
export const KEY_POLICY: Policy = { ...policyOf("DIRECT"), ...UNLIMITED };
export const GRANT_POLICY: Policy = {
  SENDS: "PLAN",
  CHANGES_SENDING: "PLAN",
  DISCLOSES: "APPROVAL",
  DESTROYS: "PLAN",
  ...UNLIMITED,
};

/**
 * The full policy for a choice about sending. The choice applies to SENDS and CHANGES_SENDING. A credential that may
 * not send at all needs APPROVAL for DISCLOSES and a PLAN for DESTROYS.
 */
export function policyOf(sends: Way): Record<Effect, Way> {
  const others =
    sends === "NONE"
      ? ({ DISCLOSES: "APPROVAL", DESTROYS: "PLAN" } as const)
      : ({ DISCLOSES: "DIRECT", DESTROYS: "DIRECT" } as const);
  return { SENDS: sends, CHANGES_SENDING: sends, ...others };
}

/**
 * A policy as a document stores it. Earlier versions had only `sends`. They still read it while they run next to a
 * newer version during an upgrade.
 */
export type StoredPolicy =
  | (Policy & { sends: Way })
  | { sends: Way; dailySendBudget: number | null; undoSeconds: number };

export function toStored(policy: Policy): StoredPolicy {
  return { ...policy, sends: policy.SENDS };
}

export function fromStored(stored: StoredPolicy | null | undefined): Policy {
  if (stored === null || stored === undefined) return KEY_POLICY;
  const { sends, ...policy } = stored;
  return "SENDS" in policy ? policy : { ...policyOf(sends), ...policy };
}
