import { z } from "zod";
import type { ContentVerdict } from "../domain/campaigns/content-score.ts";
import { EgressError } from "./net/connect.ts";
import type { Egress } from "./net/egress.ts";

/** An email with the envelope that the spam filter is to assume: client address, greeting, sender and recipient. */
export interface MailToScore {
  bytes: Buffer;
  /** The address from which the email would be sent; null when it is unknown. */
  ip: string | null;
  helo: string;
  from: string;
  to: string;
}

/** `silent` means that the filter did not answer, which says nothing about the email. `why` is for the log. */
export type ScoreAnswer = { kind: "scored"; verdict: ContentVerdict } | { kind: "silent"; why: string };

/** Limits: milliseconds of one request, octets of an email, octets of an answer. */
const LIMITS = { timeoutMs: 5_000, mailBytes: 5 * 1024 * 1024, answerBytes: 256 * 1024 } as const;
const MOST_REASONS = 20;
/**
 * Disables rules about properties that an email does not have before it is sent: the mail host's signature, and the
 * address and host name it is sent from. These rules would count against every email; the domain checks judge these
 * properties (rules/deliverability 1).
 */
const SETTINGS = JSON.stringify({
  groups_disabled: ["policies", "hfilter", "rbl"],
  symbols_disabled: ["RDNS_NONE", "RDNS_DNSFAIL", "ONCE_RECEIVED"],
});

const Answer = z.object({
  score: z.number(),
  required_score: z.number(),
  action: z.string().min(1).max(100),
  symbols: z
    .record(z.string().max(200), z.object({ score: z.number(), description: z.string().max(1_000).nullish() }))
    .default({}),
});

/** Asks an rspamd server over HTTP to score an email. Never throws because of an answer or because there is none. */
export async function scoreMail(egress: Pick<Egress, "request">, url: string, mail: MailToScore): Promise<ScoreAnswer> {
  if (mail.bytes.length > LIMITS.mailBytes) return noScore(`the email is too large: ${mail.bytes.length} octets`);
  const from = { Helo: mail.helo, From: mail.from, Rcpt: mail.to, ...(mail.ip !== null && { IP: mail.ip }) };
  const headers = { "Content-Type": "message/rfc822", Settings: SETTINGS, ...from };
  try {
    const answer = await egress.request(`${url}/checkv2`, {
      method: "POST",
      headers,
      body: mail.bytes,
      timeoutMs: LIMITS.timeoutMs,
      maxBodyBytes: LIMITS.answerBytes,
    });
    if (answer.statusCode !== 200) return noScore(`it answered ${answer.statusCode}`);
    if (!answer.isBodyComplete) return noScore("its answer is incomplete or too long");
    return parseScore(answer.bodyExcerpt.toString("utf8"));
  } catch (err) {
    if (!(err instanceof EgressError)) throw err;
    return noScore(err.reason);
  }
}

function parseScore(text: string): ScoreAnswer {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return noScore("its answer is not JSON");
  }
  const answer = Answer.safeParse(body);
  // For example {"error": "..."}, or an answer without a score
  if (!answer.success)
    return noScore(
      `its answer lacks ${answer.error.issues.map(({ path }) => path.join(".") || "everything").join(", ")}`,
    );
  const { score, required_score: required, action, symbols } = answer.data;
  const reasons = Object.entries(symbols)
    .flatMap(([name, { score, description }]) =>
      score > 0 ? [{ name, score: roundScore(score), description: description ?? null }] : [],
    )
    .sort((one, other) => other.score - one.score || (one.name < other.name ? -1 : 1))
    .slice(0, MOST_REASONS);
  return { kind: "scored", verdict: { score: roundScore(score), required: roundScore(required), action, reasons } };
}

function roundScore(score: number): number {
  return Math.round(score * 100) / 100;
}

function noScore(why: string): ScoreAnswer {
  return { kind: "silent", why };
}
