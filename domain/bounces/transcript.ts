import { ADDRESS, cleanAddress } from "./address.ts";
import type { Stage } from "./verdict.ts";

/** A line of an SMTP dialogue in a report. */
export type TranscriptLine =
  | { kind: "HOST" }
  | { kind: "COMMAND"; stage: Stage; address: string | null }
  | { kind: "ANSWER"; isRefusal: boolean; address: string | null };

const HOST = /^\s*\.{3,4}\s*while talking (?:to|with)\b/i;
const COMMAND =
  /^\s{0,20}(?:(?:>>>|--?>|=>|C:|SENT:)\s{0,5})?(?:\w{3,12} sent:\s?)?(MAIL FROM|RCPT TO|DATA$|BDAT \d|EHLO \S|HELO \S|STARTTLS$|AUTH [A-Z])/i;
const MARKED = /^\s{0,20}(?:>>>|--?>|=>|C:|SENT:)\s{0,5}(MAIL|RCPT|DATA|BDAT|EHLO|HELO|STARTTLS|AUTH|QUIT|RSET)\b/i;
const ANSWER = /^\s{0,20}(?:(?:<<<|<--?|<=|S:|RCVD:)\s{0,5})?([2-5])\d\d(?:[ -]|$)/i;
const NAMED = new RegExp(`<?(${ADDRESS})>?`);
const STAGES: Readonly<Record<string, Stage>> = {
  MAIL: "MAIL",
  RCPT: "RCPT",
  DATA: "DATA",
  BDAT: "DATA",
  STARTTLS: "TLS",
  AUTH: "AUTH",
};

/** Reads one line of an SMTP dialogue; null for a line of prose. */
export function readTranscriptLine(whole: string): TranscriptLine | null {
  const line = whole.slice(0, 1_000).trimEnd();
  if (HOST.test(line)) return { kind: "HOST" };
  const verb = (COMMAND.exec(line) ?? MARKED.exec(line))?.[1]?.toUpperCase().split(" ")[0];
  if (verb !== undefined) return { kind: "COMMAND", stage: STAGES[verb] ?? "EHLO", address: addressIn(line) };
  const answer = ANSWER.exec(line)?.[1];
  return answer === undefined ? null : { kind: "ANSWER", isRefusal: answer >= "4", address: addressIn(line) };
}

/**
 * The SMTP stage at which the transcript shows a refusal of this address, or the first refusal when `address` is null.
 */
export function stageInTranscript(transcript: string, address: string | null): Stage | undefined {
  let command: Stage | undefined;
  let lastAddress: string | null = null;
  if (!/RCPT|MAIL FROM|DATA/i.test(transcript)) return undefined;
  for (const line of transcript.split("\n")) {
    const entry = readTranscriptLine(line);
    if (entry?.kind === "HOST") command = undefined;
    if (entry?.kind === "COMMAND") {
      command = entry.stage;
      lastAddress = entry.address ?? lastAddress;
    }
    const isAbout = address === null || lastAddress === address || line.toLowerCase().includes(address);
    if (entry?.kind === "ANSWER" && entry.isRefusal && command !== undefined && isAbout) return command;
  }
  return undefined;
}

function addressIn(line: string): string | null {
  const found = NAMED.exec(line)?.[1];
  return found === undefined ? null : cleanAddress(found);
}
