import { z } from "zod";
import {
  bandAdvice,
  domainAdvice,
  googleAdvice,
  lostAdvice,
  mailboxAdvice,
  PRIORITIES,
  partnerAdvice,
  postmasterAdvice,
  sortAdvice,
} from "../../domain/deliverability/recommendations.ts";
import { scoped } from "../../models/scoped.ts";
import { findWithoutPartner } from "../../store/deliverability/alerts.ts";
import { loadSendingDomains, loadSettings } from "../../store/deliverability/domains.ts";
import { firstDayOf, loadSums, noFigures } from "../../store/deliverability/figures.ts";
import { loadPostmasterDomains, namesOfSenders } from "../../store/deliverability/postmaster.ts";
import { MEASURED_DAYS, measureDomains } from "../../store/deliverability/states.ts";
import { nullable, pageOf, paging, skipOf } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { Publish } from "./domains.ts";

const SUBJECTS = ["WORKSPACE", "DOMAIN", "MAILBOX"] as const;

const Recommendation = z
  .object({
    id: z.string().describe("The id; the same advice keeps it, so you can tell which advice is new"),
    priority: z.enum(PRIORITIES).describe("The priority"),
    title: z.string().describe("What to do"),
    detail: z.string().describe("Why, with the numbers"),
    subjectType: z.enum(SUBJECTS).describe("What the advice is about"),
    subjectId: z.string().describe("The domain, or the id of the mailbox"),
    relatedTool: nullable(z.string()).describe("The tool that fixes it, or checks again after you fix it elsewhere"),
    relatedEndpoint: nullable(z.string()).describe("The endpoint that does the same as the tool"),
    publish: z.array(Publish).describe("DNS records to publish, ready to copy"),
  })
  .meta({ id: "Recommendation", description: "What to do about the deliverability of a domain or mailbox" });

const BY = sorting({ priority: "priority" }, "-priority");

export const recommendations = operation({
  summary:
    "How to improve deliverability, most urgent first: each with the DNS records to publish, and the tool or endpoint that fixes it",
  scope: "deliverability:read",
  input: z.strictObject({
    ...paging,
    sort: BY.sort,
    scope: z.enum(SUBJECTS).optional().describe("Only advice about this type of subject"),
  }),
  output: pageOf(Recommendation),
  async run({ workspaceId, services }, { page, pageSize, sort, scope }) {
    const domains = await loadSendingDomains(workspaceId);
    const { alertThresholds } = await loadSettings(workspaceId);
    const measured = await measureDomains(workspaceId, domains, domains);
    const sums = await loadSums(workspaceId, "MAILBOX", firstDayOf(MEASURED_DAYS));
    const select = { email: 1, status: 1, statusReason: 1, health: 1 } as const;
    const mailboxes = await scoped(workspaceId).Mailbox.read({ status: { $ne: "DISCONNECTED" } }, { select });
    const alone = await findWithoutPartner(workspaceId);
    const ofMailboxes = mailboxes.flatMap(({ _id: mailboxId, email, status, statusReason, health }) => [
      ...bandAdvice({ mailboxId, email }, health ?? null),
      ...(status === "RECONNECT_REQUIRED" ? [lostAdvice({ mailboxId, email, statusReason })] : []),
      ...(alone.has(mailboxId) ? [partnerAdvice({ mailboxId, email })] : []),
      ...mailboxAdvice({ mailboxId, email }, sums.get(mailboxId) ?? noFigures(), alertThresholds),
    ]);
    const ofDomains = measured.flatMap((state) => [
      ...domainAdvice(state),
      ...googleAdvice(state.domain, state.google, Date.now()),
    ]);
    const senders = services.settings.hasPostmaster ? namesOfSenders(domains) : [];
    const ofGoogle = [...(await loadPostmasterDomains(workspaceId, senders)).values()].flatMap(({ domain, error }) =>
      postmasterAdvice(domain, error),
    );
    const gravestFirst = sortAdvice([...ofDomains, ...ofGoogle, ...ofMailboxes]);
    const all = BY.orderOf(sort)["priority"] === -1 ? gravestFirst : gravestFirst.toReversed();
    const found = scope === undefined ? all : all.filter(({ subjectType }) => subjectType === scope);
    const first = skipOf({ page, pageSize });
    return { items: found.slice(first, first + pageSize), total: found.length, page, pageSize };
  },
});
