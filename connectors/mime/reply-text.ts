import { type OwnWords, ownWords } from "../../domain/mail/own-words.ts";
import { withinProcessorTime } from "./processor-limit.ts";
import { SAYS_QUOTE, wholeOf, withoutContainers } from "./reply-html.ts";

const MAX_INPUT = 200_000;
const MAX_LINES = 10_000;
const MAX_HTML = 300_000;
/** Milliseconds of the thread's processor time. */
const LIMIT_MS = 1_000;
const FALLBACK = 2_000;
/** Lines of a quote at the end that are kept, so that it is recognised as a quote. */
const QUOTE_LINES = 3;

/** An HTML body as plain text, with links without their targets and without images. At most the first 300,000 characters are read. */
export function htmlText(html: string): string {
  return rendered(html, wholeOf) ?? html.slice(0, MAX_HTML).replace(/<[^<>]{0,2000}>/g, " ");
}

/**
 * What the person wrote, without quotes, attribution lines and signature (rules/mail 11.1). The HTML is read when there is no text, and
 * when it
 * marks a quote that cannot be seen in the text. When the result is empty or takes too long, it is the first 2,000 characters of the whole
 * text.
 */
export function replyOf(plain: string | null, html: string | null): string {
  const read = plain === null ? null : wordsOf(plain);
  const isUnsure = read === null || (!read.hasQuote && SAYS_QUOTE.test(html?.slice(0, MAX_HTML) ?? ""));
  const ofHtml = isUnsure && html !== null ? wordsOf(rendered(html, withoutContainers) ?? "").words : "";
  const isBetter = ofHtml !== "" && (read === null || ofHtml.length < read.words.length);
  const words = isBetter ? ofHtml : (read?.words ?? "");
  return words || (plain ?? (html === null ? "" : htmlText(html))).slice(0, FALLBACK).trim();
}

function wordsOf(text: string): OwnWords {
  return withinProcessorTime(LIMIT_MS, () => ownWords(withoutTail(text))) ?? { words: "", hasQuote: false };
}

// A quote at the end is dropped whatever it says, and it is most of a long mail
function withoutTail(text: string): string {
  const quote = text.length > MAX_INPUT ? text.search(/^>/m) : -1;
  const lines = text.slice(0, quote < 0 ? MAX_INPUT : Math.min(quote, MAX_INPUT)).split("\n");
  const end = lines.findLastIndex((line) => /^[^>\s]/.test(line) || /^\s+[^\s]/.test(line));
  return lines.slice(0, Math.min(end + 1 + QUOTE_LINES, MAX_LINES)).join("\n");
}

// Embedded images would use up the limit. Editors write every second space as a non-breaking one
function rendered(html: string, render: (html: string) => string): string | null {
  const input = html.replace(/"data:[^"]{100,}"/g, '""').slice(0, MAX_HTML);
  return withinProcessorTime(LIMIT_MS, () => render(input))?.replaceAll("\u00a0", " ") ?? null;
}

/**
 * `replyOf` for many mails under one time limit, because starting one takes longer than reading most mails. When that limit passes or one
 * mail fails, each mail is read under its own limit.
 */
export function repliesOf(mails: readonly { plain: string | null; html: string | null }[]): string[] {
  const read = () => mails.map(({ plain, html }) => replyOf(plain, html));
  return withinProcessorTime(LIMIT_MS, read) ?? read();
}
