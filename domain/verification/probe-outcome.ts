import { readRefusal } from "../bounces/refusal.ts";
import { codeOf, type Stage } from "../bounces/verdict.ts";
import type { ProbeAnswer } from "./judge-address.ts";

export interface SmtpReply {
  code: number;
  text: string;
}

/** The replies of a mail server to our query. A reply is null if it never came, or if we did not ask for it. */
export interface ProbeTranscript {
  /** The last stage that the conversation reached. */
  stage: Extract<Stage, "CONNECT" | "GREETING" | "EHLO" | "MAIL" | "RCPT">;
  /** The refusal before we named an address. */
  refusal: SmtpReply | null;
  /** The reply about the address. */
  address: SmtpReply | null;
  /** The reply about an address that no one has. We ask only if the server accepted the address. */
  nobody: SmtpReply | null;
}

/** The result of a conversation (rules/verification 3.4). */
export type ProbeOutcome =
  | {
      kind: "ANSWERED";
      answer: ProbeAnswer;
      isCatchAll: boolean | null;
      isHostStopped: boolean;
      code: number | null;
      enhanced: string | null;
    }
  /** The server asked us to try later. The query may be repeated once. */
  | { kind: "LATER"; code: number; enhanced: string | null }
  /** The host refuses all our queries, whatever the address. */
  | { kind: "STOP"; code: number | null; enhanced: string | null }
  | { kind: "UNREACHABLE" };

/** `refusesNobody`: we know that the domain does not accept every address, so we did not ask about an invented one. */
export function readProbe({ stage, refusal, address, nobody }: ProbeTranscript, refusesNobody = false): ProbeOutcome {
  if (stage !== "RCPT") {
    if (refusal === null) return { kind: "UNREACHABLE" };
    return stage === "MAIL" && isGreylisting(refusal, "MAIL") ? laterOutcome(refusal) : stopOutcome(refusal);
  }
  // The server closed the connection or did not reply after we named the address
  if (address === null) return answerOutcome("UNKNOWN", "UNCLEAR", null, { isHostStopped: true });
  if (address.code < 300)
    return refusesNobody ? answerOutcome("VALID", "ACCEPTED", address) : readNobody(address, nobody);
  if (address.code === 421 || isBlock(address)) return stopOutcome(address);
  const { effect, reason } = readRefusal({ stage: "RCPT", ...address });
  if (reason === "MAILBOX_FULL") return answerOutcome("RISKY", "MAILBOX_FULL", address);
  if (isGreylisting(address, "RCPT")) return laterOutcome(address);
  if (effect !== "HARD_BOUNCE") return answerOutcome("UNKNOWN", "UNCLEAR", address);
  const isOfDomain = reason === "HOST_UNKNOWN" || reason === "NOT_ACCEPTING";
  return answerOutcome("INVALID", isOfDomain ? "NO_MAIL_HOST" : "USER_UNKNOWN", address, { isCatchAll: false });
}

/** The result for an accepted address. It depends on whether the server accepts every address. */
function readNobody(address: SmtpReply, nobody: SmtpReply | null): ProbeOutcome {
  if (nobody === null) return answerOutcome("UNKNOWN", "UNCLEAR", address, { isHostStopped: true });
  if (nobody.code < 300) return answerOutcome("CATCH_ALL", "ACCEPTS_ANY", address, { isCatchAll: true });
  if (nobody.code === 421 || isBlock(nobody))
    return answerOutcome("UNKNOWN", "HOST_REFUSES", nobody, { isHostStopped: true });
  if (nobody.code < 500) return laterOutcome(nobody);
  return answerOutcome("VALID", "ACCEPTED", address, { isCatchAll: false });
}

/**
 * Whether a refusal is about our own server: its IP address, its name, or the number of its queries. Greylisting does
 * not count.
 */
function isBlock(reply: SmtpReply): boolean {
  const { about, effect, reason } = readRefusal({ stage: "RCPT", ...reply });
  if (about === "recipient" || about === "organisation") return false;
  if (reason === "BLOCKED" || reason === "AUTHENTICATION") return true;
  return reply.code >= 500 && reason !== "UNDEFINED" && (effect === "COOL_DOWN" || effect === "PUT_OFF");
}

/** Whether a reply is greylisting (RFC 6647): 450 or 451 with any text, unless the text mentions a block. */
function isGreylisting(reply: SmtpReply, stage: "MAIL" | "RCPT"): boolean {
  if (reply.code !== 450 && reply.code !== 451) return false;
  const { reason } = readRefusal({ stage, ...reply });
  return reason !== "BLOCKED" && reason !== "AUTHENTICATION";
}

function answerOutcome(
  result: ProbeAnswer["result"],
  reason: ProbeAnswer["reason"],
  reply: SmtpReply | null,
  { isCatchAll = null, isHostStopped = false }: { isCatchAll?: boolean | null; isHostStopped?: boolean } = {},
): ProbeOutcome {
  return { kind: "ANSWERED", answer: { result, reason }, isCatchAll, isHostStopped, ...codesOf(reply) };
}

function laterOutcome(reply: SmtpReply): ProbeOutcome {
  return { kind: "LATER", code: reply.code, enhanced: codeOf(reply.text, null) };
}

function stopOutcome(reply: SmtpReply): ProbeOutcome {
  return { kind: "STOP", ...codesOf(reply) };
}

function codesOf(reply: SmtpReply | null) {
  return { code: reply?.code ?? null, enhanced: reply === null ? null : codeOf(reply.text, null) };
}
