import type { Out } from "../../../api/call.ts";
import { counted } from "../../format.ts";

export type Policy = Out<"get /api-keys">[number]["policy"];
type Effect = Exclude<keyof Policy, "dailySendBudget" | "undoSeconds">;

/** How a credential may cause something, as a choice. */
export const WAYS: Record<Policy[Effect], string> = {
  DIRECT: "At once",
  PLAN: "Only what a plan showed first",
  APPROVAL: "Only what a person approved",
  NONE: "Never",
};

/** What it may cause. */
export const EFFECTS: Record<Effect, string> = {
  SENDS: "Sends emails",
  CHANGES_SENDING: "Changes what a launched campaign sends",
  DISCLOSES: "Gives data to a place outside",
  DESTROYS: "Deletes what cannot be restored",
};

export const policyWords = {
  budget: "Emails a day that it may cause",
  budgetHint: "Left empty: no limit of its own.",
  undo: "Seconds that a reply of it waits",
  undoHint: "Meanwhile the reply can be cancelled. 0: it leaves at once; at most 300.",
} as const;

const SHORT: Record<Effect, string> = { SENDS: "sends", CHANGES_SENDING: "changes sending", DISCLOSES: "discloses", DESTROYS: "deletes" };

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
