import { describe, expect, test } from "@jest/globals";
import { GERMAN } from "../../../domain/warmup/phrases-de.ts";
import { ENGLISH } from "../../../domain/warmup/phrases-en.ts";
import { SPANISH } from "../../../domain/warmup/phrases-es.ts";
import { FRENCH } from "../../../domain/warmup/phrases-fr.ts";
import { GERMAN_MEETINGS } from "../../../domain/warmup/scenarios-de-meetings.ts";
import { GERMAN_PAPERS } from "../../../domain/warmup/scenarios-de-papers.ts";
import { ENGLISH_MEETINGS } from "../../../domain/warmup/scenarios-en-meetings.ts";
import { ENGLISH_PAPERS } from "../../../domain/warmup/scenarios-en-papers.ts";
import { SPANISH_MEETINGS } from "../../../domain/warmup/scenarios-es-meetings.ts";
import { SPANISH_PAPERS } from "../../../domain/warmup/scenarios-es-papers.ts";
import { FRENCH_MEETINGS } from "../../../domain/warmup/scenarios-fr-meetings.ts";
import { FRENCH_PAPERS } from "../../../domain/warmup/scenarios-fr-papers.ts";

const ALWAYS_KNOWN = ["day", "day2", "time", "time2", "ref", "count"];
const slotsOf = (source: string) => [...source.matchAll(/\[(\w+)\]/g)].map(([, slot = ""]) => slot);

describe.each([
  ["English", ENGLISH, [...ENGLISH_MEETINGS, ...ENGLISH_PAPERS]],
  ["German", GERMAN, [...GERMAN_MEETINGS, ...GERMAN_PAPERS]],
  ["French", FRENCH, [...FRENCH_MEETINGS, ...FRENCH_PAPERS]],
  ["Spanish", SPANISH, [...SPANISH_MEETINGS, ...SPANISH_PAPERS]],
] as const)("%s", (_language, phrases, scenarios) => {
  test("at least forty conversations, each about something else", () => {
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
    expect(scenarios.length).toBeGreaterThanOrEqual(40);
    expect(new Set(scenarios.flatMap(({ turns }) => turns)).size).toBe(scenarios.length * 4);
  });

  test("a conversation has every detail that it names, and names every detail that it has", () => {
    const wrong = scenarios.flatMap(({ name, details, subject, turns }) => {
      const named = slotsOf([subject, ...turns].join(" "));
      const known = [...ALWAYS_KNOWN, ...Object.keys(phrases.details), ...Object.keys(details)];
      const unknown = named.filter((slot) => !known.includes(slot));
      return [...unknown, ...Object.keys(details).filter((slot) => !named.includes(slot))].map((slot) => `${name}: ${slot}`);
    });
    expect(wrong).toEqual([]);
  });
});
