import { encodeWord } from "nodemailer/lib/mime-funcs";
import MimeNode from "nodemailer/lib/mime-node";

interface Named {
  name: string;
  address: string;
}

/** The header fields of a mail that carry text written by people. */
export interface TextFields {
  from: Named;
  to: Named;
  cc: Named[];
  subject: string;
}

/** How an encoded word begins (RFC 2047). */
const BEGINNING = "=?";
const LONGEST_WORD = 52;

/**
 * Encodes text that looks like an encoded word, so that it is read as the text it is. The library would pass it on, or put it into quotes
 * that many mail readers ignore, and a value of a lead would then show another text than the one that was checked. Such a text is encoded
 * as a whole; any other text is left to the library.
 */
export function spellLookalikes(head: MimeNode, { from, to, cc, subject }: TextFields): void {
  const own = new Map<string, string>();
  if (subject.includes(BEGINNING)) own.set("Subject", wordsOf(subject));
  for (const [key, people] of [["From", [from]] as const, ["To", [to]] as const, ["Cc", cc] as const]) {
    if (people.some(({ name }) => name.includes(BEGINNING))) own.set(key, people.map(spelt).join(", "));
  }
  const written = head.encodeHeaderValue.bind(head);
  head.encodeHeaderValue = (key, value) => own.get(key) ?? written(key, value);
}

function spelt({ name, address }: Named): string {
  if (!name.includes(BEGINNING)) return MimeNode.encodeHeaderValue("To", { name, address });
  return `${wordsOf(name)} <${MimeNode.encodeHeaderValue("To", { name: "", address }).replace(/^<|>$/g, "")}>`;
}

function wordsOf(text: string): string {
  return encodeWord(text, "Q", LONGEST_WORD);
}
