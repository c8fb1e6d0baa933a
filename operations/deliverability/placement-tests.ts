import { z } from "zod";
import { MOST_TEST_MAILBOXES } from "../../domain/alert-thresholds.ts";
import { MOST_PLACEMENT_MAILS, PLACEMENT_STATUSES } from "../../domain/deliverability/placement.ts";
import { AppError } from "../../domain/errors.ts";
import type { PlacementTest as PlacementTestDocument } from "../../models/deliverability/placement-test.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { cancelPlacement, findPlacementBy, storePlacement } from "../../store/deliverability/placement-tests.ts";
import { choice } from "../choice.ts";
import type { Declaration } from "../declaration.ts";
import { describedIds, EXAMPLE_IDS as ids } from "../described-ids.ts";
import { planning } from "../effects.ts";
import { name, pageFrom, pageOf, paging } from "../fields.ts";
import { operation } from "../operation.ts";
import { sendingOperation } from "../sending/sending-operation.ts";
import { BY_CREATION } from "../sorting.ts";
import { placementIntent, placementOrder } from "./placement-order.ts";
import { PlacementTest, PlacementTestSummary, placementInFull, summaryOf } from "./placement-record.ts";

const { campaignId, mailboxId, stepId, testId, variantId } = describedIds;

const create = sendingOperation({
  summary:
    "Test where emails land: each of these mailboxes sends one email to each test mailbox, where it is searched for over IMAP. The test continues after this response",
  scope: "campaigns:launch",
  errors: [
    "CAMPAIGN_NOT_FOUND",
    "LIMIT_EXCEEDED",
    "MAILBOX_NOT_FOUND",
    "MISSING_VARIABLES",
    "NO_SENDING_MAILBOX",
    "RENDER_LIMIT",
    "STEP_NOT_FOUND",
    "TEMPLATE_INVALID",
    "VARIANT_NOT_FOUND",
  ],
  audits: "placementTests.create",
  input: z.strictObject({
    name: name.optional().describe("The name. Default: the name of the campaign"),
    mailboxIds: z
      .array(mailboxId)
      .min(1)
      .max(MOST_PLACEMENT_MAILS)
      .describe("The mailboxes that send; mailboxes that cannot send now are skipped"),
    testMailboxIds: z
      .array(mailboxId)
      .min(1)
      .max(MOST_TEST_MAILBOXES)
      .optional()
      .describe(
        `Your connected mailboxes that they write to; default those of the workspace's setting. Senders times these: at most ${MOST_PLACEMENT_MAILS} emails`,
      ),
    campaignId: campaignId
      .optional()
      .describe("The campaign whose text is sent, as in a preview. Default: a short neutral text"),
    stepId: stepId.optional().describe("The step of the campaign. Default: its first email"),
    variantId: variantId.optional().describe("The variant of the step. Default: the variant of a preview"),
    ...planning,
  }),
  output: PlacementTest,
  async run(ctx, asked) {
    const { workspaceId, permit } = ctx;
    const existing = await findPlacementBy(workspaceId, permit.sendKey);
    if (existing !== null) return placementInFull(existing);
    const order = await placementOrder(ctx, asked);
    const test = await permit.commit(placementIntent(order), () =>
      inTransaction(async () => {
        const first = await findPlacementBy(workspaceId, permit.sendKey);
        return first ?? storePlacement(workspaceId, { ...order, requestKey: permit.sendKey, period: null });
      }),
    );
    return placementInFull(test);
  },
});

const list = operation({
  summary: "List placement tests, the newest first",
  scope: "deliverability:read",
  input: z.strictObject({
    ...paging,
    sort: BY_CREATION.sort,
    status: z.enum(PLACEMENT_STATUSES).optional().describe("Only tests with this status"),
  }),
  output: pageOf(PlacementTestSummary),
  async run({ workspaceId }, { status, sort, ...page }) {
    const filter = status === undefined ? {} : { status };
    const found = await pageFrom(scoped(workspaceId).PlacementTest, filter, page, { sort: BY_CREATION.orderOf(sort) });
    return { ...found, items: found.items.map(summaryOf) };
  },
});

const get = operation({
  summary: "Read one placement test: where each of its emails was found, if known",
  scope: "deliverability:read",
  errors: ["TEST_NOT_FOUND"],
  input: z.strictObject({ testId }),
  output: PlacementTest,
  run: async ({ workspaceId }, { testId }) =>
    placementInFull(found(await scoped(workspaceId).PlacementTest.get(testId))),
});

const cancel = operation({
  summary:
    "Cancel a placement test: after the response, no more of its emails are sent, and sent ones are no longer searched for",
  scope: "campaigns:launch",
  errors: ["INVALID_STATE_TRANSITION", "TEST_NOT_FOUND"],
  audits: "placementTests.cancel",
  input: z.strictObject({ testId }),
  output: PlacementTest,
  async run({ workspaceId }, { testId }) {
    const test = found(await cancelPlacement(workspaceId, testId));
    if (test.status === "CANCELLED") return placementInFull(test);
    const details = { from: test.status, action: "cancel" };
    throw new AppError("INVALID_STATE_TRANSITION", "A placement test that has ended cannot be cancelled", details);
  },
});

function found(test: PlacementTestDocument | null): PlacementTestDocument {
  if (test === null) throw new AppError("TEST_NOT_FOUND", "No placement test has this id");
  return test;
}

export const placementTestsDeclaration = {
  verbs: {
    "placementTests.list": list,
    "placementTests.create": create,
    "placementTests.get": get,
    "placementTests.cancel": cancel,
  },
  routes: [
    ["get", "/deliverability/placement-tests", list, 200, { after: "get /deliverability/recommendations" }],
    ["post", "/deliverability/placement-tests", create, 201],
    ["get", "/deliverability/placement-tests/:testId", get],
    ["post", "/deliverability/placement-tests/:testId/cancel", cancel],
  ],
  tools: {
    deliverability: {
      deliverability_placement_tests: {
        operation: choice(
          "deliverability:read",
          "List placement tests, or read one and where each of its emails was found",
          { list, get },
          "list",
          { given: "testId", action: "get" },
        ),
        after: "deliverability_recommendations",
        title: "Placement tests",
        readOnly: true,
        when: "Where emails of a mailbox landed in tests: inbox, Junk, elsewhere or nowhere. With testId: the emails of one test. Tests start over REST, or by the schedule that workspace_manage sets by `patch.deliverability.placement`.",
      },
    },
  },
  examples: {
    afterwards: [
      {
        at: "post /deliverability/placement-tests",
        title: "Test where the first email of a campaign lands",
        body: { mailboxIds: [ids.mailboxId], testMailboxIds: [ids.testMailboxId], campaignId: ids.campaignId },
      },
    ],
  },
} as const satisfies Declaration;
