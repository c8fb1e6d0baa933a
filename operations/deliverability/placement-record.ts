import { z } from "zod";
import { PLACEMENT_FOLDERS, PLACEMENT_STATUSES, RECEIVERS } from "../../domain/deliverability/placement.ts";
import type { PlacementTest as PlacementTestDocument } from "../../models/deliverability/placement-test.ts";
import { loadPlacementResults, unsentErrorOf } from "../../store/deliverability/placement-results.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, record } from "../fields.ts";

const { campaignId, mailboxId, stepId, variantId } = describedIds;

const rate = (what: string) =>
  nullable(z.number()).describe(`Share of the emails with a known place that ${what}, 0 to 1; null if there are none`);

const fields = {
  name: z.string().describe("The name"),
  status: z
    .enum(PLACEMENT_STATUSES)
    .describe(
      "RUNNING while emails are sent and searched for; COMPLETED_WITH_ERRORS when this worked for some emails, FAILED when for none",
    ),
  mailboxIds: z.array(mailboxId).describe("The mailboxes that send"),
  testMailboxIds: z.array(mailboxId).describe("The test mailboxes that receive the emails and are searched"),
  campaignId: nullable(campaignId).describe("The campaign whose text is sent; null: a short neutral text"),
  stepId: nullable(stepId),
  variantId: nullable(variantId),
  mails: z.number().int().describe("How many emails it has: one from each sender to each test mailbox"),
  inboxRate: rate("were found in the inbox"),
  spamRate: rate("were found in Junk"),
  missingRate: rate("were found nowhere half an hour after they were sent"),
  isScheduled: z.boolean().describe("Whether the workspace's schedule started it"),
  startedAt: optionalTime.describe("When the first email was sent"),
  finishedAt: optionalTime.describe("When the last email was found, or the search for it ended"),
};

const Result = z.object({
  mailboxId: mailboxId.describe("The mailbox that sent it"),
  testMailboxId: mailboxId.describe("The mailbox that it was sent to"),
  address: z.string().describe("The address that it was sent to"),
  provider: z.enum(RECEIVERS).describe("Who receives mail for that address"),
  folder: nullable(z.enum(PLACEMENT_FOLDERS)).describe(
    "Where it was first seen; OTHER: a folder other than inbox and Junk; MISSING: not found within half an hour; null while unknown, and with an error",
  ),
  sentAt: optionalTime.describe("When a server accepted it"),
  error: nullable(
    z.object({ code: z.string().describe("An error code"), message: z.string().describe("The error as a sentence") }),
  ).describe("Why it was not sent or could not be searched for"),
});

/** Placement test `plt_` in a list. It omits the results of its emails, which can be two hundred per test. */
export const PlacementTestSummary = record(fields).meta({
  id: "PlacementTestSummary",
  description: "A placement test without the result of each email",
});

/** Placement test `plt_` (rules/deliverability 6). */
export const PlacementTest = record({
  ...fields,
  results: z.array(Result).describe("Each email, in the order of the senders"),
}).meta({
  id: "PlacementTest",
  description: "A test of where emails of the chosen mailboxes land",
});

export function summaryOf(test: PlacementTestDocument) {
  return { ...test, isScheduled: test.period !== null };
}

/** A test with the results of its emails. */
export async function placementInFull(test: PlacementTestDocument) {
  const results = await loadPlacementResults(test.workspaceId, test._id);
  return {
    ...summaryOf(test),
    results: results.map((one) => {
      const { mailboxId, testMailboxId, address, provider, folder, error } = one.mail;
      const shown = { mailboxId, testMailboxId, address, provider, folder };
      return {
        ...shown,
        sentAt: one.send?.sentAt ?? null,
        error: folder === null ? (error ?? unsentErrorOf(one)) : null,
      };
    }),
  };
}
