import { compile, type DomNode, type FormatCallback, type HtmlToTextOptions } from "html-to-text";
import { type OwnWords, ownWords } from "../../domain/mail/own-words.ts";
import { withinProcessorTime } from "./processor-limit.ts";

const MAX_INPUT = 200_000;
const MAX_LINES = 10_000;
const MAX_HTML = 300_000;
/** Milliseconds of the thread's processor time. */
const LIMIT_MS = 1_000;
const FALLBACK = 2_000;
/** How many lines are kept of a quote at the end of the text, so that it is still recognised as a quote. */
const QUOTE_LINES = 3;

/**
 * Converts an HTML body to plain text. Links are shown without their targets, images are left out. Only the first
 * 300,000 characters are read.
 */
export function htmlText(html: string): string {
  return renderWithinLimit(html, wholeOf) ?? html.slice(0, MAX_HTML).replace(/<[^<>]{0,2000}>/g, " ");
}

/**
 * The text that the sender wrote, without quotes, attribution lines and signature (rules/mail 11.1). The HTML is read
 * when there is no plain text, and when it marks a quote that the plain text does not show. When the result is empty or
 * takes too long, the first 2,000 characters of the whole text are returned.
 */
export function replyOf(plain: string | null, html: string | null): string {
  const read = plain === null ? null : ownWordsOf(plain);
  const isUnsure = read === null || (!read.hasQuote && SAYS_QUOTE.test(html?.slice(0, MAX_HTML) ?? ""));
  const ofHtml = isUnsure && html !== null ? ownWordsOf(renderWithinLimit(html, withoutContainers) ?? "").words : "";
  const isBetter = ofHtml !== "" && (read === null || ofHtml.length < read.words.length);
  const words = isBetter ? ofHtml : (read?.words ?? "");
  return words || (plain ?? (html === null ? "" : htmlText(html))).slice(0, FALLBACK).trim();
}

function ownWordsOf(text: string): OwnWords {
  return withinProcessorTime(LIMIT_MS, () => ownWords(withoutTail(text))) ?? { words: "", hasQuote: false };
}

// Shortens the quote at the end, which is most of a long email and is removed later anyway
function withoutTail(text: string): string {
  const quote = text.length > MAX_INPUT ? text.search(/^>/m) : -1;
  const lines = text.slice(0, quote < 0 ? MAX_INPUT : Math.min(quote, MAX_INPUT)).split("\n");
  const end = lines.findLastIndex((line) => /^[^>\s]/.test(line) || /^\s+[^\s]/.test(line));
  return lines.slice(0, Math.min(end + 1 + QUOTE_LINES, MAX_LINES)).join("\n");
}

// Embedded images are removed, because they would use up the limit. Non-breaking spaces become spaces, because editors
// write every second space as a non-breaking one
function renderWithinLimit(html: string, render: (html: string) => string): string | null {
  const input = html.replace(/"data:[^"]{100,}"/g, '""').slice(0, MAX_HTML);
  return withinProcessorTime(LIMIT_MS, () => render(input))?.replaceAll("\u00a0", " ") ?? null;
}

/**
 * `replyOf` for many emails under one time limit, because starting one takes longer than reading most emails. When that
 * limit passes or one email fails, each email is read under its own limit.
 */
export function repliesOf(mails: readonly { plain: string | null; html: string | null }[]): string[] {
  const readReplies = () => mails.map(({ plain, html }) => replyOf(plain, html));
  return withinProcessorTime(LIMIT_MS, readReplies) ?? readReplies();
}

/** Marks where an old email begins in the rendered text if the email program puts it in no container. */
const CUT = "\u0000";

const BASE: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxDepth: 200, maxChildNodes: 20_000 },
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "a", options: { ignoreHref: true } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};

/** Selectors of elements that contain a quote or one line of it, and of elements that introduce a quote. */
const QUOTES = [
  ...[".moz-cite-prefix", ".moz-forward-container", ".gmail_attr", "#reply-intro"],
  ...[".yahoo_quoted", "[id*=yahoo_quoted]"],
  ...[
    "[name=messageReplySection]",
    "[name=quote]",
    "[name=quoted-content]",
    "[data-marker=__QUOTED_TEXT__]",
    "#isReplyContent",
  ],
  ...[".missive_quote", ".ms-outlook-mobile-reference-message"],
];
/** Selectors of containers with a quote and the text that was written between its parts. */
const CONTAINERS = [".gmail_quote", ".gmail_quote_container", ".protonmail_quote", ".zmail_extra", ".tutanota_quote"];
const SIGNATURES = [
  ...[
    ".gmail_signature",
    "[data-smartmail=gmail_signature]",
    ".moz-signature",
    "#Signature",
    "#signature",
    "[id$=_Signature]",
    "#AppleMailSignature",
  ],
  ...[
    "#ms-outlook-mobile-signature",
    ".protonmail_signature_block",
    "#composer_signature",
    "[id^=ymail_android_signature]",
    "[data-signatureblock]",
  ],
];
/** Selectors of elements after which everything belongs to the old email. */
const CUTS = [
  ...[
    "#divRplyFwdMsg",
    "[id$=_divRplyFwdMsg]",
    "#appendonsend",
    "[id$=_appendonsend]",
    ".OutlookMessageHeader",
    "#OLK_SRC_BODY_SECTION",
    "#stopSpelling",
    "#zwchr",
  ],
  ...["#mail-editor-reference-message-container", "[id$=_mail-editor-reference-message-container]"],
];

