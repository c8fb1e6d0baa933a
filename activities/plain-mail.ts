import type { SimpleMail } from "./parse.ts";

/** One `Name <address>`, `"Name" <address>` or bare address, of the letters that need no second look. */
const ADDRESS = /^(?:(?:"([^"\\<>@,;:]*)"|([\w .'-]*?))\s*<([\w.+=-]+@[\w.-]+)>|([\w.+=-]+@[\w.-]+))$/;
const ADDRESS_HEADERS = ["from", "to", "cc", "reply-to"] as const;
const ASCII = /^[\x00-\x7f]*$/;

/**
 * Most mail is a text, or a text and the same as HTML, under headers of ASCII. That much is read here, several times as fast as by the
 * MIME parser and with the same result; null for everything else, which is the parser's. `message`: latin1, LF.
 */
export function plainMail(message: string): SimpleMail | null {
  const end = message.indexOf("\n\n");
  const head = message.slice(0, end);
  if (end < 0 || head.includes("=?") || !ASCII.test(head)) return null;
  const headerLines = linesOf(head);
  if (headerLines === null) return null;
  const first = (name: string) => headerLines.find(({ key }) => key === name)?.line.replace(/^[^:]*:\s*/, "");
  const isTwice = (name: string) => headerLines.filter(({ key }) => key === name).length > 1;
  if (["subject", "content-type", "content-transfer-encoding", ...ADDRESS_HEADERS].some(isTwice)) return null;
  const body = bodyOf(headerLines, message.slice(end + 2));
  const addresses = ADDRESS_HEADERS.map((name) => addressesOf(first(name)));
  if (body === null || addresses.includes(null)) return null;
  const [from, to, cc, replyTo] = addresses.map((value) => (value === null || value.length === 0 ? undefined : { value }));
  return { ...body, headerLines, subject: unfolded(first("subject") ?? ""), from, to, cc, replyTo, attachments: [] };
}

interface Line {
  key: string;
  line: string;
}

function linesOf(head: string): Line[] | null {
  const lines = head.split(/\n(?![ \t])/).map((line) => ({
    key: line
      .slice(0, Math.max(0, line.indexOf(":")))
      .trim()
      .toLowerCase(),
    line,
  }));
  return lines.every(({ key }) => /^[\w-]+$/.test(key)) ? lines : null;
}

function unfolded(value: string): string {
  return value.replace(/\s*\n\s+/g, " ").trim();
}

function addressesOf(value: string | undefined): { name: string; address: string }[] | null {
  if (value === undefined || value.trim() === "") return [];
  const found = unfolded(value)
    .split(",")
    .map((part) => ADDRESS.exec(part.trim()));
  if (found.includes(null)) return null;
  return found.map((match) => ({ name: (match?.[1] ?? match?.[2] ?? "").trim(), address: match?.[3] ?? match?.[4] ?? "" }));
}

type Body = Pick<SimpleMail, "text" | "html">;

function bodyOf(lines: Line[], body: string): Body | null {
  const part = leafOf(lines, body);
  if (part !== null) return part;
  const [, boundary = ""] =
    /^content-type:\s*multipart\/alternative;\s*boundary="?([\w=.+-]{1,70})"?\s*$/i.exec(unfolded(lineOf(lines, "content-type"))) ?? [];
  if (boundary === "" || lineOf(lines, "content-transfer-encoding") !== "") return null;
  const [preamble = "", ...parts] = `\n${body}`.split(`\n--${boundary}`);
  const last = parts.pop() ?? "";
  if (preamble.trim() !== "" || last.trim() !== "--" || parts.length !== 2) return null;
  const leaves = parts.map((raw) => {
    const end = raw.indexOf("\n\n");
    const inner = end < 0 || !raw.startsWith("\n") ? null : linesOf(raw.slice(1, end));
    return inner === null ? null : leafOf(inner, raw.slice(end + 2));
  });
  const [text, html] = leaves;
  if (text?.text === undefined || html?.html === undefined || html.html === false) return null;
  return { text: text.text, html: html.html };
}

/** A text or HTML of UTF-8. */
function leafOf(lines: Line[], body: string): Body | null {
  if (lineOf(lines, "content-disposition") !== "") return null;
  const type = unfolded(lineOf(lines, "content-type")) || "content-type: text/plain";
  const [, kind = "", charset = ""] = /^content-type:\s*text\/(plain|html)(?:;\s*charset="?([\w-]+)"?)?\s*$/i.exec(type) ?? [];
  const encoding = unfolded(lineOf(lines, "content-transfer-encoding"))
    .replace(/^[^:]*:\s*/, "")
    .toLowerCase();
  const bytes = kind === "" ? null : decoded(body, encoding);
  if (bytes === null) return null;
  const isUtf8 = /^utf-?8$/i.test(charset);
  if (!isUtf8 && !(/^(?:|us-ascii|iso-8859-1)$/i.test(charset) && bytes.every((octet) => octet < 0x80))) return null;
  const text = bytes.toString().replace(/\r?\n/g, "\n");
  if (text.trim() === "") return null; // what nothing is read as depends on the rest
  return kind.toLowerCase() === "html" ? { html: text } : { text, html: false };
}

function decoded(body: string, encoding: string): Buffer | null {
  if (["", "7bit", "8bit", "binary"].includes(encoding)) return Buffer.from(body, "latin1");
  if (encoding !== "quoted-printable" || /=(?![0-9A-Fa-f]{2}|[ \t]*(?:\n|$))/.test(body)) return null;
  const joined = body.replace(/[ \t]+$/gm, "").replace(/=\n/g, "");
  return Buffer.from(
    joined.replace(/=([0-9A-Fa-f]{2})/g, (_, octet: string) => String.fromCharCode(Number.parseInt(octet, 16))),
    "latin1",
  );
}

function lineOf(lines: Line[], key: string): string {
  return lines.find((line) => line.key === key)?.line ?? "";
}
