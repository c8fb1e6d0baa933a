import { isDeepStrictEqual } from "node:util";
import type { SequenceChange } from "../sequences/changes.ts";
import { settingsOf } from "./settings.ts";

/** The settings that differ, by their names; one that was never set has its default. */
export function settingChanges(before: Record<string, unknown>, after: Record<string, unknown>): SequenceChange[] {
  const [old, present] = [new Map(Object.entries(settingsOf(before))), new Map(Object.entries(settingsOf(after)))];
  return [...new Set([...old.keys(), ...present.keys()])].flatMap((name) => {
    const [from, to] = [old.get(name) ?? null, present.get(name) ?? null];
    return isDeepStrictEqual(from, to) ? [] : [{ stepId: null, variantId: null, field: `settings.${name}`, before: from, after: to }];
  });
}
