import { textOf } from "./body.ts";
import { escapeHtml } from "./liquid-output.ts";
import type { Rendered } from "./template.ts";

export interface Footer {
  /** The sender's postal address, from the workspace; null leaves it out (rules/mail 4.8). */
  postalAddress: string | null;
  /**
   * The campaign's own unsubscribe text. If the email has an unsubscribe link, it is the text of that link; otherwise
   * it is a separate line.
   */
  unsubscribeText: string | null;
  unsubscribeLink: string;
  /** Whether the campaign asks for a visible link. */
  unsubscribeLinkWanted: boolean;
  signatureHtml: string | null;
  signatureMode: "MAILBOX" | "NONE";
}

interface Part {
  html: string;
  text: string;
}

/**
 * Adds the mailbox's signature and then the footer to both bodies (rules/mail 1.3). A signature that the author placed
 * with `{{signature}}` and a link that a body already contains are not added again.
 */
export function withFooter(rendered: Rendered, footer: Footer): Rendered {
  const signature = rendered.usedVariables.includes("signature") ? null : signatureOf(footer);
  const partsOf = (isLinked: boolean) =>
    [signature, postalOf(footer), unsubscribeOf(footer, isLinked)].filter((part) => part !== null);
  const texts = partsOf(rendered.text.includes(footer.unsubscribeLink)).map(({ text }) => text);
  return { ...rendered, html: htmlWith(rendered.html), text: joinBlocks([rendered.text, ...texts]) };

  function htmlWith(html: string | null): string | null {
    if (html === null) return null;
    const parts = partsOf(html.includes(escapeHtml(footer.unsubscribeLink)) || html.includes(footer.unsubscribeLink));
    return beforeEnd(html, parts.map((part) => `\n${part.html}`).join(""));
  }
}

function joinBlocks(texts: string[]): string {
  return texts
    .map((text) => text.trimEnd())
    .filter((text) => text !== "")
    .join("\n\n");
}

function signatureOf({ signatureHtml, signatureMode }: Footer): Part | null {
  if (signatureMode === "NONE" || signatureHtml === null || signatureHtml.trim() === "") return null;
  return { html: `<div>${signatureHtml}</div>`, text: textOf(signatureHtml).trim() };
}

function postalOf({ postalAddress }: Footer): Part | null {
  const text = postalAddress?.trim() ?? "";
  return text === "" ? null : { html: small(escapeHtml(text).replace(/\r?\n/g, "<br>")), text };
}

function unsubscribeOf(
  { unsubscribeText, unsubscribeLink, unsubscribeLinkWanted }: Footer,
  isLinked: boolean,
): Part | null {
  const words = unsubscribeText?.trim() || null;
  if (unsubscribeLinkWanted && !isLinked) {
    const label = words ?? "Unsubscribe";
    return {
      html: small(`<a href="${escapeHtml(unsubscribeLink)}">${escapeHtml(label)}</a>`),
      text: `${label}: ${unsubscribeLink}`,
    };
  }
  return words === null ? null : { html: small(escapeHtml(words)), text: words };
}

function small(html: string): string {
  return `<p style="font-size:12px;color:#666666">${html}</p>`;
}

function beforeEnd(html: string, addition: string): string {
  const end = [/<\/body\s*>/gi, /<\/html\s*>/gi]
    .map((pattern) => [...html.matchAll(pattern)].at(-1)?.index)
    .find((index) => index !== undefined);
  return end === undefined ? html + addition : html.slice(0, end) + addition + html.slice(end);
}