const REPLY: HtmlToTextOptions = {
  ...BASE,
  formatters: {
    cut: (_element, _walk, builder) => builder.addInline(CUT, { noWordTransform: true }),
    quote: (_element, _walk, builder) => markQuote(builder),
    container: renderAroundQuote,
    blockquote: (element, walk, builder) => (isIndent(element) ? walk(element.children, builder) : markQuote(builder)),
  },
  selectors: [
    ...(BASE.selectors ?? []),
    { selector: "blockquote", format: "blockquote" },
    ...QUOTES.map((selector) => ({ selector, format: "quote" })),
    ...CONTAINERS.flatMap((selector) =>
      ["div", "span", "section"].map((tag) => ({ selector: tag + selector, format: "container" })),
    ),
    ...CUTS.map((selector) => ({ selector, format: "cut" })),
  ],
};

const toText = compile(BASE);
const toReply = compile({
  ...REPLY,
  selectors: [...(REPLY.selectors ?? []), ...SIGNATURES.map((selector) => ({ selector, format: "skip" }))],
});
const toSigned = compile(REPLY);

/** Markup by which email programs mark a quote. An editor's indentation is not included. */
const SAYS_QUOTE =
  /(?:class|id|name)\s?=\s?["']?[\w -]{0,80}(?:gmail_quote_container|gmail_attr|divRplyFwdMsg|appendonsend|yahoo_quoted|protonmail_quote|moz-cite-prefix|zmail_extra|tutanota_quote|messageReplySection|isReplyContent|mail-editor-reference)|type\s?=\s?["']?cite/i;

/** The whole of an HTML body as text, with links without their targets and without images. */
function wholeOf(html: string): string {
  return toText(html);
}

/**
 * An HTML body as text without the old emails in containers of email programs, each replaced by a line `>`. The
 * signature is left out too, unless nothing else remains.
 */
function withoutContainers(html: string): string {
  const [reply = ""] = toReply(html).split(CUT, 1);
  return /[^>\s]/.test(reply) ? reply : (toSigned(html).split(CUT, 1)[0] ?? "");
}

function markQuote(builder: Parameters<FormatCallback>[2]): void {
  builder.openBlock({ leadingLineBreaks: 1 });
  builder.addInline(">");
  builder.closeBlock({ trailingLineBreaks: 1 });
}

/**
 * Renders a container without the first part of its quote, because a reply between the quoted lines is inside the
 * container too.
 */
function renderAroundQuote(
  element: DomNode,
  walk: Parameters<FormatCallback>[1],
  builder: Parameters<FormatCallback>[2],
): void {
  markQuote(builder);
  const first = element.children.findIndex(({ name }) => name === "blockquote");
  if (first < 0) return;
  builder.openBlock({ leadingLineBreaks: 1 });
  walk(element.children.slice(first + 1), builder);
  builder.closeBlock({ trailingLineBreaks: 1 });
}

/**
 * Whether a blockquote is only an editor's indentation. A quote has a border, is declared as a quote, or follows an
 * introduction.
 */
function isIndent(element: DomNode): boolean {
  const style = attributeOf(element, "style");
  const isTold = attributeOf(element, "type") === "cite" || attributeOf(element, "cite") !== "";
  if (isTold || /border(?:-left)?(?:-width|-style)?\s*:\s*(?!\s|none|0|medium none)/i.test(style)) return false;
  if (/border\s*:\s*(?:none|0)/i.test(style)) return true;
  return (
    attributeOf(element, "class") === "gmail_quote" && !isWithin(element) && !/[:：]\s*$/.test(textBefore(element))
  );
}

function isWithin({ parent }: DomNode): boolean {
  return (
    parent !== undefined && parent !== null && (/gmail_quote/.test(attributeOf(parent, "class")) || isWithin(parent))
  );
}

function textBefore(element: DomNode): string {
  const siblings = element.parent?.children ?? [];
  const before = siblings.slice(0, siblings.indexOf(element)).map(textIn);
  return before.findLast((text) => text.trim() !== "") ?? "";
}

function textIn({ data, children }: DomNode): string {
  return data ?? (children ?? []).map(textIn).join("");
}

function attributeOf({ attribs }: DomNode, name: string): string {
  const value: unknown = attribs?.[name];
  return typeof value === "string" ? value : "";
}
