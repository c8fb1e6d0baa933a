import { readRefusal } from "../bounces/refusal.ts";
import { codeOf, type Stage } from "../bounces/verdict.ts";
import type { ProbeAnswer } from "./judge-address.ts";

export interface SmtpReply {
  code: number;
  text: string;
}

/** How a conversation with a mail server went. Null is a reply that never came, or that was not asked for. */
export interface ProbeTranscript {
  /** How far it came. */
  stage: Extract<Stage, "CONNECT" | "GREETING" | "EHLO" | "MAIL" | "RCPT">;
  /** The refusal before any address was named. */
  refusal: SmtpReply | null;
  /** About the address. */
  address: SmtpReply | null;
  /** About an address that no one has; asked when the address was taken. */
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
  /** The same question may be asked once more, later. */
  | { kind: "LATER"; code: number; enhanced: string | null }
  /** The host refuses us, whichever address we ask about. */
  | { kind: "STOP"; code: number | null; enhanced: string | null }
  | { kind: "UNREACHABLE" };

/** `refusesNobody`: the domain is known not to accept every address, so it was not asked about one that no one has. */
export function readProbe({ stage, refusal, address, nobody }: ProbeTranscript, refusesNobody = false): ProbeOutcome {
  if (stage !== "RCPT") {
    if (refusal === null) return { kind: "UNREACHABLE" };
    return stage === "MAIL" && isGreylisting(refusal, "MAIL") ? laterOutcome(refusal) : stopOutcome(refusal);
  }
  // It hung up, or kept us waiting, when it heard the address
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

/** The server accepted the address. What that means depends on whether it accepts any address. */
function readNobody(address: SmtpReply, nobody: SmtpReply | null): ProbeOutcome {
  if (nobody === null) return answerOutcome("UNKNOWN", "UNCLEAR", address, { isHostStopped: true });
  if (nobody.code < 300) return answerOutcome("CATCH_ALL", "ACCEPTS_ANY", address, { isCatchAll: true });
  if (nobody.code === 421 || isBlock(nobody))
    return answerOutcome("UNKNOWN", "HOST_REFUSES", nobody, { isHostStopped: true });
  if (nobody.code < 500) return laterOutcome(nobody);
  return answerOutcome("VALID", "ACCEPTED", address, { isCatchAll: false });
}

/** Whether a refusal is about us: our address, our name, how often we ask. Greylisting does not count. */
function isBlock(reply: SmtpReply): boolean {
  const { about, effect, reason } = readRefusal({ stage: "RCPT", ...reply });
  if (about === "recipient" || about === "organisation") return false;
  if (reason === "BLOCKED" || reason === "AUTHENTICATION") return true;
  return reply.code >= 500 && reason !== "UNDEFINED" && (effect === "COOL_DOWN" || effect === "PUT_OFF");
}

/** RFC 6647: 450 or 451, in whatever words, unless they mention a block. */
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
