import { headerOf, type SentMail } from "./sent-mail.ts";
import type { Attempt } from "./smtp.ts";

const KINDS = ["reply", "ooo", "hard", "refuse", "softdsn", "soft", "grey", "unsub", "drop", "large"] as const;
export type Kind = (typeof KINDS)[number] | "plain";

/** How the person behind an address behaves, given by how its local part starts. */
export function kindOf(address: string): Kind {
  return KINDS.find((kind) => address.toLowerCase().startsWith(kind)) ?? "plain";
}

/**
 * An event after which nothing may be sent to the recipient. `at` is when the service could know: the mail was in
 * INBOX, the POST was answered, or the 550 was sent.
 */
export interface Stop {
  recipient: string;
  cause: "replied" | "unsubscribed" | "bounced" | "refused";
  at: number;
}

export interface SandboxReport {
  /** `attempts` are RCPTs, `accepted` are mails in the ledger, `recipients` are the different addresses seen. */
  kinds: Partial<Record<Kind, { recipients: number; attempts: number; accepted: number }>>;
  /** The same Message-ID or X-Mail-Ref accepted twice for the same recipient, with one row for each surplus mail. */
  duplicates: { recipient: string; messageId: string; mailRef: string | undefined; firstAt: number; at: number }[];
  /**
   * Mails accepted (after a refusal: RCPTs seen) later than a stop. The caller compares the two instants to allow a
   * grace.
   */
  afterStop: (Stop & { mailAt: number; messageId: string | undefined; isCampaignMail: boolean })[];
  stops: Stop[];
  /** One-click posts that never got a 2xx. */
  unsubscribeFailures: string[];
}

/** Checks the promises against what the server saw. `stops` has one row per recipient and cause. */
export function reportOf(
  ledger: SentMail[],
  attempts: Attempt[],
  stops: Stop[],
  unsubscribeFailures: string[],
): SandboxReport {
  return {
    kinds: countKinds(ledger, attempts),
    duplicates: findDuplicates(ledger),
    afterStop: [...mailsAfter(ledger, stops), ...attemptsAfter(attempts, stops)],
    stops: [...stops],
    unsubscribeFailures: [...unsubscribeFailures],
  };
}

function countKinds(ledger: SentMail[], attempts: Attempt[]): SandboxReport["kinds"] {
  const kinds: SandboxReport["kinds"] = {};
  const seen = new Set<string>();
  const countOf = (address: string) => (kinds[kindOf(address)] ??= { recipients: 0, attempts: 0, accepted: 0 });
  for (const { stage, to } of attempts) {
    if (stage !== "RCPT") continue;
    for (const address of to) {
      const count = countOf(address);
      count.attempts++;
      if (!seen.has(address.toLowerCase())) count.recipients++;
      seen.add(address.toLowerCase());
    }
  }
  for (const { to } of ledger) for (const address of to) countOf(address).accepted++;
  return kinds;
}

function findDuplicates(ledger: SentMail[]): SandboxReport["duplicates"] {
  const firstSeen = new Map<string, number>();
  const duplicates: SandboxReport["duplicates"] = [];
  for (const { at, to, messageId, mailRef } of ledger) {
    for (const recipient of to) {
      const keys = [messageId, mailRef].filter((id) => id).map((id) => `${recipient.toLowerCase()} ${id}`);
      const firstAt = keys.map((key) => firstSeen.get(key)).find((time) => time !== undefined);
      if (firstAt !== undefined) duplicates.push({ recipient, messageId, mailRef, firstAt, at });
      for (const key of keys) if (!firstSeen.has(key)) firstSeen.set(key, at);
    }
  }
  return duplicates;
}

function mailsAfter(ledger: SentMail[], stops: Stop[]): SandboxReport["afterStop"] {
  const byRecipient = Map.groupBy(stops, ({ recipient }) => recipient);
  return ledger.flatMap((mail) =>
    mail.to
      .flatMap((address) => byRecipient.get(address.toLowerCase()) ?? [])
      .filter((stop) => mail.at > stop.at)
      .map((stop) => ({
        ...stop,
        mailAt: mail.at,
        messageId: mail.messageId,
        isCampaignMail: headerOf(mail.raw, "List-Unsubscribe") !== undefined,
      })),
  );
}

function attemptsAfter(attempts: Attempt[], stops: Stop[]): SandboxReport["afterStop"] {
  const refused = new Map(stops.filter(({ cause }) => cause === "refused").map((stop) => [stop.recipient, stop]));
  return attempts.flatMap(({ stage, to, at }) => {
    const stop = stage === "RCPT" ? refused.get(to[0]?.toLowerCase() ?? "") : undefined;
    return stop && at > stop.at ? [{ ...stop, mailAt: at, messageId: undefined, isCampaignMail: true }] : [];
  });
}
