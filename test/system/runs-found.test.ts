import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { newId } from "../../mongo/ids.ts";
import type { Run } from "../../temporal/run.ts";
import * as runs from "../../temporal/runs.ts";
import * as starts from "../../temporal/starts.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ temporal: true });
});
afterAll(() => world.close());

const V = { v: 1 } as const;
const [workspaceId, campaignId, mailboxId] = [newId("wsp"), newId("cmp"), newId("mbx")];
const ids = { ...V, workspaceId, campaignId, mailboxId };

/** One run of each kind, as verbs and Temporal's own loops begin it, and what finds it beside its workspace. */
const RUNS: Record<keyof typeof runs, [Run, Record<string, string>]> = {
  campaignRun: [runs.campaignRun(ids), { CampaignId: campaignId }],
  recipientRun: [runs.recipientRun({ ...ids, recipientId: "rcp_1" }), { CampaignId: campaignId }],
  mailboxSyncRun: [runs.mailboxSyncRun(ids), { MailboxId: mailboxId }],
  warmupRun: [runs.warmupRun(ids), { MailboxId: mailboxId }],
  mailboxFreedRun: [runs.mailboxFreedRun(ids), { MailboxId: mailboxId }],
  dnsCheckRun: [runs.dnsCheckRun({ ...ids, probeId: null }), { MailboxId: mailboxId }],
  trackingCheckRun: [runs.trackingCheckRun(ids), { MailboxId: mailboxId }],
  workspaceDomainRun: [runs.workspaceDomainRun({ ...V, workspaceId, field: "portalDomain" }), {}],
  grantRevocationRun: [runs.grantRevocationRun({ ...V, workspaceId, grantId: "grt_1" }), {}],
  consentRun: [runs.consentRun({ ...V, workspaceId, consentId: "con_1" }), {}],
  connectionTestRun: [runs.connectionTestRun({ ...V, workspaceId, testId: "tst_1" }), {}],
  connectionBatchRun: [runs.connectionBatchRun({ ...V, workspaceId, batchId: "tst_2" }), {}],
  deliveryRun: [runs.deliveryRun({ ...V, workspaceId, deliveryId: "whd_1" }, "SENT"), { WebhookEvent: "SENT" }],
  feedRun: [runs.feedRun({ ...V, workspaceId, subscriptionId: "whs_1" }), {}],
  replyRun: [runs.replyRun({ ...V, workspaceId, sendId: "snd_1" }, "key", { mailboxId }), { MailboxId: mailboxId }],
  testSendRun: [
    runs.testSendRun({ ...V, workspaceId, sendId: "snd_2" }, "id", { campaignId }),
    { CampaignId: campaignId },
  ],
  scheduledReplyRun: [
    runs.scheduledReplyRun({ ...V, workspaceId, scheduledId: "srp_1", sendAt: 0 }, { mailboxId }),
    { MailboxId: mailboxId },
  ],
  placementTestRun: [runs.placementTestRun({ ...V, workspaceId, testId: "plt_1" }), {}],
  contentScoreRun: [runs.contentScoreRun({ ...V, workspaceId, scoreIds: ["one"] }, "id"), {}],
  jobRun: [runs.jobRun({ ...V, workspaceId, jobId: "job_1" }, "LEAD_IMPORT"), { JobType: "LEAD_IMPORT" }],
  agentReplyRun: [runs.agentReplyRun({ ...V, workspaceId, messageId: "msg_1" }), {}],
  agentModelsRun: [runs.agentModelsRun({ ...V, workspaceId, questionId: "job_4" }), {}],
  leadSearchRun: [runs.leadSearchRun({ ...V, workspaceId, questionId: "job_3" }), {}],
  calendarConsentRun: [runs.calendarConsentRun({ ...V, workspaceId, consentId: "con_3" }), {}],
  calendarReadRun: [runs.calendarReadRun({ ...V, workspaceId, from: 1, to: 2 }), {}],
  stripeOrderRun: [runs.stripeOrderRun({ ...V, workspaceId, orderId: "ord_1" }), {}],
  billingSyncRun: [runs.billingSyncRun({ ...V, workspaceId, eventId: "evt_1" }), {}],
  crmConsentRun: [runs.crmConsentRun({ ...V, workspaceId, consentId: "con_2" }), {}],
  crmSegmentsRun: [runs.crmSegmentsRun({ ...V, workspaceId, connectionId: "crm_1" }), {}],
  sheetRun: [runs.sheetRun({ ...V, workspaceId, sheetId: "job_2" }), {}],
};

test("every workflow run can be found in Temporal by workspace and by campaign, mailbox, webhook event or job type", async () => {
  const { services, temporal } = world;
  if (temporal === null) throw new Error("There is no engine");
  for (const [run] of Object.values(RUNS)) await services.engine.start(run);
  const found = async () => {
    const rows: Record<string, Record<string, unknown>> = {};
    for await (const { workflowId, typedSearchAttributes } of temporal.client.workflow.list({
      query: `WorkspaceId = "${workspaceId}"`,
    })) {
      rows[workflowId] = Object.fromEntries(typedSearchAttributes.getAll().map(({ key, value }) => [key.name, value]));
    }
    return Object.keys(rows).length === Object.keys(RUNS).length ? rows : null;
  };
  const rows = await until(found, { deadlineMs: 20_000, what: "the list of runs" });
  const expected = Object.values(RUNS).map(([{ options }, noun]) => [
    options.workflowId,
    { WorkspaceId: workspaceId, ...noun },
  ]);
  expect(rows).toMatchObject(Object.fromEntries(expected));
});

test("a run started by waking or admitting a recipient or by nudging a campaign can also be found by workspace", async () => {
  const { temporal } = world;
  if (temporal === null) throw new Error("There is no engine");
  const other = newId("wsp");
  await starts.wakeRecipient(temporal.client, { ...V, workspaceId: other, campaignId, recipientId: "rcp_2" }, "replan");
  await starts.admitRecipient(temporal.client, { ...V, workspaceId: other, campaignId, recipientId: "rcp_3" }, HOUR_MS);
  await starts.nudgeCampaign(temporal.client, { ...V, workspaceId: other, campaignId: newId("cmp") });
  const count = async () => (await temporal.client.workflow.count(`WorkspaceId = "${other}"`)).count;
  await until(async () => (await count()) === 3, { deadlineMs: 20_000, what: "the three runs" });
});

test("a mailbox sync run gets ahead of campaign runs that already wait in the task queue", async () => {
  const { services, temporal } = world;
  if (temporal === null) throw new Error("There is no engine");
  const { client, namespace } = temporal;
  // The tasks of the tests before wait as well
  const campaigns = Array.from({ length: 20 }, () => runs.campaignRun({ ...V, workspaceId, campaignId: newId("cmp") }));
  for (const run of campaigns) await services.engine.start(run);
  const watching = runs.mailboxSyncRun({ ...V, workspaceId, mailboxId: newId("mbx") });
  await services.engine.start(watching);
  const next = () =>
    client.workflowService.pollWorkflowTaskQueue({ namespace, taskQueue: { name: "engine" }, identity: "test" });
  const order: string[] = [];
  while (order.length < campaigns.length && order.at(-1) !== watching.options.workflowId) {
    const { workflowExecution } = await client.connection.withDeadline(Date.now() + 30_000, next);
    order.push(workflowExecution?.workflowId ?? "");
  }
  // It is the first of its partition of the queue, and the partitions take turns
  expect(order).toContain(watching.options.workflowId);
}, 60_000);
