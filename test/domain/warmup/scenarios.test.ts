import { describe, expect, test } from "@jest/globals";
import { correspondenceIn } from "../../../domain/warmup/correspondence.ts";
import { WARMUP_LANGUAGES } from "../../../domain/warmup/enrolment.ts";

const ALWAYS_KNOWN = ["day", "day2", "time", "time2", "ref", "count"];
const slotsOf = (source: string) => [...source.matchAll(/\[(\w+)\]/g)].map(([, slot = ""]) => slot);

describe.each(WARMUP_LANGUAGES)("warmup conversations in %s", (language) => {
  const { phrases, scenarios } = correspondenceIn(language);

  test("at least forty conversations exist, all with different names and texts", () => {
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
    expect(scenarios.length).toBeGreaterThanOrEqual(40);
    expect(new Set(scenarios.flatMap(({ turns }) => turns)).size).toBe(scenarios.length * 4);
  });

  test("each conversation defines exactly the details that the texts of the conversation name", () => {
    const wrong = scenarios.flatMap(({ name, details, subject, turns }) => {
      const named = slotsOf([subject, ...turns].join(" "));
      const known = [...ALWAYS_KNOWN, ...Object.keys(phrases.details), ...Object.keys(details)];
      const unknown = named.filter((slot) => !known.includes(slot));
      return [...unknown, ...Object.keys(details).filter((slot) => !named.includes(slot))].map(
        (slot) => `${name}: ${slot}`,
      );
    });
    expect(wrong).toEqual([]);
  });
});
