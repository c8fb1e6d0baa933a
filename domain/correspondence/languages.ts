import { GERMAN } from "./phrases-de.ts";
import { ENGLISH } from "./phrases-en.ts";
import { SPANISH } from "./phrases-es.ts";
import { FRENCH } from "./phrases-fr.ts";
import type { Phrases, Scenario } from "./scenario.ts";
import { GERMAN_MEETINGS } from "./scenarios-de-meetings.ts";
import { GERMAN_PAPERS } from "./scenarios-de-papers.ts";
import { ENGLISH_MEETINGS } from "./scenarios-en-meetings.ts";
import { ENGLISH_PAPERS } from "./scenarios-en-papers.ts";
import { SPANISH_MEETINGS } from "./scenarios-es-meetings.ts";
import { SPANISH_PAPERS } from "./scenarios-es-papers.ts";
import { FRENCH_MEETINGS } from "./scenarios-fr-meetings.ts";
import { FRENCH_PAPERS } from "./scenarios-fr-papers.ts";

/** What people of two companies write to each other in one language. */
export interface Correspondence {
  phrases: Phrases;
  scenarios: readonly Scenario[];
}

/** Languages by their code of ISO 639-1. */
export const CORRESPONDENCE = {
  en: { phrases: ENGLISH, scenarios: [...ENGLISH_MEETINGS, ...ENGLISH_PAPERS] },
  de: { phrases: GERMAN, scenarios: [...GERMAN_MEETINGS, ...GERMAN_PAPERS] },
  fr: { phrases: FRENCH, scenarios: [...FRENCH_MEETINGS, ...FRENCH_PAPERS] },
  es: { phrases: SPANISH, scenarios: [...SPANISH_MEETINGS, ...SPANISH_PAPERS] },
} satisfies Record<string, Correspondence>;
