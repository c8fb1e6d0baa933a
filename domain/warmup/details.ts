import { draw } from "../draw.ts";
import { expand, type Piece, parseSpintax } from "../templates/spintax.ts";
import type { Phrases, Scenario } from "./correspondence.ts";

const COUNTS = "4|5|6|8|9|10|12|14";
/** Numbers of orders and papers have four digits: nobody takes them for a telephone number. */
const [LOWEST_REF, REFS] = [1_000, 9_000];

/** The values of a conversation's slots: the same opening always has the same ones, whichever turn asks. */
export function detailsOf(openingId: string, phrases: Phrases, scenario: Scenario): ReadonlyMap<string, string> {
  const [day, day2] = drawTwo(openingId, "day", optionsIn(phrases.days));
  const [time, time2] = inOrder(optionsIn(phrases.times), drawTwo(openingId, "time", optionsIn(phrases.times)));
  const ref = String(LOWEST_REF + drawNumber(openingId, "ref", REFS));
  const named = { count: COUNTS, ...phrases.details, ...scenario.details };
  const drawn = Object.entries(named).map(([slot, options]) => [slot, drawOne(openingId, slot, optionsIn(options))] as const);
  return new Map([...Object.entries({ day, day2, time, time2, ref }), ...drawn]);
}

/** One of some things, drawn by a hash of the opening and of what is drawn. */
export function drawOne<T>(openingId: string, what: string, options: readonly [T, ...T[]]): T {
  return options[drawNumber(openingId, what, options.length)] ?? options[0];
}

/**
 * What is said in a place of a mail: its choices drawn, then its details put in. A detail is never read again for choices or slots. Sentences
 * that begin with a detail get their capital.
 */
export function phrase(
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
    .replace(/(^|[.!?]\s+)([¿¡"«„]?)(\p{Ll})/gu, (_, before: string, mark: string, first: string) => before + mark + first.toUpperCase());
}

/** Read once: they are the few hundred phrases of this program. */
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
