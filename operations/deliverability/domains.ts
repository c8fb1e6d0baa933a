import { z } from "zod";
import { LISTINGS } from "../../domain/deliverability/block-lists.ts";
import { CONSUMER_HOSTS } from "../../domain/deliverability/consumer-mail.ts";
import { DOMAIN_CHECKS, type DomainCheckName, FINDING_VERDICTS } from "../../domain/deliverability/finding.ts";
import { SENDER_RULES } from "../../domain/deliverability/sender-rules.ts";
import { loadSendingDomains } from "../../store/deliverability/domains.ts";
import { type MeasuredDomain, measureDomains } from "../../store/deliverability/states.ts";
import { nullable, optionalTime, pageOf, paging, skipOf } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { bounceRate, complaintRate, score, sent, sharesOf, spamPlacementRate } from "./shares.ts";

const verdict = z.enum(FINDING_VERDICTS);
const ofCheck = (what: string) =>
  nullable(verdict).describe(`${what}; null before the first check. More under \`checks\``);

export const Publish = z
  .object({
    type: z.enum(["TXT", "MX", "CNAME", "PTR"]).describe("The type of the record"),
    name: z.string().describe("The full name of the record"),
    value: z.string().describe("The value of the record; replace parts in angle brackets with your own values"),
  })
  .meta({ id: "RecordToPublish", description: "A DNS record to publish, ready to copy" });

const Check = z
  .object({
    check: z.enum(DOMAIN_CHECKS).describe("The check"),
    verdict: verdict.describe("ABSENT: an optional record is missing. UNKNOWN: the record could not be read or judged"),
    reason: z.string().describe("The cause, as a code"),
    detail: z.string().describe("The cause in words, and what to do"),
    found: z.array(z.string()).describe("The records as found in DNS"),
    publish: z
      .array(Publish)
      .describe("The records to publish instead; empty if nothing is wrong or only the owner knows the values"),
  })
  .meta({ id: "DomainCheck", description: "What one check of a sending domain found" });

const HostRules = z
  .object({
    host: z.enum(CONSUMER_HOSTS).describe("The mail service that sets the rules"),
    mailsADay: z
      .number()
      .int()
      .describe(
        "The most emails sent to personal addresses there on one of the last seven days, from the whole registrable domain",
      ),
    bulkFrom: nullable(z.number().int()).describe(
      "The rules apply from this many emails a day; null if the service names no number",
    ),
    isBulk: z
      .boolean()
      .describe("Whether that many were sent. At Google, a domain that was a bulk sender once remains one"),
    rules: z
      .array(
        z.object({
          rule: z.enum(SENDER_RULES).describe("The requirement for bulk senders"),
          verdict: z.enum(["PASS", "WARN", "FAIL", "UNKNOWN"]).describe("Whether the domain meets the rule"),
          detail: z.string().describe("Why"),
        }),
      )
      .describe("The rules of this mail service"),
  })
  .meta({ id: "HostRules", description: "A domain compared with the rules of a mail service for bulk senders" });

const SendingDomain = z
  .object({
    domain: z.string().describe("The domain"),
    mailboxes: z.number().int().describe("How many mailboxes send from it; 0 for a domain that is only monitored"),
    spf: ofCheck("SPF"),
    dkim: ofCheck("DKIM"),
    dmarc: ofCheck("DMARC"),
    mx: ofCheck("MX"),
    checks: z.array(Check).describe("All checks"),
    blockLists: z
      .array(
        z.object({
          zone: z.string().describe("The block list"),
          subject: z.string().describe("The domain, or the address of one of its own servers"),
          status: z.enum(LISTINGS).describe("UNKNOWN: the list did not answer, refused, or failed its own test"),
        }),
      )
      .describe("The block lists that this deployment queries"),
    senderRules: z
      .array(HostRules)
      .describe("The domain compared with the published rules of Google, Yahoo and Microsoft"),
    score,
    sent: sent.describe("Campaign emails of the last seven days"),
    bounceRate,
    complaintRate,
    spamPlacementRate,
    checkedAt: optionalTime.describe("When it was last checked"),
  })
  .meta({ id: "SendingDomain", description: "A domain that mailboxes send from" });

const BY = sorting({ domain: "domain" }, "domain");

export const domains = operation({
  summary:
    "List the sending domains with their DNS records, block lists and the senders' rules of Google, Yahoo and Microsoft",
  scope: "deliverability:read",
  input: z.strictObject({
    ...paging,
    sort: BY.sort,
    domain: z.string().min(1).max(253).toLowerCase().describe("Only this domain").optional(),
  }),
  output: pageOf(SendingDomain),
  async run({ workspaceId }, { page, pageSize, sort, domain }) {
    const all = await loadSendingDomains(workspaceId);
    const found = domain === undefined ? [...all] : all.filter((one) => one.domain === domain);
    if (BY.orderOf(sort)["domain"] === -1) found.reverse();
    const first = skipOf({ page, pageSize });
    const measured = await measureDomains(workspaceId, found.slice(first, first + pageSize), all);
    return { items: measured.map(shown), total: found.length, page, pageSize };
  },
});

function shown(state: MeasuredDomain) {
  const { of, domain, findings, listings, rules, figures, score, checkedAt } = state;
  const verdictOf = (check: DomainCheckName) => findings.find((found) => found.check === check)?.verdict ?? null;
  return {
    domain,
    mailboxes: of.mailboxIds.length,
    spf: verdictOf("SPF"),
    dkim: verdictOf("DKIM"),
    dmarc: verdictOf("DMARC"),
    mx: verdictOf("MX"),
    checks: [...findings],
    blockLists: listings.map(({ list, subject, status }) => ({ zone: list.zone, subject, status })),
    senderRules: [...rules],
    score,
    ...sharesOf(figures),
    checkedAt,
  };
}
