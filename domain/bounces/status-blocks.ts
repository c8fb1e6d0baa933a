import { addressesIn } from "./address.ts";

/** One failed address as a text or a status part names it, with the words that belong to it. */
export interface StatusBlock {
  address: string | null;
  originalRecipient: string | null;
  action: string | null;
  status: string | null;
  diagnostic: string;
}

const MAX_TEXT = 256 * 1024;
export const MAX_RECIPIENTS = 100;

/**
 * The recipient blocks of a delivery status (RFC 3464), also when the status is only printed in a text. Fields are
 * unfolded. A block begins at an empty line, or at a second Final-Recipient when the empty line was lost. At most 100
 * blocks are returned, and identical blocks, which systems in a loop print, are returned once.
 */
export function statusBlocks(whole: string): StatusBlock[] {
  const named = new Map<string, StatusBlock>();
  let fields = new Map<string, string>();
  const close = () => {
    if (["final-recipient", "original-recipient", "action"].some((name) => fields.has(name)) && fields.size > 1) {
      const block = blockOf(fields);
      named.set(JSON.stringify(block), block);
    }
    fields = new Map();
  };
  for (const line of whole
    .slice(0, MAX_TEXT)
    .replace(/\n[ \t]+(?=\S)/g, " ")
    .split("\n")) {
    const [, name = "", value = ""] = /^([A-Za-z][\w-]{2,40})[ \t]{0,5}:\s*(.*)$/.exec(line) ?? [];
    if (named.size >= MAX_RECIPIENTS) break;
    if (line.trim() === "" || (name.toLowerCase() === "final-recipient" && fields.has("final-recipient"))) close();
    if (name !== "") fields.set(name.toLowerCase(), value.trim());
  }
  close();
  return [...named.values()].slice(0, MAX_RECIPIENTS);
}

function blockOf(fields: ReadonlyMap<string, string>): StatusBlock {
  const recipient = (name: string) => {
    const value = fields.get(name);
    return value === undefined
      ? null
      : (addressesIn(value.replace(/^[\w-]+\s*;/, "").replace(/^\s*<?@[^:]*:/, ""))[0] ?? null);
  };
  const original = recipient("original-recipient");
  const status = fields.get("status") ?? "";
  const comment = /\(([^()]{1,300})\)/.exec(status)?.[1] ?? "";
  return {
    address: recipient("final-recipient") ?? original,
    originalRecipient: original,
    action: actionOf(fields.get("action") ?? "") ?? (status.startsWith("2.") ? "delivered" : null),
    status: /^[245]\.\d{1,3}\.\d{1,3}/.exec(status)?.[0] ?? null,
    diagnostic: [(fields.get("diagnostic-code") ?? "").replace(/^[\w-]+\s*;\s*/, ""), comment].join(" ").trim(),
  };
}

/**
 * The action in the words of RFC 3464. Null for any other (`error`, `expired`): then the Status field and the text
 * decide (rules/mail 7.2).
 */
function actionOf(action: string): string | null {
  const [word = ""] = action.toLowerCase().split(/[\s(;]/);
  const index = [/^fail/, /^delay/, /^deliver/, /^relay/, /^expanded/].findIndex((pattern) => pattern.test(word));
  return ["failed", "delayed", "delivered", "relayed", "expanded"][index] ?? null;
}
