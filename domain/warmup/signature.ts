import { cleanHtml } from "../mail/clean-html.ts";
import { isClosing } from "../mail/signature.ts";
import { textOf } from "../templates/body.ts";
import { renderSignature } from "../templates/template.ts";
import type { WarmupWriter } from "./writer.ts";

/** Characters of its text; a longer one would outweigh the mail. */
const LONGEST = 1_000;
/** The beginning of what mail programs and filters take for the address of a page. */
const ADDRESS = /https?:\/\/|\bwww\./i;

/**
 * A mailbox's signature as a warmup mail carries it, in both forms (rules/warmup 4.6). Null where there is none to show: nothing but
 * images, one that is too long, one with an address hidden in an address, or one that needs to know a lead or a campaign, which a warmup mail does not have.
 */
export function signatureOf(writer: WarmupWriter, openingId: string): { html: string; text: string; hasClosing: boolean } | null {
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
 * Cleaned HTML without any attribute and with the words of its links alone: a filter that counts links counts none. In cleaned HTML a `>`
 * within a value is escaped, so a tag ends at the next one.
 */
function withoutLinks(html: string): string {
  return html
    .replace(/<\/?a\b[^>]*>/g, "")
    .replace(/<(\/?[a-z][a-z0-9]*)\b[^>]*?(\s\/)?>/g, "<$1$2>")
    .replace(new RegExp(ADDRESS, "gi"), "");
}
