import { z } from "zod";

/**
 * What a credential may put on the wire by itself (rules/access 4.1). DIRECT: at once; PLAN: only what a plan showed before; APPROVAL: only
 * what a person approves; NONE: nothing.
 */
export const SENDS = ["DIRECT", "PLAN", "APPROVAL", "NONE"] as const;

export const SendPolicy = z.strictObject({
  sends: z
    .enum(SENDS)
    .describe(
      "DIRECT: sends at once. PLAN: only with the token of a plan. APPROVAL: only after a person approved. NONE: never, and neither discloses nor deletes anything",
    ),
  dailySendBudget: z
    .number()
    .int()
    .min(0)
    .max(1_000_000)
    .nullable()
    .describe("The most mails that its launches, replies and tests may cause in a day; null: no limit of its own"),
  undoSeconds: z
    .number()
    .int()
    .min(0)
    .max(300)
    .describe("A reply that it sends waits so many seconds and can be cancelled meanwhile; 0: it leaves at once"),
});
export type SendPolicy = z.output<typeof SendPolicy>;

/** Where keys and grants begin, unless who makes them says otherwise. */
export const KEY_POLICY: SendPolicy = { sends: "DIRECT", dailySendBudget: null, undoSeconds: 0 };
export const GRANT_POLICY: SendPolicy = { sends: "PLAN", dailySendBudget: null, undoSeconds: 0 };
