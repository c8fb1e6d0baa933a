import type { WarmupLanguage } from "../../../domain/warmup/enrolment.ts";
import { warmupText } from "../../../domain/warmup/text.ts";
import type { WarmupWriter } from "../../../domain/warmup/writer.ts";

const ANN: WarmupWriter = { name: "Ann Miller", email: "ann@one.example", signatureHtml: null };

const LEO: WarmupWriter = { name: "Leo Roth", email: "leo@two.example", signatureHtml: null };

export const TURNS = [1, 2, 3, 4] as const;

export type Turn = (typeof TURNS)[number];

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’:.][\p{L}\p{M}\p{N}]+)*/gu;

export const write = (
  openingId: string,
  turn: Turn,
  language: WarmupLanguage,
  from = turn % 2 === 1 ? ANN : LEO,
  to = from === ANN ? LEO : ANN,
) => warmupText({ openingId, turn, language, from, to });

/** The text of an email between its greeting and the closing lines. */
export const bodyOf = (text: string) => text.split("\n\n").slice(1, -1).join("\n\n");

export const wordsOf = (text: string) => text.match(WORD) ?? [];
