import { draw } from "../draw.ts";
import { cleanHtml } from "../mail/clean-html.ts";
import { replySubject } from "../mail/message.ts";
import { isClosing } from "../mail/signature.ts";
import { htmlOf, textOf } from "../templates/body.ts";
import { expand, type Piece, parseSpintax } from "../templates/spintax.ts";
import { renderSignature } from "../templates/template.ts";
import { correspondenceIn, type Phrases, type Scenario } from "./correspondence.ts";
import type { WarmupLanguage } from "./enrolment.ts";
import { personsName, signersName, type WarmupWriter } from "./writer.ts";

/** The email to write: its conversation, its turn, its author and its receiver. */
export interface SaidTurn {
  openingId: string;
  turn: 1 | 2 | 3 | 4;
  language: WarmupLanguage;
  from: WarmupWriter;
  to: WarmupWriter;
}

/** The sentence of a scenario may be between an opening and a closing sentence, or next to one of them. */
const LAYOUTS = ["OPENER", "CLOSER", "BOTH"] as const;
const JOINTS = [" ", "\n\n"] as const;

/**
 * The email of one turn of a conversation (rules/warmup 4). The same opening, turn and people always give the same
 * text, so a retry sends what the first attempt sent, and a reader of the thread sees the same days, rooms and numbers
 * in every turn.
 */
export function warmupText(conversation: SaidTurn): { subject: string; text: string; html: string } {
  const { openingId, turn, language, from, to } = conversation;
  const { phrases, scenarios } = correspondenceIn(language);
  const scenario = drawOne(openingId, "scenario", scenarios);
  const details = detailsOf(openingId, phrases, scenario);
  const say = (source: string, part: string) => phrase(source, { openingId, turn, part }, details);
  const subject = phrase(scenario.subject, { openingId, turn: 1, part: "subject" }, details);

  const words = [greet(to, phrases, say), bodyOf(conversation, scenario, phrases, say)].join("\n\n");
  const signature = signatureOf(from, openingId);
  const signOff = signature?.hasClosing === true ? null : say(phrases.signOff, "sign-off");
  const end = [signOff, signature === null ? signersName(from) : null].filter((line) => line !== null).join("\n");
  const own = end === "" ? words : `${words}\n\n${end}`;
  return {
    subject: turn === 1 ? subject : replySubject(subject),
    text: signature === null ? own : `${own}\n\n${signature.text}`,
    html: signature === null ? htmlOf(own) : `${htmlOf(own)}\n${signature.html}`,
  };
}

type Say = (source: string, part: string) => string;

/**
 * The greeting of an email. The name is inserted last and unchanged, so that no part of it is read as a choice or a
 * detail.
 */
function greet(to: WarmupWriter, { greeting, greetingWithoutName, greetsBy }: Phrases, say: Say): string {
  const name = personsName(to);
  if (name === null) return say(greetingWithoutName, "greeting");
  const called = greetsBy === "FIRST_NAME" ? name.first : name.full;
  return say(greeting, "greeting").replace("[name]", () => called);
}

function bodyOf({ openingId, turn }: SaidTurn, scenario: Scenario, phrases: Phrases, say: Say): string {
  const draw = <T>(what: string, options: readonly [T, ...T[]]) => drawOne(openingId, `${turn} ${what}`, options);
  const layout = draw("layout", LAYOUTS);
  const words = say(scenario.turns[turn - 1] ?? "", "scenario");
  const opener =
    layout === "CLOSER" ? "" : say(phrases.openers[turn - 1] ?? "", "opener") + draw("joint of opener", JOINTS);
  const closer =
    layout === "OPENER" ? "" : draw("joint of closer", JOINTS) + say(phrases.closers[turn - 1] ?? "", "closer");
  return opener + words + closer;
}

const COUNTS = "4|5|6|8|9|10|12|14";
/** Numbers of orders and papers have four digits, so no one takes them for a telephone number. */
const [LOWEST_REF, REFS] = [1_000, 9_000];

/**
 * The values of a conversation's details. They depend only on the opening, so all emails of the conversation use the
 * same values.
 */
function detailsOf(openingId: string, phrases: Phrases, scenario: Scenario): ReadonlyMap<string, string> {
  const [day, day2] = drawTwo(openingId, "day", optionsIn(phrases.days));
  const [time, time2] = inOrder(optionsIn(phrases.times), drawTwo(openingId, "time", optionsIn(phrases.times)));
  const ref = String(LOWEST_REF + drawNumber(openingId, "ref", REFS));
  const named = { count: COUNTS, ...phrases.details, ...scenario.details };
  const details = Object.entries(named).map(
    ([slot, options]) => [slot, drawOne(openingId, slot, optionsIn(options))] as const,
  );
  return new Map([...Object.entries({ day, day2, time, time2, ref }), ...details]);
}

