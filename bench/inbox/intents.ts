import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { parseInbound } from "../../connectors/mime/parse.ts";
import { readIntent } from "../../domain/inbox/intent/read.ts";
import { sentencesMade } from "../../test/domain/inbox/intent-grammar.ts";
import { figuresOf, readSet } from "../../test/domain/inbox/intent-sets.ts";
import type { Measured, Row } from "../table.ts";

const SAMPLES = new URL("../../../shared/data/reply-intent/", import.meta.url);
/** Languages whose word lists are complete. */
const COMPLETE = ["en", "de", "fr", "es", "it", "nl", "pt", "pl", "sv", "ja"];
const MADE_IN_EACH = 250;

const Labels = z.array(
  z.object({ file: z.string(), kind: z.string(), optOut: z.enum(["CLEAR", "ASK"]).nullable().optional() }),
);

interface Read {
  set: string;
  language: string | null;
  text: string;
  label: "CLEAR" | "ASK" | "NONE";
  read: ReturnType<typeof readIntent>;
}

/**
 * Measures how often the detection of opt-out requests agrees with the labels, for each set, and lists every text on
 * which it does not.
 */
export async function run(): Promise<Row> {
  const seed = Date.now() % 2 ** 31;
  const sets = [ofSamples(), ofSentences("labelled-intents.json"), ofSentences("unseen-intents.json"), made(seed)];
  const wrong = sets.flat().filter(({ label, read }) => label !== (read.optOut ?? "NONE"));
  return {
    title: "Opt-out requests in replies",
    how: `Replies of the samples, labelled sentences, sentences to which no rule was fitted, and ${MADE_IN_EACH} sentences by grammar in each of fourteen languages (seed ${seed}).`,
    measured: sets.flatMap(measuredOf),
    runs: {
      head: ["set", "text", "label", "read"],
      lines: wrong.map(({ set, text, label, read }) => [
        set,
        text.replaceAll("|", "\\|").slice(0, 80),
        label,
        read.optOut ?? "NONE",
      ]),
    },
  };
}

function measuredOf(of: Read[]): Measured[] {
  const [first] = of;
  if (first === undefined) return [];
  const count = (label: Read["label"]) => of.filter((one) => one.label === label).length;
  const figures = figuresOf(of);
  const { clear } = figuresOf(of.filter(({ language }) => language === null || COMPLETE.includes(language)));
  const rate = (what: string, share: number, goal: number, isMet: boolean): Measured => ({
    what: `${first.set}: ${what}`,
    goal: String(goal),
    measured: share.toFixed(3),
    met: isMet,
  });
  return [
    rate(`friendly taken as CLEAR (${count("NONE")})`, figures.friendlyClear, 0, figures.friendlyClear === 0),
    rate("friendly that become ASK", figures.friendlyAsk, 0.05, figures.friendlyAsk <= 0.05),
    rate(`requests that are CLEAR or ASK (${count("CLEAR") + count("ASK")})`, figures.seen, 0.97, figures.seen >= 0.97),
    rate("explicit requests of the ten languages that are CLEAR", clear, 0.85, clear >= 0.85),
  ];
}

function ofSamples(): Read[] {
  if (!existsSync(SAMPLES)) throw new Error(`There are no samples at ${SAMPLES.pathname}`);
  const read = (path: string) => readFileSync(new URL(path, SAMPLES));
  const replies = Labels.parse(JSON.parse(read("labels.json").toString())).filter(({ kind }) => kind === "REPLY");
  return replies.map(({ file, optOut }) => {
    const { replyText: words, subject } = parseInbound(read(file));
    const language = /optout-(\w+)-/.exec(file)?.[1] ?? null;
    return { set: "samples", language, text: words, label: optOut ?? "NONE", read: readIntent({ words, subject }) };
  });
}

function ofSentences(file: "labelled-intents.json" | "unseen-intents.json"): Read[] {
  return readSet(file).map((one) => ({ ...one, set: file.replace("-intents.json", "") }));
}

function made(seed: number): Read[] {
  return sentencesMade(seed, MADE_IN_EACH).map((one) => ({
    ...one,
    set: "by grammar",
    read: readIntent({ words: one.text }),
  }));
}
