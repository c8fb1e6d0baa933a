import { z } from "zod";
import { COMPLIANCE_STATUSES, POSTMASTER_DAYS, POSTMASTER_ERRORS } from "../../domain/deliverability/postmaster.ts";
import { AppError } from "../../domain/errors.ts";
import { loadSendingDomains } from "../../store/deliverability/domains.ts";
import { firstDayOf } from "../../store/deliverability/figures.ts";
import { loadPostmasterDays, loadPostmasterDomains, namesOfSenders } from "../../store/deliverability/postmaster.ts";
import { nullable, optionalTime, wholeNumber } from "../fields.ts";
import { operation } from "../operation.ts";

const share = (what: string) =>
  nullable(z.number()).describe(`Share of ${what}, 0 to 1; null where Google reports none, which does not mean zero`);

const Point = z
  .object({
    date: z.string().describe("The day as Google names it, `YYYY-MM-DD`"),
    spamRate: share("emails in the inbox that people reported as spam"),
    spfRate: share("emails that passed SPF"),
    dkimRate: share("emails that passed DKIM"),
    dmarcRate: share("emails that passed DMARC"),
    tlsRate: share("emails that reached Google over TLS"),
    deliveryErrorRate: share("emails that Google refused, temporarily or permanently"),
    feedbackLoops: z
      .array(
        z.object({
          id: z.string().describe("The identifier"),
          spamRate: share("its emails that people reported as spam"),
        }),
      )
      .describe("The spam rate of each `Feedback-ID` identifier, if emails have that header"),
  })
  .meta({ id: "PostmasterPoint", description: "What Google reports about a domain for one day" });

const PostmasterDomain = z
  .object({
    domain: z.string().describe("The sending domain"),
    compliance: z
      .array(
        z.object({
          requirement: z.string().describe("What Google requires of senders, by Google's code such as DMARC_POLICY"),
          status: z.enum(COMPLIANCE_STATUSES).describe("Whether Google considers it met; UNKNOWN: Google does not say"),
        }),
      )
      .describe("Google's sender guidelines, as it last judged them"),
    points: z
      .array(Point)
      .describe("Days that Google has figures for, the oldest first. Days with too little mail are missing"),
    readAt: optionalTime.describe("When figures were last read; null before the first time"),
    error: nullable(z.enum(POSTMASTER_ERRORS)).describe(
      "Why the last reading was incomplete; NOT_LISTED and UNVERIFIED: verify the domain in Postmaster Tools",
    ),
  })
  .meta({ id: "PostmasterDomain", description: "A sending domain as Google's Postmaster Tools show it" });

export const postmaster = operation({
  summary:
    "Figures of Google's Postmaster Tools for the sending domains: reported spam, authentication, TLS and refusals, by day",
  scope: "deliverability:read",
  errors: ["PROVIDER_NOT_CONFIGURED"],
  input: z.strictObject({
    domain: z.string().min(1).max(253).toLowerCase().describe("Only this domain").optional(),
    days: wholeNumber(1, POSTMASTER_DAYS.kept)
      .default(30)
      .describe(`How many days up to today, 1 to ${POSTMASTER_DAYS.kept}. Default 30`),
  }),
  output: z.object({
    domains: z.array(PostmasterDomain).describe("Domains that mailboxes of the workspace send from"),
  }),
  async run({ workspaceId, services }, { domain, days }) {
    if (!services.settings.hasPostmaster) {
      const setting = "POSTMASTER_CREDENTIALS";
      throw new AppError(
        "PROVIDER_NOT_CONFIGURED",
        `This deployment does not read Postmaster Tools: ${setting} is not set`,
        { setting },
      );
    }
    const all = namesOfSenders(await loadSendingDomains(workspaceId));
    const names = domain === undefined ? all : all.filter((name) => name === domain);
    const [states, rows] = await Promise.all([
      loadPostmasterDomains(workspaceId, names),
      loadPostmasterDays(workspaceId, names, firstDayOf(days)),
    ]);
    const byDomain = Map.groupBy(rows, (row) => row.domain);
    const domains = names.map((name) => {
      const { compliance = [], readAt = null, error = null } = states.get(name) ?? {};
      const points = (byDomain.get(name) ?? []).map(({ day: date, ...point }) => ({ date, ...point }));
      return { domain: name, compliance, points, readAt, error };
    });
    return { domains };
  },
});
