import { differenceOfDecimals, sumOfDecimals } from "../decimals.ts";

/** What is counted for a campaign, beside its revenue. The names are stored. */
const COUNT_NAMES = [
  "mailed",
  "refused",
  "opened",
  "proxyOpened",
  "clicked",
  "replied",
  "autoReplied",
  "bounced",
  "unsubscribed",
  "meetings",
  "delivered",
  "returned",
  "withPixel",
  "withLinks",
  "positive",
  "complained",
  "conversions",
] as const;
export type CountName = (typeof COUNT_NAMES)[number];
export type CountsByName = Partial<Record<CountName, number>>;

/** How many recipients have revenue in a currency, and the sum as a decimal. */
interface RevenueCount {
  people: number;
  amount: string;
}

/** The numbers of one campaign, or their change. A missing count is 0. */
export interface CampaignCounts {
  counts: CountsByName;
  revenue: Readonly<Record<string, RevenueCount>>;
}

export const NO_COUNTS: CampaignCounts = { counts: {}, revenue: {} };

/** The sum of two numbers of a campaign, without zeros. */
export function addCounts(one: CampaignCounts, other: CampaignCounts): CampaignCounts {
  return combined(one, other, 1);
}

/** What has to be added to `other` to get `one`, without zeros. */
export function subtractCounts(one: CampaignCounts, other: CampaignCounts): CampaignCounts {
  return combined(one, other, -1);
}

export function isZero({ counts, revenue }: CampaignCounts): boolean {
  return Object.keys(counts).length + Object.keys(revenue).length === 0;
}

function combined(one: CampaignCounts, other: CampaignCounts, sign: 1 | -1): CampaignCounts {
  const counts: CountsByName = {};
  for (const name of COUNT_NAMES) {
    const count = (one.counts[name] ?? 0) + sign * (other.counts[name] ?? 0);
    if (count !== 0) counts[name] = count;
  }
  const revenue: Record<string, RevenueCount> = {};
  for (const currency of new Set([...Object.keys(one.revenue), ...Object.keys(other.revenue)])) {
    const [mine, theirs] = [one.revenue[currency] ?? NO_REVENUE, other.revenue[currency] ?? NO_REVENUE];
    const amount = (sign === 1 ? sumOfDecimals : differenceOfDecimals)(mine.amount, theirs.amount);
    const people = mine.people + sign * theirs.people;
    if (people !== 0 || amount !== "0") revenue[currency] = { people, amount };
  }
  return { counts, revenue };
}

const NO_REVENUE: RevenueCount = { people: 0, amount: "0" };

/** The facts about a recipient that are counted for its campaign. Earlier versions did not store all of them. */
export interface CountedRecipient {
  lastSentAt?: Date | null;
  openedAt?: Date | null;
  proxyOpenedAt?: Date | null;
  clickedAt?: Date | null;
  repliedAt?: Date | null;
  autoRepliedAt?: Date | null;
  bouncedAt?: Date | null;
  bounce?: { type?: string | null } | null;
  unsubscribedAt?: Date | null;
  meetingBooked?: boolean;
  revenueAmount?: string | null;
  revenueCurrency?: string | null;
}

/** What a recipient counts for. An email that the server refuses during the SMTP session counts as a bounce. */
export function countsOfRecipient(recipient: CountedRecipient): CampaignCounts {
  const isHardBounced = recipient.bouncedAt != null && recipient.bounce?.type === "HARD";
  const { revenueAmount, revenueCurrency } = recipient;
  return {
    counts: onesOf({
      mailed: recipient.lastSentAt != null,
      refused: isHardBounced && recipient.lastSentAt == null,
      opened: recipient.openedAt != null,
      proxyOpened: recipient.proxyOpenedAt != null,
      clicked: recipient.clickedAt != null,
      replied: recipient.repliedAt != null,
      autoReplied: recipient.autoRepliedAt != null,
      bounced: isHardBounced,
      unsubscribed: recipient.unsubscribedAt != null,
      meetings: recipient.meetingBooked === true,
    }),
    revenue: revenueAmount && revenueCurrency ? { [revenueCurrency]: { people: 1, amount: revenueAmount } } : {},
  };
}

/** The states of an email that was sent. */
export const SENT_STATES = ["SENT", "BOUNCED"] as const;

export interface CountedSend {
  state?: string;
  tracking?: { opens?: boolean; clicks?: boolean } | null;
}

export function countsOfSend({ state, tracking }: CountedSend): CampaignCounts {
  const isSent = SENT_STATES.some((one) => one === state);
  return {
    counts: onesOf({
      delivered: state === "SENT",
      returned: state === "BOUNCED",
      withPixel: isSent && tracking?.opens === true,
      withLinks: isSent && tracking?.clicks === true,
    }),
    revenue: {},
  };
}

/** A count of one for each name that is true. */
export function onesOf(facts: Partial<Record<CountName, boolean>>): CountsByName {
  const names = COUNT_NAMES.filter((name) => facts[name] === true);
  return Object.fromEntries(names.map((name) => [name, 1]));
}
