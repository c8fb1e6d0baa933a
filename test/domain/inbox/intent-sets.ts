import { readFileSync } from "node:fs";
import { z } from "zod";
import { INTENTS, type ReplyIntent } from "../../../domain/inbox/intent/intents.ts";
import { readIntent } from "../../../domain/inbox/intent/read.ts";

const Labelled = z.record(
  z.string(),
  z.array(z.tuple([z.string(), z.enum(["CLEAR", "ASK", "NONE"])], z.enum(INTENTS))),
);

/** A Wednesday, on which all of them came in. */
const CAME_AT = Date.UTC(2026, 9, 14, 10);

/** A sentence with its label, and the intent that was read. */
export interface ReadSentence {
  language: string;
  text: string;
  label: "CLEAR" | "ASK" | "NONE";
  /** Intents that it has to have as well. */
  intents: ReplyIntent["clauses"][number]["intent"][];
  read: ReplyIntent;
}

/** The labelled sentences of a file beside this one, as they are read. */
export function readSet(file: "labelled-intents.json" | "unseen-intents.json"): ReadSentence[] {
  const written: unknown = JSON.parse(readFileSync(new URL(file, import.meta.url), "utf8"));
  return Object.entries(Labelled.parse(written)).flatMap(([language, sentences]) =>
    sentences.map(([text, label, ...intents]) => ({
      language,
      text,
      label,
      intents,
      read: readIntent({ words: text, at: CAME_AT }),
    })),
  );
}

/** How often the reading agrees with the label or the making of a sentence, as the product promises. */
export interface OptOutFigures {
  friendlyClear: number;
  friendlyAsk: number;
  seen: number;
  clear: number;
}

interface Judged {
  label: "CLEAR" | "ASK" | "NONE";
  read: Pick<ReplyIntent, "optOut">;
}

/** Shares from 0 to 1. `seen`: requests that are CLEAR or ASK; `clear`: those labelled CLEAR that are read as CLEAR. */
export function figuresOf(sentences: readonly Judged[]): OptOutFigures {
  const friendly = sentences.filter(({ label }) => label === "NONE");
  const requests = sentences.filter(({ label }) => label !== "NONE");
  const clear = sentences.filter(({ label }) => label === "CLEAR");
  const share = (of: readonly Judged[], is: (read: Judged["read"]) => boolean) =>
    of.length === 0 ? Number.NaN : of.filter(({ read }) => is(read)).length / of.length;
  return {
    friendlyClear: share(friendly, ({ optOut }) => optOut === "CLEAR"),
    friendlyAsk: share(friendly, ({ optOut }) => optOut === "ASK"),
    seen: share(requests, ({ optOut }) => optOut !== null),
    clear: share(clear, ({ optOut }) => optOut === "CLEAR"),
  };
}
