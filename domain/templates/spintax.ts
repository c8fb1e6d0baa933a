import { draw } from "../draw.ts";
import { AppError } from "../errors.ts";

/** The ids that determine the choice. The same three ids always choose the same options (rules/mail 4.4). */
export interface Seed {
  recipientId: string;
  stepId: string;
  variantId: string;
}

/** A piece of an author's text: literal text, or a group of alternatives. */
export type Piece = string | Group;
export interface Group {
  number: number;
  options: Option[];
}
interface Option {
  start: number;
  end: number;
  pieces: Piece[];
}
export interface Spintax {
  pieces: Piece[];
  groups: Group[];
  /**
   * The source with the punctuation of groups and escapes replaced by blanks. The length stays the same, so that checks
   * report correct positions.
   */
  blanked: string;
}

const MAX_DEPTH = 20;

/**
 * Reads `{Hi|Hey}` groups (rules/mail 4.4). Liquid tokens and `<style>` blocks are kept whole, braces without a pipe
 * stay unchanged, and `\{ \| \}` are literal. Groups are numbered from `firstNumber` in the order of their opening
 * braces. Throws TEMPLATE_INVALID {line, column} when braces nest deeper than 20.
 */
export function parseSpintax(source: string, firstNumber = 0): Spintax {
  const root = optionFrom(0);
  const frames: { start: number; options: Option[]; current: Option }[] = [];
  const found: { start: number; group: Group }[] = [];
  const escapes: number[] = [];
  const read = tokenReader(source);
  for (let token = read(0); token; token = read(token.end)) {
    const frame = frames.at(-1);
    if (token.kind === "open") {
      if (frames.length === MAX_DEPTH)
        throw new AppError("TEMPLATE_INVALID", "Braces are nested too deeply", positionOf(source, token.start));
      const current = optionFrom(token.end);
      frames.push({ start: token.start, options: [current], current });
    } else if (token.kind === "pipe" && frame) {
      frame.current.end = token.start;
      frame.current = optionFrom(token.end);
      frame.options.push(frame.current);
    } else if (token.kind === "close" && frame) {
      frames.pop();
      frame.current.end = token.start;
      const group = { number: 0, options: frame.options };
      if (group.options.length > 1) found.push({ start: frame.start, group });
      append(frames.at(-1)?.current ?? root, group.options.length > 1 ? [group] : ["{", ...frame.current.pieces, "}"]);
    } else {
      if (token.kind === "escape") escapes.push(token.start, token.start + 1);
      append(frame?.current ?? root, [token.text]);
    }
  }
  for (let open = frames.pop(); open; open = frames.pop())
    append(frames.at(-1)?.current ?? root, asWritten(open.options));
  const groups = found.sort((a, b) => a.start - b.start).map(({ group }) => group);
  for (const [index, group] of groups.entries()) group.number = firstNumber + index;
  const marks = groups.flatMap(({ options }) => [...options.map(({ start }) => start - 1), options.at(-1)?.end ?? 0]);
  return { pieces: root.pieces, groups, blanked: blankMarks(source, [...escapes, ...marks]) };
}

/** Chooses one option of each group by a hash of the seed and the group's number. The result is Liquid source. */
export function expand(pieces: Piece[], seed: Seed): string {
  return pieces
    .map((piece) => (typeof piece === "string" ? piece : expand(chooseOption(piece, seed).pieces, seed)))
    .join("");
}

/** A part of a source that is not plain text: a Liquid token, or an escaped brace or pipe. */
export interface Marked {
  kind: "token" | "escape";
  start: number;
  end: number;
}

/** The Liquid tokens and escapes of a source, as `parseSpintax` reads them, with braces of any depth. */
export function findMarked(source: string): Marked[] {
  const found: Marked[] = [];
  const read = tokenReader(source);
  for (let token = read(0); token; token = read(token.end)) {
    const { kind, text, start, end } = token;
    if (kind === "escape") found.push({ kind, start, end });
    else if (kind === "text" && (text.startsWith("{{") || text.startsWith("{%")))
      found.push({ kind: "token", start, end });
  }
  return found;
}

