import { parseInbound } from "../../activities/parse.ts";
import type { Inbound } from "../../domain/inbound.ts";

/** Parses a mail written in a test: lines are joined by `newline`. */
export function parsed(lines: string | readonly string[], newline = "\r\n"): Promise<Inbound> {
  return parseInbound(Buffer.from((typeof lines === "string" ? lines.split("\n") : lines).join(newline)));
}

/** A person's plain reply, with any header replaced or added. */
export function reply(headers: Record<string, string> = {}, body = "Sounds good, call me."): Promise<Inbound> {
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
