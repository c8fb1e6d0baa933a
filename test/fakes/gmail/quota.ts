import { MINUTE_MS } from "../../../domain/time/durations.ts";
import { quotaExceeded } from "./refusals.ts";

/** Google gives projects that are new since 2026-05-01 fewer units, and asks more of them for reading. */
export type ProjectAge = "BEFORE_MAY_2026" | "SINCE_MAY_2026";

const UNITS_PER_MINUTE: Record<ProjectAge, number> = { BEFORE_MAY_2026: 15_000, SINCE_MAY_2026: 6_000 };

/** By method. Where the newer table was not found, the older price stands for both. */
const UNITS: Record<string, number> = {
  getProfile: 1,
  watch: 100,
  stop: 50,
  "drafts.create": 10,
  "drafts.get": 5,
  "drafts.list": 5,
  "drafts.send": 100,
  "drafts.delete": 10,
  "messages.send": 100,
  "messages.get": 5,
  "messages.list": 5,
  "messages.modify": 5,
  "messages.batchModify": 50,
  "messages.trash": 5,
  "messages.attachments.get": 5,
  "labels.list": 1,
  "labels.create": 5,
  "threads.get": 10,
  "history.list": 2,
  "settings.sendAs.list": 1,
};
const DEARER: Record<string, number> = { "messages.get": 20, "threads.get": 40 };

export function unitsOf(method: string, age: ProjectAge): number {
  return (age === "SINCE_MAY_2026" ? DEARER[method] : undefined) ?? UNITS[method] ?? 0;
}

/** Counts the units of each user in each minute of the clock. */
export function quotaMeter(now: () => number) {
  const spent = new Map<string, { minute: number; units: number }>();
  return {
    /** @throws GmailRefusal when the units of this minute do not suffice. */
    spend(address: string, method: string, age: ProjectAge): void {
      const minute = Math.floor(now() / MINUTE_MS);
      const before = spent.get(address);
      const units = (before?.minute === minute ? before.units : 0) + unitsOf(method, age);
      if (units > UNITS_PER_MINUTE[age]) throw quotaExceeded(UNITS_PER_MINUTE[age]);
      spent.set(address, { minute, units });
    },
  };
}
