/**
 * The reply on which a fault is played: the greeting, or the reply to MAIL, RCPT, DATA or the final dot. CONTENT is
 * between the 354 and the dot.
 */
export type Stage = "CONNECT" | "MAIL" | "RCPT" | "DATA" | "CONTENT" | "DOT";

/**
 * How a server answers one recipient. A stage without a rule is accepted. `delayMs` holds the reply of that stage back.
 */
export type Answer = { delayMs?: number } & (
  | { act: "accept"; at?: Stage }
  | { act: "refuse"; at: Stage; code: number; text: string }
  | { act: "drop"; at: Stage; kept: boolean }
  | { act: "silence"; at: Stage; kept: boolean }
  | { act: "drip"; at: Stage; everyMs: number }
  | { act: "hold"; at: Stage; until: Promise<unknown> }
);

export const accept: Answer = { act: "accept" };

/**
 * A 4xx or 5xx reply; `text` starts with the enhanced code. After a 421 the server closes, as RFC 5321 section 3.8
 * says.
 */
export function refuse(code: number, text: string, at: Stage = "RCPT"): Answer {
  return { act: "refuse", at, code, text };
}

/** 450 to the first `times` attempts, and then acceptance. */
export function greylist(attempt: number, times = 1): Answer {
  return attempt <= times ? refuse(450, "4.7.1 Greylisted, come back later") : accept;
}

/**
 * The connection is cut instead of that reply. At CONTENT that is before the final dot is read, so the mail is never
 * kept.
 */
export function drop(at: Stage): Answer {
  return { act: "drop", at, kept: false };
}

/**
 * The final dot is read, then the connection is cut without a reply. If kept, the mail is in the ledger although the
 * client cannot know.
 */
export function loseReply({ kept }: { kept: boolean }): Answer {
  return { act: "drop", at: "DOT", kept };
}

/** The connection stays open and no reply is ever sent. `kept` matters at DOT only. */
export function silence(at: Stage, { kept } = { kept: false }): Answer {
  return { act: "silence", at, kept };
}

/** Accepted late. */
export function slow(delayMs: number, at: Stage = "DOT"): Answer {
  return { act: "accept", at, delayMs };
}

/** Accepted, with a reply that trickles out byte by byte. */
export function drip(at: Stage = "DOT", everyMs = 1000): Answer {
  return { act: "drip", at, everyMs };
}

/** Accepted once the promise settles. */
export function hold(at: Stage, until: Promise<unknown>): Answer {
  return { act: "hold", at, until };
}
