import { Temporal } from "temporal-polyfill";
import type { LeadSourceKind } from "./states.ts";

/** The kinds of credentials with which a lead can be created. */
export const LEAD_ACTOR_KINDS = ["API_KEY", "OAUTH", "CONSOLE"] as const;

/** The key, the connector or the person, as the audit log names actors. */
export interface LeadActor {
  kind: (typeof LEAD_ACTOR_KINDS)[number];
  id: string;
}

/** Where a lead came from. It is stored when the lead is created and never changed (rules/leads 5.1). */
export interface LeadSource {
  kind: LeadSourceKind;
  at: Date;
  /** Null if a job of an earlier version created the lead. */
  actor: LeadActor | null;
  /** The name of the file, the campaign, the CRM or the prospect list. */
  name: string | null;
  /** The id of the campaign, the CRM connection, the prospect list or the thread. */
  id: string | null;
}

/** The source of leads that one action creates, before the time of each is known. */
export type SourceOfAll = Omit<LeadSource, "at">;

const LONGEST_NAME = 100;

/**
 * The source as a part of an English sentence, such as "an import of contacts.csv on 3 March 2026". The day is that of
 * the time zone. It names no campaign, no list and no person, because recipients may read it (rules/leads 5.3).
 */
export function sentencePartOf({ kind, at, actor, name }: LeadSource, zone: string): string {
  return `${wordsFor(kind, actor, name)} on ${dayIn(at, zone)}`;
}

function wordsFor(kind: LeadSourceKind, actor: LeadSource["actor"], name: string | null): string {
  switch (kind) {
    case "IMPORT": {
      const file = fileNameIn(name ?? "");
      return file === "" ? "an import" : `an import of ${file}`;
    }
    case "CRM":
      return name === null ? "an import from our CRM" : `an import from ${name}`;
    case "PROSPECT":
      return "a search of a lead database";
    case "REFERRAL":
      return "a referral in an email to us";
    case "MANUAL":
    case "API":
    case "CAMPAIGN":
      return actor?.kind === "CONSOLE" ? "an entry by hand" : "an entry by one of our systems";
  }
}

/** The last part of a path, without characters that are not visible. */
function fileNameIn(path: string): string {
  const name = (path.split(/[/\\]/).at(-1) ?? "").replaceAll(/\p{C}/gu, "").replaceAll(/\s+/gu, " ").trim();
  const characters = [...name];
  return characters.length <= LONGEST_NAME ? name : `${characters.slice(0, LONGEST_NAME - 1).join("")}…`;
}

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** A day such as "3 March 2026". */
export function dayIn(at: Date, zone: string): string {
  const { day, month, year } = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone);
  return `${day} ${MONTHS[month - 1]} ${year}`;
}
