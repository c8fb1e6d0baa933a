import type { Out } from "../../../api/call.ts";
import { counted } from "../../format.ts";

export type Policy = Out<"get /api-keys">[number]["policy"];

/** What a credential may send by itself, as a choice. */
export const SENDS: Record<Policy["sends"], string> = {
  DIRECT: "Sends at once",
  PLAN: "Sends only what a plan showed first",
  APPROVAL: "Sends only what a person approved",
  NONE: "Sends nothing, and neither discloses nor deletes anything",
};

export const policyWords = {
  sends: "What it sends by itself",
  budget: "Mails a day that it may cause",
  budgetHint: "Left empty: no limit of its own.",
  undo: "Seconds that a reply of it waits",
  undoHint: "Meanwhile the reply can be cancelled. 0: it leaves at once; at most 300.",
} as const;

/** A policy in one sentence. */
export function policyInWords({ sends, dailySendBudget, undoSeconds }: Policy): string {
  const budget = dailySendBudget === null ? "" : `, at most ${counted(dailySendBudget, "mail", "mails")} a day`;
  const undo = undoSeconds === 0 ? "" : `, replies wait ${counted(undoSeconds, "second", "seconds")}`;
  return `${SENDS[sends]}${budget}${undo}`;
}