/** One of several options, drawn by a hash of the opening and of the subject of the draw. */
function drawOne<T>(openingId: string, what: string, options: readonly [T, ...T[]]): T {
  return options[drawNumber(openingId, what, options.length)] ?? options[0];
}

/**
 * The text of one part of an email: first its choices are drawn, then its details are inserted. Inserted details are
 * not searched for choices or details again. Sentences that begin with a detail get a capital letter.
 */
function phrase(
  source: string,
  place: { openingId: string; turn: number; part: string },
  details: ReadonlyMap<string, string>,
): string {
  const seed = { recipientId: place.openingId, stepId: `warmup turn ${place.turn}`, variantId: place.part };
  return expand(piecesOf(source), seed)
    .replace(/\[(\w+)\]/g, (slot, name: string) => details.get(name) ?? slot)
    .replace(/ {2,}/g, " ")
    .replace(/ +([,.])/g, "$1")
    .trim()
    .replace(
      /(^|[.!?]\s+)([¿¡"«„]?)(\p{Ll})/gu,
      (_, before: string, mark: string, first: string) => before + mark + first.toUpperCase(),
    );
}

/** The parsed phrases. They are kept, because there are only a few hundred. */
const read = new Map<string, Piece[]>();

function piecesOf(source: string): Piece[] {
  const pieces = read.get(source) ?? parseSpintax(source).pieces;
  read.set(source, pieces);
  return pieces;
}

/** The alternatives of a detail. */
function optionsIn(source: string): readonly [string, ...string[]] {
  const [first = "", ...others] = source.split("|");
  return [first, ...others];
}

function drawNumber(openingId: string, what: string, below: number): number {
  return draw(openingId, "warmup", what) % below;
}

/** Two different options. */
function drawTwo(openingId: string, what: string, options: readonly [string, ...string[]]): [string, string] {
  const first = drawOne(openingId, what, options);
  const [other = first, ...more] = options.filter((option) => option !== first);
  return [first, drawOne(openingId, `${what} 2`, [other, ...more])];
}

function inOrder(options: readonly string[], [one, other]: [string, string]): [string, string] {
  return options.indexOf(one) <= options.indexOf(other) ? [one, other] : [other, one];
}

/** The most characters of a signature's text. A longer signature would be longer than the email itself. */
const LONGEST = 1_000;
/** The beginning of what mail programs and filters read as a web address. */
const ADDRESS = /https?:\/\/|\bwww\./i;

/**
 * A mailbox's signature for a warmup email, as text and as HTML (rules/warmup 4.6). Null if the mailbox has none or it
 * cannot be used: it has only images, it is too long, it hides one web address in another, or it needs a lead or a
 * campaign, which a warmup email does not have.
 */
function signatureOf(
  writer: WarmupWriter,
  openingId: string,
): { html: string; text: string; hasClosing: boolean } | null {
  const source = writer.signatureHtml;
  if (source === null || source.trim() === "") return null;
  const seed = { recipientId: openingId, stepId: "warmup", variantId: "signature" };
  const { html, missingVariables, usedVariables } = renderSignature(source, variablesOf(writer), seed);
  if (missingVariables.length > 0 || usedVariables.includes("unsubscribeLink")) return null;
  const bare = withoutLinks(cleanHtml(html) ?? "");
  const text = textOf(bare).trim();
  if (text === "" || text.length > LONGEST || ADDRESS.test(bare)) return null;
  return { html: `<div>${bare.trim()}</div>`, text, hasClosing: isClosing(text.split("\n")[0] ?? "") };
}

function variablesOf({ name, email }: WarmupWriter): Record<string, unknown> {
  return { senderName: name, senderFirstName: name?.trim().split(/\s+/)[0] ?? null, senderEmail: email };
}

/**
 * Cleaned HTML without any attribute. Links keep only their words, so a filter that counts links finds none. In cleaned
 * HTML a `>` within a value is escaped, so a tag ends at the next one.
 */
function withoutLinks(html: string): string {
  return html
    .replace(/<\/?a\b[^>]*>/g, "")
    .replace(/<(\/?[a-z][a-z0-9]*)\b[^>]*?(\s\/)?>/g, "<$1$2>")
    .replace(new RegExp(ADDRESS, "gi"), "");
}
