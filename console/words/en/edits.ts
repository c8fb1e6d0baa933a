import type { Out } from "../../api/call.ts";

type Version = Out<"get /campaigns/:campaignId/versions">["items"][number];
type Action = Exclude<Version["action"], "REVERT">;

/**
 * The texts of a campaign's history. Each table names every value of its enum, so a new value does not compile without
 * its words.
 */
export const EDIT_ACTION: Record<Action, string> = {
  SNAPSHOT: "State before the first edit",
  SET_MODE: "Changed the type of sequence",
  REPLACE_STEPS: "Edited the steps",
  REORDER: "Reordered the steps",
  UPDATE_SETTINGS: "Changed settings",
};

export const AUTHOR_KIND: Record<NonNullable<Version["by"]>["kind"], string> = {
  API_KEY: "API key",
  OAUTH: "Connector",
  CONSOLE: "Person",
};

export const historyWords = {
  title: "History",
  label: "Edits of this campaign",
  none: "No edits yet.",
  noneText: "Edits of the sequence and the settings appear here.",
  version: "Version",
  numbered: (version: number) => `Version ${version}`,
  at: "Date",
  by: "Edited by",
  changes: "Changes",
  restored: (version: number | null) =>
    version === null ? "Restored an earlier version" : `Restored version ${version}`,
  show: "Show steps",
  hide: "Hide steps",
  stepsOf: (version: number) => `of version ${version}`,
  steps: (version: number) => `Steps of version ${version}`,
  noSteps: "This version has no steps.",
  from: (version: number) => `Version ${version}, from`,
  runs: (version: number) => `The campaign runs version ${version}.`,
  running: "The campaign runs this version.",
} as const;
