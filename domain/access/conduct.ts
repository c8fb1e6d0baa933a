/** What the emails of a workspace brought about lately, by which the service judges it (rules/access 8.2). */
export interface ConductFigures {
  /** Emails of campaigns that were sent, or refused because the address is permanently wrong. */
  mails: number;
  bounced: number;
  complained: number;
  /** Measured emails, and those of them that landed in Junk. */
  seen: number;
  inSpam: number;
  /** Sending domains that were checked, and those of them that a block list has. */
  domains: number;
  listed: number;
  /** The measures that could not be read. */
  unknown: ReadonlySet<Measure>;
}

const MEASURES = ["bounces", "complaints", "spam", "listed"] as const;
export type Measure = (typeof MEASURES)[number];

/** The shares from which a workspace is slowed, and from which it is held. */
export type ConductThresholds = Record<Measure, { slow: number; hold: number }>;

export interface ConductLimits {
  thresholds: ConductThresholds;
  /** How many emails a slowed workspace may send on a UTC day. */
  slowedEmails: number;
}

export const CONDUCT_THRESHOLDS: ConductThresholds = {
  bounces: { slow: 0.05, hold: 0.1 },
  complaints: { slow: 0.003, hold: 0.01 },
  spam: { slow: 0.5, hold: 0.9 },
  listed: { slow: 0.5, hold: 1 },
};
export const SLOWED_EMAILS = 50;

/** Fewer emails, complaints or measured emails prove nothing. */
const FEWEST_MAILS = 100;
const FEWEST_COMPLAINTS = 3;
const FEWEST_SEEN = 50;
/** One listed domain may be an error of the list. */
const FEWEST_LISTED = 2;

/** Each measure of a workspace as a share; null while there is too little to judge. */
export function ratesOf({
  mails,
  bounced,
  complained,
  seen,
  inSpam,
  domains,
  listed,
  unknown,
}: ConductFigures): Record<Measure, number | null> {
  const rates: Record<Measure, number | null> = {
    bounces: mails >= FEWEST_MAILS ? bounced / mails : null,
    complaints: mails >= FEWEST_MAILS && complained >= FEWEST_COMPLAINTS ? complained / mails : null,
    spam: seen >= FEWEST_SEEN ? inSpam / seen : null,
    listed: listed >= FEWEST_LISTED ? listed / domains : null,
  };
  for (const measure of unknown) rates[measure] = null;
  return rates;
}

export interface ConductVerdict {
  kind: "GOOD" | "SLOW" | "HOLD";
  /** Says what was measured and what is allowed; empty when the verdict is GOOD. */
  reason: string;
}

/** Decides how a workspace with these figures is treated: the worst measure counts. */
export function judgeConduct(figures: ConductFigures, { thresholds }: ConductLimits): ConductVerdict {
  const rates = ratesOf(figures);
  for (const kind of ["HOLD", "SLOW"] as const) {
    for (const measure of MEASURES) {
      const limit = kind === "HOLD" ? thresholds[measure].hold : thresholds[measure].slow;
      const rate = rates[measure];
      if (rate !== null && rate >= limit)
        return { kind, reason: `${SAYS[measure](figures)} (limit ${percentOf(limit)})` };
    }
  }
  return { kind: "GOOD", reason: "" };
}

const SAYS: Record<Measure, (figures: ConductFigures) => string> = {
  bounces: ({ bounced, mails }) => `${bounced} of ${mails} emails bounced because the address does not exist`,
  complaints: ({ complained, mails }) => `recipients reported ${complained} of ${mails} emails as spam`,
  spam: ({ inSpam, seen }) => `${inSpam} of ${seen} measured emails landed in Junk`,
  listed: ({ listed, domains }) => `block lists have ${listed} of ${domains} sending domains`,
};

function percentOf(share: number): string {
  return `${Number((share * 100).toFixed(1))} %`;
}
