import { createContext, Script } from "node:vm";
import EmailReplyParser from "email-reply-parser";
import { convert, type HtmlToTextOptions } from "html-to-text";
import { plainReply } from "../domain/plain-reply.ts";

const MAX_INPUT = 200_000;
const MAX_HTML = 300_000;
const LIMIT_MS = 1_000;
const FALLBACK = 2_000;
/** Of a quote at the end, so that it is seen to be one. */
const QUOTE_LINES = 3;
const CUT = "\u0000";

const BASE: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 200, maxChildNodes: 20_000 },
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "a", options: { ignoreHref: true } },
  ],
};

// Containers in which mail programs put what is quoted
const QUOTES = [
  "blockquote",
  ".gmail_quote",
  ".gmail_quote_container",
  ".moz-cite-prefix",
  ".yahoo_quoted",
  ".protonmail_quote",
  ".zmail_extra",
];
const SIGNATURES = [".gmail_signature", ".moz-signature", "#Signature", "#ms-outlook-mobile-signature"];
// Outlook quotes in no container at all: everything after this element is the old message
const CUTS = ["#divRplyFwdMsg", "#appendonsend", ".OutlookMessageHeader", "#mail-editor-reference-message-container"];

const REPLY: HtmlToTextOptions = {
  ...BASE,
  formatters: { cut: (_element, _walk, builder) => builder.addInline(CUT, { noWordTransform: true }) },
  selectors: [
    ...(BASE.selectors ?? []),
    ...[...QUOTES, ...SIGNATURES].map((selector) => ({ selector, format: "skip" })),
    ...CUTS.map((selector) => ({ selector, format: "cut" })),
  ],
};

/** An HTML body as plain text: links without their targets, no images. At most the first 300,000 characters are read. */
export function htmlText(html: string): string {
  return rendered(html, BASE) ?? html.slice(0, MAX_HTML).replace(/<[^<>]{0,2000}>/g, " ");
}

/**
 * What the person wrote, without quotes, attribution lines and signature (mail.md 12). An empty or too slow result
 * falls back to the first 2,000 characters of the whole text.
 */
export function replyOf(plain: string | null, html: string | null): string {
  const whole = plain ?? (html === null ? "" : htmlText(html));
  const own = plain ?? (html === null ? "" : (rendered(html, REPLY)?.split(CUT, 1)[0] ?? ""));
  return unquoted(own) || whole.slice(0, FALLBACK).trim();
}

// Editors write every second space as a non-breaking one, and no pattern expects those
function spaced(text: string): string {
  return text.replaceAll("\u00a0", " ");
}

function unquoted(text: string): string {
  const quote = text.length > MAX_INPUT ? text.search(/^>/m) : -1;
  const input = withoutTail(rejoined(text.slice(0, quote < 0 ? MAX_INPUT : Math.min(quote, MAX_INPUT))));
  return plainReply(input) ?? limited(() => new EmailReplyParser().parseReply(input))?.trim() ?? "";
}

// A quote at the end is left out whatever it says, and most of a mail is that
function withoutTail(text: string): string {
  const lines = text.split("\n");
  let end = lines.length;
  while (end > 0 && /^(?:>|\s*$)/.test(lines[end - 1] ?? "")) end--;
  return lines.slice(0, end + QUOTE_LINES).join("\n");
}

function rendered(html: string, options: HtmlToTextOptions): string | null {
  const input = html.replace(/"data:[^"]{100,}"/g, '""').slice(0, MAX_HTML); // embedded images would fill the limit
  const text = limited(() => convert(input, options));
  return text === null ? null : spaced(text);
}

// One for all: making a context takes longer than most mails
const place: { run: () => string } = { run: () => "" };
const context = createContext(place);
const call = new Script("run()");

// The parsers' patterns backtrack; a context's time limit stops even a running pattern
function limited(run: () => string): string | null {
  if (isWatched) return run();
  place.run = run;
  isWatched = true;
  try {
    return String(call.runInContext(context, { timeout: LIMIT_MS }));
  } catch {
    return null;
  } finally {
    isWatched = false;
  }
}

let isWatched = false;

/**
 * `replyOf` of many under one limit, since starting one takes longer than most mails; where that runs out or one fails, each has its
 * own.
 */
export function repliesOf(mails: readonly { plain: string | null; html: string | null }[]): string[] {
  let replies: string[] = [];
  const done = limited(() => {
    replies = mails.map(({ plain, html }) => replyOf(plain, html));
    return "done";
  });
  return done !== null ? replies : mails.map(({ plain, html }) => replyOf(plain, html));
}

// A mail program that wraps a quoted line leaves its tail without a mark; only a line that was full can have been wrapped
function rejoined(text: string): string {
  const lines = text.split(/\r?\n/);
  return lines
    .map((line, index) => {
      const before = lines[index - 1] ?? "";
      const isTail = /^>/.test(before) && /^[^>\s]/.test(line) && before.length + 1 + line.search(/\s|$/) > 76;
      return isTail ? `> ${line}` : line;
    })
    .join("\n");
}
