import { parseInbound } from "../../../connectors/mime/parse.ts";
import { readBounce } from "../../../domain/bounces/bounce.ts";
import { kindOf } from "../../../domain/inbox/kind.ts";
import { FACTS } from "../mail/mail.ts";

/** A mail server's report as a test writes it: in words, with a delivery status, or as raw text. */
export interface Written {
  name: string;
  /** BOUNCE unless stated otherwise. */
  kind?: string;
  /** For each recipient the beginning of `HARD recipient x@b.com`: type, fault, address. */
  expected: readonly string[];
  from?: string;
  returnPath?: string | null;
  subject?: string;
  /** Further headers of the mail. */
  extra?: string;
  text?: string;
  /** The blocks of its message/delivery-status part. */
  status?: string;
  raw?: string;
}

/**
 * How the report is read: its kind, and as much of each verdict as is expected. Different line endings must not change
 * it.
 */
export function readingOf(report: Written): { kind: string; found: string[] } {
  const read = ["\n", "\r\n", "\r"].map((end) => {
    const message = parseInbound(Buffer.from(rawOf(report).replaceAll("\n", end)));
    const recipients = readBounce(message)?.recipients ?? [];
    return {
      kind: kindOf(message, FACTS),
      verdicts: recipients.map(({ type, fault, address }) => `${type} ${fault} ${address}`),
    };
  });
  const [first] = read;
  if (first === undefined || read.some((one) => JSON.stringify(one) !== JSON.stringify(first)))
    return { kind: "DIFFERENT", found: [] };
  const found = first.verdicts.map((verdict, index) =>
    `${verdict} `.startsWith(`${report.expected[index]} `) ? `${report.expected[index]}` : verdict,
  );
  return { kind: first.kind, found };
}

function rawOf(report: Written): string {
  const {
    from = "MAILER-DAEMON@relay.com",
    returnPath = "",
    subject = "Undelivered Mail Returned to Sender",
    extra,
    text = "Delivery failed.",
  } = report;
  if (report.raw !== undefined) return report.raw;
  const head = [
    ...(returnPath === null ? [] : [`Return-Path: <${returnPath}>`]),
    `From: ${from}`,
    "To: me@ours.example",
    `Subject: =?utf-8?B?${Buffer.from(subject).toString("base64")}?=`,
    ...(extra === undefined ? [] : [extra]),
  ];
  const words = `Content-Type: text/plain; charset=utf-8\n\n${text}`;
  if (report.status === undefined) return [...head, words].join("\n");
  const status = `Content-Type: message/delivery-status\n\nReporting-MTA: dns; relay.com\n\n${report.status}\n`;
  const returned = "Content-Type: text/rfc822-headers\n\nFrom: me@ours.example\nSubject: Hi\n";
  const type = 'Content-Type: multipart/report; report-type=delivery-status; boundary="=_r"';
  return [...head, type, "", ...[words, status, returned].map((part) => `--=_r\n${part}`), "--=_r--\n"].join("\n");
}
