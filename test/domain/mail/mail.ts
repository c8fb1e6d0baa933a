import { parseInbound } from "../../../connectors/mime/parse.ts";
import { defaultKindFacts } from "../../../domain/inbox/kind.ts";
import type { Inbound } from "../../../domain/mail/inbound.ts";

/** Parses an email written in a test; its lines are joined by `newline`. */
export function parsed(lines: string | readonly string[], newline = "\r\n"): Inbound {
  return parseInbound(Buffer.from((typeof lines === "string" ? lines.split("\n") : lines).join(newline)));
}

/** A person's plain reply, with any header replaced or added. */
export function reply(headers: Record<string, string> = {}, body = "Sounds good, call me."): Inbound {
  const all = {
    "Return-Path": "<lead@customer.example>",
    From: "Lead <lead@customer.example>",
    To: "me@ours.example",
    Subject: "Re: Hello",
    Date: "Mon, 2 Nov 2026 10:00:00 +0000",
    "Message-ID": "<reply-1@customer.example>",
    ...headers,
  };
  return parsed([...Object.entries(all).map(([name, value]) => `${name}: ${value}`), "", ...body.split("\n")]);
}

/** The facts when the database knows nothing about the mail. */
export const FACTS = defaultKindFacts("me@ours.example");

/** A plain-text mail whose subject may be in any script; `returnPath` null leaves that header out. */
export const wrote = (from: string, subject: string, text: string, returnPath: string | null) =>
  parsed(
    [
      ...(returnPath === null ? [] : [`Return-Path: <${returnPath}>`]),
      `From: ${from}`,
      "To: me@ours.example",
      `Subject: =?utf-8?B?${Buffer.from(subject).toString("base64")}?=`,
      "Content-Type: text/plain; charset=utf-8",
      "",
      ...text.split("\n"),
    ].join("\n"),
  );
