import { SITE_DOMAIN } from "./site.ts";

/** The content and the pace of the demo's campaign: minutes where a real campaign has days. */
export const LETTERS = 3;

export const SETTINGS = {
  timezone: "UTC",
  windows: [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }],
  perMailboxDailyLimit: 0,
  minGapSeconds: 0,
  maxGapSeconds: 1,
  // Six addresses of forty do not exist, on purpose, and the bounce guard would rightly stop such a campaign
  bounceGuard: { enabled: false },
};

/** Tracking is off unless a campaign asks for it (docs/guides/tracking.md). */
export const TRACKING = { trackOpens: true, trackClicks: true, conversionDomains: [SITE_DOMAIN] };

/** The letters, whose links lead to `siteUrl`. */
export function stepsOf(minutes: number, siteUrl: string): object[] {
  const delay = { value: minutes, unit: "MINUTES" };
  const letter = (number: number, subject: string | null, text: string) => ({
    subject,
    bodyHtml: bodyOf(number, text, siteUrl),
  });
  return [
    {
      stepId: "first",
      variants: [
        letter(
          1,
          "A question about {{company}}",
          "I read about your work as {{jobTitle}} in {{city}}. May I ask how you plan the coming season?",
        ),
        letter(1, "{{firstName}}, a quick question", "Who looks after planning at {{company}} these days?"),
      ],
    },
    {
      stepId: "second",
      delay,
      threadMode: "SAME_THREAD",
      variants: [
        letter(2, null, "Did my letter reach you? A short answer would help me a lot."),
        letter(2, null, "{Just|Only} in case my first letter got lost: I would still like to hear from {{company}}."),
      ],
    },
    {
      stepId: "third",
      delay,
      threadMode: "SAME_THREAD",
      variants: [
        letter(3, null, "I will not write again after this one. All the best to {{company}}."),
        letter(3, null, "This is my last letter, {{firstName}}. Thank you for reading."),
      ],
    },
  ];
}

function bodyOf(number: number, text: string, siteUrl: string): string {
  const links = `The <a href="${siteUrl}/offer">offer</a> and <a href="${siteUrl}/how-it-works">how it works</a>.`;
  return ["Hello {{firstName}},", text, links, markOf(number)].map((paragraph) => `<p>${paragraph}</p>`).join("\n");
}

/**
 * Each letter names its number in a line of its own words, so that arrived letters can be counted without the service.
 */
function markOf(number: number): string {
  return `Letter ${number} of ${LETTERS}`;
}

/** The number of a letter that arrived, or 0 for any other mail. */
export function letterIn(raw: Buffer): number {
  return Number(new RegExp(`Letter (\\d) of ${LETTERS}`).exec(raw.toString("latin1"))?.[1] ?? 0);
}
