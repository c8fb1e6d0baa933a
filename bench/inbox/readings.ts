import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { parseInbound } from "../../connectors/mime/parse.ts";
import { replyOf } from "../../connectors/mime/reply-text.ts";
import { readBounce } from "../../domain/bounces/bounce.ts";
import { defaultKindFacts, kindOf } from "../../domain/inbox/kind.ts";
import type { Measured, Row } from "../table.ts";

const SAMPLES = new URL("../../../shared/data/", import.meta.url);
const KIND_OF: Record<string, string> = { DELAYED: "DELAY", DELIVERED: "REPORT", NONE: "OTHER" };

const Bounces = z.array(
  z.object({
    file: z.string(),
    kind: z.string(),
    recipients: z.array(z.object({ reason: z.string(), hard: z.boolean() })),
  }),
);
const MoreBounces = z.record(z.string(), z.object({ label: z.string() }));
const Replies = z.record(z.string(), z.string());
const MoreReplies = z.array(
  z.object({ id: z.string(), text: z.string().nullable(), html: z.string().nullable(), want: z.string() }),
);
const Labels = z.array(
  z.object({
    file: z.string(),
    kind: z.string(),
    type: z.string().optional(),
    reason: z.string().optional(),
    fault: z.string().optional(),
    recipients: z.record(z.string(), z.string()).optional(),
    replyText: z.string().optional(),
  }),
);

/** A comparison of a sample's label with the result of the code. */
interface Judged {
  about: "kind" | "hard or soft" | "reason and fault" | "reply text";
  set: string;
  file: string;
  want: string;
  found: string;
}

/**
 * Measures how often the code that reads emails agrees with the labels of samples, and lists every sample on which it
 * does not.
 */
export async function run(): Promise<Row> {
  if (!existsSync(SAMPLES)) throw new Error(`There are no samples at ${SAMPLES.pathname}`);
  const judged = [...ofBounces(), ...ofMoreBounces(), ...ofIntent(), ...ofReplies()];
  const wrong = judged.filter(isWrong);
  return {
    title: "Reading of labelled emails",
    how: `${judged.length} comparisons with the labels of sample emails, which others have labelled.`,
    measured: [
      rate("kind", judged, 0.99),
      rate("hard or soft", judged, 0.98),
      count("false hard", wrong.filter(({ about, found }) => about === "hard or soft" && found === "HARD").length, 0),
      rate("reason and fault", judged, 0.98),
      rate("reply text", judged, 0.9),
      count(
        "automatic as human",
        wrong.filter(({ want, found }) => want === "AUTO_REPLY" && found === "REPLY").length,
        1,
      ),
      count(
        "human as automatic",
        wrong.filter(({ want, found }) => want === "REPLY" && found === "AUTO_REPLY").length,
        0,
      ),
    ],
    runs: {
      head: ["about", "set", "sample", "label", "read"],
      lines: wrong.map(({ about, set, file, want, found }) => [about, set, file, cell(want), cell(found)]),
    },
  };
}

function ofBounces(): Judged[] {
  return Bounces.parse(json("bounces/expected.json")).flatMap(({ file, kind, recipients }) => {
    const message = parseInbound(read(`bounces/${file}`));
    const found = readBounce(message)?.recipients ?? [];
    return [
      {
        about: "kind",
        set: "bounces",
        file,
        want: KIND_OF[kind] ?? kind,
        found: kindOf(message, facts(null)),
      } as const,
      ...recipients.map(({ hard }, index): Judged => {
        const type = found[index]?.type ?? "SOFT";
        return { about: "hard or soft", set: "bounces", file, want: hard ? "HARD" : "SOFT", found: type };
      }),
    ];
  });
}

function ofMoreBounces(): Judged[] {
  return Object.entries(MoreBounces.parse(json("bounces-more/expected.json"))).flatMap(
    ([file, { label }]): Judged[] => {
      if (label === "UNLABELLED") return [];
      const found = kindOf(parseInbound(read(`bounces-more/${file}`)), facts(null));
      return [{ about: "kind", set: "bounces-more", file, want: label, found }];
    },
  );
}

function ofIntent(): Judged[] {
  return Labels.parse(json("reply-intent/labels.json")).flatMap((label): Judged[] => {
    const { file, kind, type, reason, fault, recipients, replyText } = label;
    const message = parseInbound(read(`reply-intent/${file}`));
    const isAnswer = message.inReplyTo !== null;
    const bounce = readBounce(message)?.recipients ?? [];
    const of = (about: Judged["about"], want: string | undefined, found: string | null | undefined): Judged[] =>
      want === undefined ? [] : [{ about, set: "reply-intent", file, want, found: found ?? "none" }];
    return [
      // The recipient of every sample was contacted, so an email without our ids is attributed by its sender
      ...of("kind", kind, kindOf(message, facts(isAnswer ? 2 : kind === "REPLY" ? BY_SENDER : null))),
      ...of("hard or soft", type, bounce[0]?.type),
      ...of("reason and fault", reason, bounce[0]?.reason),
      ...of("reason and fault", fault, bounce[0]?.fault),
      ...Object.entries(recipients ?? {}).flatMap(([address, want]) =>
        of("hard or soft", want, bounce.find((one) => one.address === address)?.type),
      ),
      ...of("reply text", replyText && spaced(replyText), spaced(message.replyText)),
    ];
  });
}

function ofReplies(): Judged[] {
  const of = (set: string, file: string, want: string, found: string): Judged => ({
    about: "reply text",
    set,
    file,
    want,
    found,
  });
  return [
    ...Object.entries(Replies.parse(json("replies/expected.json"))).map(([file, want]) =>
      of("replies", file, spaced(want), spaced(replyOf(read(`replies/${file}`).toString(), null))),
    ),
    ...MoreReplies.parse(json("replies-more/samples.json")).map(({ id, text, html, want }) => {
      // The labels of HTML samples have no spaces
      const plain = (one: string) => (text === null ? one.replace(/\s|&#160;/g, "") : spaced(one));
      return of("replies-more", id, plain(want), plain(replyOf(text, html)));
    }),
  ];
}

const BY_SENDER = 4;

function facts(attributedBy: 2 | 4 | null) {
  return { ...defaultKindFacts("nora@ours.example"), attributedBy };
}

function rate(about: Judged["about"], judged: readonly Judged[], goal: number): Measured {
  const all = judged.filter((one) => one.about === about);
  const share = 1 - all.filter(isWrong).length / all.length;
  return { what: `${about} (${all.length})`, goal: String(goal), measured: share.toFixed(3), met: share >= goal };
}

function count(what: string, found: number, most: number): Measured {
  return { what, goal: String(most), measured: String(found), met: found <= most };
}

function isWrong({ want, found }: Judged): boolean {
  return want !== found;
}

function spaced(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function cell(text: string): string {
  return text.slice(0, 60).replaceAll("|", "\\|");
}

function json(path: string): unknown {
  return JSON.parse(read(path).toString());
}

function read(path: string): Buffer {
  return readFileSync(new URL(path, SAMPLES));
}
