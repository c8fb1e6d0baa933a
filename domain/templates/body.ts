import { compile, type HtmlToTextOptions } from "html-to-text";
import { escapeHtml } from "./liquid-output.ts";

const OPTIONS: HtmlToTextOptions = {
  wordwrap: false,
  limits: { maxInputLength: 1_000_000, maxDepth: 200 },
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "a", options: { hideLinkHrefIfSameAsText: true, linkBrackets: ["(", ")"] } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
  ],
};

const toText = compile(OPTIONS);

/**
 * The plain text of an HTML body: links are in brackets after their text, images are left out, and lines are not
 * wrapped.
 */
export function textOf(html: string): string {
  return toText(html);
}

/** The HTML of a plain-text body: escaped, with a paragraph for each blank line and a break for each line. */
export function htmlOf(text: string): string {
  const paragraphs = text
    .replace(/\r\n?/g, "\n")
    .trim()
    .split(/\n{2,}/);
  return paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll("\n", "<br>\n")}</p>`).join("\n");
}
