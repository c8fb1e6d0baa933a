import { OTHERS_FIRST_MS, type RefusalCounts } from "./refusals.ts";

/**
 * Why a mailbox cooled down, or sends nothing to a provider. SENDER, RATE: one refusal clearly named the sender or the
 * rate as its reason. POLICY: so many organisations refused that the mailbox must be the cause. The others: too many
 * hard bounces of its emails, or complaints about them.
 */
export interface RestReason {
  by: "SENDER" | "RATE" | "POLICY" | "HARD_BOUNCES" | "COMPLAINTS";
  /**
   * The code of the refusal, and who refused; the organisation is null if the mailbox's own server refused, or if
   * several organisations did.
   */
  code: string | null;
  organisation: string | null;
  counts: RefusalCounts;
}

/** A provider whose customers get nothing from a mailbox for a time (rules/sending 10.8). */
export interface ProviderPause {
  /** The registrable domain of the provider's MX. */
  provider: string;
  since: Date;
  until: Date;
  /** How many times in a row the provider was paused. Each pause is twice as long as the one before. */
  times: number;
  counts: RefusalCounts;
}

/**
 * The time after a cool-down in which the mailbox first sends to organisations that did not refuse it (rules/sending
 * 10.9).
 */
export interface TrialAfterRest {
  refusedBy: string[];
  /** The end of the cool-down. */
  restsUntil: Date;
}

/** The cool-down that a person overrode by resuming the mailbox. */
export interface OverriddenRest {
  at: Date;
  /** When the mailbox would have been tried again. */
  until: Date | null;
  evidence: string | null;
}

/**
 * The fields in which a mailbox stores refusals and their effects. Mailboxes that an earlier version created have none
 * of these fields.
 */
export interface RefusedMailbox {
  trial?: TrialAfterRest | null;
  pausedProviders?: ProviderPause[];
}

/** Why a mailbox that can send may send to a recipient only later, and from when on (epoch milliseconds). */
export type RefusalBar =
  | { kind: "PROVIDER"; until: number; pause: ProviderPause }
  | { kind: "TRIAL"; until: number; organisation: string };

/** The providers whose customers currently get nothing from a mailbox. */
export function activePauses({ pausedProviders = [] }: RefusedMailbox, now: number): ProviderPause[] {
  return pausedProviders.filter(({ until }) => until.getTime() > now);
}

/** Whether a mailbox that can send must make some recipients wait, because organisations have refused it. */
export function isSelective(mailbox: RefusedMailbox, now: number): boolean {
  return (mailbox.trial ?? null) !== null || activePauses(mailbox, now).length > 0;
}

/**
 * Why the mailbox may not yet send to this organisation, a customer of this provider; null if it may (rules/sending
 * 10.8, 10.9).
 */
export function refusalBarOf(
  mailbox: RefusedMailbox,
  to: { organisation: string; provider: string },
  now: number,
): RefusalBar | null {
  const { organisation, provider } = to;
  const pause = activePauses(mailbox, now).find((one) => one.provider === provider);
  if (pause !== undefined) return { kind: "PROVIDER", until: pause.until.getTime(), pause };
  const { trial = null } = mailbox;
  if (trial === null || !trial.refusedBy.includes(organisation)) return null;
  const until = trial.restsUntil.getTime() + OTHERS_FIRST_MS;
  return until > now ? { kind: "TRIAL", until, organisation } : null;
}

const MOST_NAMED = 3;

/** The evidence of a cool-down as a sentence. */
export function evidenceInWords({ by, code, organisation, counts }: RestReason): string {
  const coded = code === null ? "" : ` (${code})`;
  switch (by) {
    case "HARD_BOUNCES":
      return "Too many of the last emails bounced";
    case "COMPLAINTS":
      return "Too many recipients reported emails as spam";
    case "RATE":
      return sentences([`The mail server reported a sending limit${coded}`, numbersIfSeveral(counts)]);
    case "SENDER":
      return sentences([
        `${organisation ?? "The mail server"} refused the sender of an email${coded}`,
        numbersIfSeveral(counts),
      ]);
    case "POLICY":
      return inNumbers(counts) ?? "Emails were refused";
  }
}

/** The evidence for pausing a provider as a sentence. */
export function pauseInWords({ provider, counts }: Pick<ProviderPause, "provider" | "counts">): string {
  return inNumbers(counts, ` to customers of ${provider}`) ?? `${provider} refused emails`;
}

/**
 * "3 of the last 20 emails were refused, all by harborview.test; 17 others were accepted"; null if nothing was refused.
 */
function inNumbers({ attempts, accepted, refused }: RefusalCounts, to = ""): string | null {
  const count = refused.reduce((sum, one) => sum + one.count, 0);
  const [first, second] = refused;
  if (first === undefined) return null;
  const whole =
    attempts === 1
      ? `The last email${to} was refused`
      : `${count} of the last ${attempts} emails${to} ${count === 1 ? "was" : "were"} refused`;
  const by =
    second === undefined ? `${count > 1 ? "all " : ""}by ${first.organisation}` : `by ${organisationList(refused)}`;
  if (attempts === 1) return `${whole}, ${by}`;
  const others =
    accepted === 0 ? "none was accepted" : accepted === 1 ? "1 other was accepted" : `${accepted} others were accepted`;
  return `${whole}, ${by}; ${others}`;
}

/** The counts as a sentence, if there was more than one attempt; otherwise null. */
function numbersIfSeveral(counts: RefusalCounts): string | null {
  return counts.attempts > 1 ? inNumbers(counts) : null;
}

function organisationList(refused: RefusalCounts["refused"]): string {
  const named = refused.slice(0, MOST_NAMED).map(({ organisation, count }) => `${organisation} (${count})`);
  const more = refused.length - named.length;
  const all = more > 0 ? [...named, `${more} ${more === 1 ? "other" : "others"}`] : named;
  return `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`;
}

function sentences(parts: (string | null)[]): string {
  return parts.filter((part) => part !== null).join(". ");
}