/** The line and column, both from 1, of a character in a text. */
export function positionOf(source: string, index: number): { line: number; column: number } {
  const before = source.slice(0, index).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function chooseOption({ number, options }: Group, { recipientId, stepId, variantId }: Seed): Option {
  return options[draw(recipientId, stepId, variantId, number) % options.length] ?? optionFrom(0);
}

function optionFrom(start: number): Option {
  return { start, end: start, pieces: [] };
}

function asWritten(options: Option[]): Piece[] {
  return ["{", ...options.flatMap((option, index) => (index === 0 ? option.pieces : ["|", ...option.pieces]))];
}

function blankMarks(source: string, marks: number[]): string {
  const chars = source.split("");
  for (const mark of marks) chars[mark] = " ";
  return chars.join("");
}

/** Joins neighbouring texts, so that a source full of braces has few pieces. */
function append(option: Option, pieces: Piece[]): void {
  for (const piece of pieces) {
    const last = option.pieces.at(-1);
    if (typeof piece === "string" && typeof last === "string") option.pieces[option.pieces.length - 1] = last + piece;
    else option.pieces.push(piece);
  }
}

interface Token {
  kind: "text" | "escape" | "open" | "pipe" | "close";
  text: string;
  start: number;
  end: number;
}

function tokenReader(source: string): (at: number) => Token | null {
  const tagEnd = nextOf(source, /%\}/g);
  const styleEnd = nextOf(source, /<\/style/gi);
  return (start) => {
    if (start >= source.length) return null;
    const text = (end: number): Token => ({ kind: "text", text: source.slice(start, end), start, end });
    const char = source[start];
    const next = source[start + 1];
    if (char === "{") {
      const end = next === "{" ? outputEnd(source, start) : next === "%" ? tagEnd(start + 2) : -1;
      return end > start ? text(end) : { kind: "open", text: "{", start, end: start + 1 };
    }
    if (char === "|") return { kind: "pipe", text: "|", start, end: start + 1 };
    if (char === "}") return { kind: "close", text: "}", start, end: start + 1 };
    // A literal brace is written as a Liquid output, so that two literal braces never form a Liquid token
    if (char === "\\" && next !== undefined && "{|}".includes(next))
      return { kind: "escape", text: next === "{" ? '{{"{"}}' : next, start, end: start + 2 };
    if (char === "<" && /^<style\b/i.test(source.slice(start, start + 7))) {
      const end = styleEnd(start);
      if (end > start) return text(end);
    }
    return text(runEnd(source, start));
  };
}

/** The index at which `{{ … }}` ends, or -1. Outside quotes such a token contains no brace. */
function outputEnd(source: string, start: number): number {
  for (let at = start + 2; at < source.length; at++) {
    const char = source[at];
    if (char === "{") return -1;
    if (char === "}") return source[at + 1] === "}" ? at + 2 : -1;
    if (char === '"' || char === "'") {
      at = source.indexOf(char, at + 1);
      if (at < 0) return -1;
    }
  }
  return -1;
}

function runEnd(source: string, start: number): number {
  const special = /[\\{|}<]/g;
  special.lastIndex = start + 1;
  return special.exec(source)?.index ?? source.length;
}

/**
 * The end of the next match at or after a position. The result is cached, so that reading a whole text stays linear.
 */
function nextOf(source: string, pattern: RegExp): (at: number) => number {
  let lastMatch = { from: 0, start: -1, end: -1 };
  let none = Number.POSITIVE_INFINITY;
  return (at) => {
    if (at >= none) return -1;
    if (at >= lastMatch.from && at <= lastMatch.start) return lastMatch.end;
    pattern.lastIndex = at;
    const match = pattern.exec(source);
    if (!match) {
      none = at;
      return -1;
    }
    lastMatch = { from: at, start: match.index, end: match.index + match[0].length };
    return lastMatch.end;
  };
}
