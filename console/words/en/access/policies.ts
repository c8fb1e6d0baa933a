import type { Out } from "../../../api/call.ts";
import { counted } from "../../format.ts";

export type Policy = Out<"get /api-keys">[number]["policy"];
type Effect = Exclude<keyof Policy, "dailySendBudget" | "undoSeconds">;

/** The options for how an API key or connection may cause an effect. */
export const WAYS: Record<Policy[Effect], string> = {
  DIRECT: "At once",
  PLAN: "Only after a preview",
  APPROVAL: "Only after approval",
  NONE: "Never",
};

/** The effects. */
export const EFFECTS: Record<Effect, string> = {
  SENDS: "Sends emails",
  CHANGES_SENDING: "Changes what a launched campaign sends",
  DISCLOSES: "Shares data with third parties",
  DESTROYS: "Deletes what cannot be restored",
};

export const policyWords = {
  budget: "Daily email limit",
  budgetHint: "Leave blank for no limit.",
  undo: "Undo time for its replies, in seconds",
  undoHint: "You can cancel a reply during this time. 0: replies leave immediately. At most 300.",
} as const;

const SHORT: Record<Effect, string> = {
  SENDS: "sends",
  CHANGES_SENDING: "changes sending",
  DISCLOSES: "discloses",
  DESTROYS: "deletes",
};

/** A policy in one sentence. */
export function policyInWords({ dailySendBudget, undoSeconds, ...ways }: Policy): string {
  const effects = Object.keys(SHORT).filter((effect): effect is Effect => effect in SHORT);
  const said = Object.entries(WAYS).flatMap(([way, words]) => {
    const those = effects.filter((effect) => ways[effect] === way).map((effect) => SHORT[effect]);
    return those.length === 0 ? [] : [`${words}: ${those.length === effects.length ? "everything" : those.join(", ")}`];
  });
  const budget = dailySendBudget === null ? [] : [`at most ${counted(dailySendBudget, "email", "emails")} a day`];
  const undo = undoSeconds === 0 ? [] : [`replies wait ${counted(undoSeconds, "second", "seconds")}`];
  return [...said, ...budget, ...undo].join("; ");
}
