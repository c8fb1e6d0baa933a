import { ANY_ADDRESS } from "./quote-attribution.ts";
import { type HeaderRole, roleOf } from "./quote-words.ts";

const MAX_LINES = 24;
const MAX_LINE = 2_000;
/**
 * The most lines that the rest of a wrapped header value may take. With more of them the text is not a header block.
 */
const MAX_WRAPPED = 2;
/** The most characters of a header name together with its marks, such as asterisks. */
const MAX_NAME = 44;
const MIN_NAMES = 3;
const MAX_VALUE_WORDS = 4;

/** A header name, which may be bold or follow a mark. */
const STARTS = /^[\s*_>"'•|-]{0,8}([^:：\n]{1,30}?)[\s*_]{0,4}[:：]/u;

/** A From line that proves a header block by itself when an empty line is above it. */
const SENDER = /[:：]\s?[^<>[\]@]{1,80}[<[](?:mailto:)?[^\s<>@]{1,100}@[^\s<>@]{1,100}[>\]]$/u;

interface Line {
  /** The role of the header name at the start of the line. */
  start: HeaderRole | null;
  /** The roles of all header names in the line. There are several when line breaks were lost. */
  roles: readonly HeaderRole[];
  hasAddress: boolean;
}

/**
 * Finds where the header block of an older email begins among the visible lines. Its header names may be in any order
 * and language, bold or not, with their values on the same line or wrapped. People write such lines too ("Date:",
 * "From:"), so several lines are required: one must name the sender, and there must be an address, a ruler above, or a
 * word that only programs write.
 */
export function headsIn(lines: readonly string[]): (at: number, isRuled: boolean) => boolean {
  const read: Line[] = [];
  const lineAt = (at: number) => {
    read[at] ??= lineOf(lines[at] ?? "");
    return read[at];
  };
  return (at, isRuled) => {
    const first = lineAt(at).start;
    if (first === null) return false;
    const roles = new Set<HeaderRole>();
    let hasAddress = false;
    let wrapped = 0;
    let step = 0;
    for (let index = at; index < Math.min(lines.length, at + MAX_LINES) && wrapped <= MAX_WRAPPED; index++) {
      const line = lineAt(index);
      if (index > at && line.start === first && first !== "other") return false; // a person's own line is above the header block
      wrapped = line.start === null ? wrapped + 1 : 0;
      if (line.start !== null) for (const role of line.roles) roles.add(role);
      hasAddress ||=
        line.hasAddress && (line.start !== null || (lines[index] ?? "").split(" ").length <= MAX_VALUE_WORDS);
      if (lines[index + 1] !== "") {
        if (step === 2 && lineAt(index + 1).start !== null) return false; // a person's own paragraph is above the header block
        if (step === 0) step = 1;
        continue;
      }
      // An empty line ends the header block, unless empty lines separate all of its lines
      if (step === 1 || lineAt(index + 2).start === null) break;
      step = 2;
      index++;
    }
    return (
      isHead(roles, isRuled || hasAddress) ||
      (first === "from" && (lines[at - 1] === "" || isRuled) && SENDER.test(lines[at] ?? ""))
    );
  };
}

/**
 * What a person wrote before a header block on the same line, which happens when a program removed all line breaks.
 * Null when the line has no header block.
 */
export function beforeHead(line: string): string | null {
  if (line.length > 4 * MAX_LINE || line.split(/[:：]/, MIN_NAMES + 1).length <= MIN_NAMES) return null;
  for (const { index, 0: label } of line.matchAll(/(?<=[\s.!?,;)])\*{0,2}\p{L}[\p{L}\p{M} ]{0,20}\*{0,2}\s?[:：]/gu)) {
    for (const start of wordStarts(label)) {
      if (roleOf(label.slice(start).replace(/[:：]/g, "")) !== "from") continue;
      const rest = line.slice(index + start);
      const roles = new Set(rolesIn(rest));
      const isWhole = (roles.has("sent") || roles.has("date")) && roles.has("subject");
      if (isWhole && isHead(roles, isAddressed(rest))) return line.slice(0, index + start);
    }
  }
  return null;
}

function isHead(roles: ReadonlySet<HeaderRole>, isSure: boolean): boolean {
  const hasDate = roles.has("date") || roles.has("sent");
  const isCertain = isSure || roles.has("sent");
  if (!roles.has("from")) return isCertain && hasDate && roles.has("to") && roles.has("subject");
  return roles.has("subject") ? hasDate || isCertain : isCertain && hasDate;
}

function lineOf(text: string): Line {
  if (!/[:：]/.test(text.slice(0, MAX_NAME))) return { start: null, roles: [], hasAddress: isAddressed(text) };
  const line = text.slice(0, MAX_LINE);
  const label = STARTS.exec(line)?.[1];
  const start = label === undefined ? null : roleOf(label);
  return { start, roles: start === null ? [] : rolesIn(line), hasAddress: isAddressed(line) };
}

function isAddressed(text: string): boolean {
  return text.includes("@") && ANY_ADDRESS.test(text.slice(0, MAX_LINE));
}

function rolesIn(line: string): HeaderRole[] {
  const labels = line.slice(0, MAX_LINE).match(/[\p{L}\p{M} .*_-]{1,30}(?=[:：])/gu) ?? [];
  return labels.slice(0, 20).flatMap((label) => {
    const roles = wordStarts(label).flatMap((start) => roleOf(label.slice(start)) ?? []);
    return roles.slice(0, 1);
  });
}

/** The positions at which the last three words of a text begin, in the order of the text. */
function wordStarts(text: string): number[] {
  return [...text.matchAll(/(?<![\p{L}\p{M}])\p{L}/gu)].map(({ index }) => index).slice(-3);
}
