import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { RECIPIENT_INDEX } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { planOf, stagesOf } from "../support/plan.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const UNKNOWN = "rcp_00000000000000000000000000";

async function started(emails = ["ada@example.test"]) {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, emails);
  const recipients = `${path}/recipients`;
  const ids: string[] = (await rest.get(recipients)).body.items.map((item: { id: string }) => item.id).reverse();
  return { rest, workspaceId, path, campaignId, mailbox, recipients, ids };
}

async function statusOf(rest: Rest, recipients: string): Promise<Record<string, number>> {
  const { body } = await rest.get(`${recipients}/stats`);
  return Object.fromEntries(Object.entries<number>(body.byStatus).filter(([, count]) => count > 0));
}

test("a lead with an address known to be invalid is not added to a campaign, and the response names the reason", async () => {
  const { rest, workspaceId, recipients } = await started([]);
  const email = "void@example.test";
  const { body: lead } = await rest.post("/leads", { email });
  await scoped(workspaceId).Lead.updateOne({ _id: lead.id }, { $set: { verificationStatus: "INVALID" } });
  const added = await rest.post(recipients, { action: "addManual", emails: [email] });
  expect(added.body).toMatchObject({ added: 0, skippedCount: 1, skipped: [{ email, reason: "INVALID" }], total: 0 });
});

test("a new lead takes the name beside its address, and a known lead keeps its own", async () => {
  const { rest, recipients } = await started([]);
  await rest.post("/leads", { email: "known@example.test", firstName: "Own" });
  const emails = [
    "Ada Lovelace <ada@example.test>",
    "Other <known@example.test>",
    `${"x".repeat(201)} <long@example.test>`,
  ];
  expect((await rest.post(recipients, { action: "addManual", emails })).body).toMatchObject({ added: 3 });
  const { items } = (await rest.get("/leads")).body;
  const names = items.map(({ email, firstName, lastName, fullName }: Record<string, string | null>) => [
    email,
    [firstName, lastName, fullName],
  ]);
  expect(Object.fromEntries(names)).toMatchObject({
    "ada@example.test": ["Ada", "Lovelace", "Ada Lovelace"],
    "known@example.test": ["Own", null, "Own"],
    "long@example.test": [null, null, null],
  });
});

test("added addresses become recipients once, unknown addresses become leads, and the response says why an address was skipped", async () => {
  const { rest, workspaceId, path, recipients } = await started([]);
  const { body: known } = await rest.post("/leads", { email: "known@example.test", country: "FR" });
  await suppressAddress(workspaceId, "gone@example.test", "MANUAL");
  await rest.post("/block-list", { value: "blocked.test" });
  const emails = [
    "New@Example.test ",
    "known@example.test",
    "gone@example.test",
    "x@sub.blocked.test",
    "no address",
    "new@example.test",
  ];
  const added = await rest.post(recipients, { action: "addManual", emails });
  expect(added).toMatchObject({
    status: 200,
    body: { added: 2, alreadyPresent: 1, leadsCreated: 1, skippedCount: 3, total: 2 },
  });
  expect(added.body.skipped).toEqual(
    expect.arrayContaining([
      { email: "no address", reason: "INVALID" },
      { email: "gone@example.test", reason: "SUPPRESSED" },
      { email: "x@sub.blocked.test", reason: "BLOCK_LISTED" },
    ]),
  );
  expect((await rest.post(recipients, { action: "addManual", emails })).body).toMatchObject({
    added: 0,
    alreadyPresent: 3,
    leadsCreated: 0,
    total: 2,
  });
  const { body } = await rest.get(recipients);
  expect(body).toMatchObject({ total: 2, stats: { total: 2, byStatus: { PENDING: 2, REPLIED: 0 } } });
  expect(Object.keys(body.stats.byStatus)).toHaveLength(10);
  const one = body.items.find((item: { email: string }) => item.email === "known@example.test");
  expect(one).toMatchObject({
    leadId: known.id,
    status: "PENDING",
    timezone: "Europe/Paris",
    sentCount: 0,
    cid: expect.stringMatching(/^[0-9A-Za-z]{14}$/),
  });
  expect((await rest.get(path)).body).toMatchObject({ recipientCount: 2, metrics: { recipients: 2 } });
});

test("the list of recipients can be filtered by status and by the beginning of the address", async () => {
  const { rest, recipients, ids } = await started(["ada@example.test", "adam@example.test", "grace@example.test"]);
  await rest.post(recipients, { action: "pauseRecipients", recipientIds: [ids[0]] });
  const emails = async (query: string) => {
    const { body } = await rest.get(`${recipients}?${query}`);
    return [body.total, ...body.items.map((item: { email: string }) => item.email)];
  };
  expect(await emails("search=ADA")).toEqual([2, "adam@example.test", "ada@example.test"]);
  expect(await emails("status=PAUSED")).toEqual([1, "ada@example.test"]);
  expect(await emails("status=PENDING,REPLIED&search=ada")).toEqual([1, "adam@example.test"]);
  expect(await emails("pageSize=1&page=3")).toEqual([3, "ada@example.test"]);
  expect(await rest.get(`${recipients}?status=HAPPY`)).toMatchObject({ status: 400 });
});

test("the list of recipients can be searched by the beginning of any word of the lead's current names", async () => {
  const { rest, recipients } = await started([]);
  const { body: lead } = await rest.post("/leads", {
    email: "ada@calc.example",
    firstName: "Ada",
    lastName: "Lovelace",
    company: "Acme Works",
  });
  await rest.post(recipients, { action: "addManual", emails: ["ada@calc.example", "bob@other.example"] });
  const found = async (words: string) => {
    const { body } = await rest.get(`${recipients}?search=${encodeURIComponent(words)}`);
    expect(body.items).toHaveLength(body.total);
    return body.items.map(({ email }: { email: string }) => email.slice(0, 3)).join();
  };
  for (const words of ["ADA@", "calc.ex", "love", "works acme"]) expect(await found(words)).toBe("ada");
  for (const words of ["velace", ".*", "ada bob", "lc.example"]) expect(await found(words)).toBe("");
  await rest.post("/leads/manage", { action: "update", leadId: lead.id, patch: { lastName: "Byron" } });
  expect([await found("byron"), await found("lovelace")]).toEqual(["ada", ""]);
  await rest.post("/leads/import", { action: "commit", rows: [{ email: "bob@other.example", company: "Initech" }] });
  expect(await found("initech")).toBe("bob");
});

test("every list of recipients is read from an index in index order", async () => {
  const { rest, workspaceId, campaignId, recipients, ids } = await started(
    Array.from({ length: 30 }, (_, n) => `n${n}@example.test`),
  );
  await rest.post(recipients, { action: "pauseRecipients", recipientIds: ids.slice(0, 5) });
  const mine = { workspaceId, campaignId };
  for (const filter of [{}, { status: { $in: ["PAUSED"] } }, { status: { $in: ["PAUSED", "PENDING"] } }]) {
    const stages = await planOf("recipients", { ...mine, ...filter }, { _id: -1 });
    expect(stages).toContain("IXSCAN");
    expect(stages).not.toContain("COLLSCAN");
    expect(stages).not.toContain("SORT");
  }
  const words = { searchWords: { $elemMatch: { $gte: "n1", $lt: "n2" } } };
  const [bounds] = (await stagesOf("recipients", { ...mine, ...words })).flatMap(
    ({ indexBounds }) => indexBounds?.["searchWords"] ?? [],
  );
  expect(bounds).toBe('["n1", "n2")');
});

test("adding a list adds every member that may receive emails; a refresh adds only members who joined the list since", async () => {
  const { rest, workspaceId, path, recipients } = await started([]);
  const { body: list } = await rest.post("/lead-lists", { name: "All" });
  const leadIds = [];
  for (const name of ["a", "b", "c"])
    leadIds.push((await rest.post("/leads", { email: `${name}@example.test` })).body.id);
  await rest.post("/lead-lists/manage", { action: "addMembers", listId: list.id, leadIds: leadIds.slice(0, 2) });
  await suppressAddress(workspaceId, "b@example.test", "MANUAL");
  const added = await rest.post(recipients, { action: "addFromList", leadListId: list.id });
  expect(added).toMatchObject({
    status: 200,
    body: { added: 1, leadsCreated: 0, skipped: [{ email: "b@example.test", reason: "SUPPRESSED" }] },
  });
  expect((await rest.get(path)).body.audienceListIds).toEqual([list.id]);
  await rest.post("/lead-lists/manage", { action: "addMembers", listId: list.id, leadIds });
  expect((await rest.post(recipients, { action: "refreshAudience" })).body).toMatchObject({
    added: 1,
    alreadyPresent: 1,
    total: 2,
  });
  expect(await rest.post(recipients, { action: "addFromList", leadListId: "lst_unknown" })).toMatchObject({
    status: 404,
    body: { code: "LIST_NOT_FOUND" },
  });
});

test("a removed recipient that was never contacted disappears from lists and counts, and returns when added again", async () => {
  const { rest, path, recipients, ids } = await started(["ada@example.test", "grace@example.test"]);
  const removed = await rest.post(recipients, { action: "bulkRemove", recipientIds: [ids[0], UNKNOWN] });
  expect(removed).toMatchObject({ status: 200, body: { removed: 1, notFound: [UNKNOWN], total: 1 } });
  expect((await rest.post(recipients, { action: "bulkRemove", recipientIds: [ids[0]] })).body.removed).toBe(0);
  expect((await rest.get(recipients)).body).toMatchObject({
    total: 1,
    items: [{ email: "grace@example.test" }],
    stats: { byStatus: { SKIPPED: 0 } },
  });
  expect((await rest.get(path)).body.recipientCount).toBe(1);
  const again = await rest.post(recipients, { action: "addManual", emails: ["ada@example.test"] });
  expect(again.body).toMatchObject({ added: 1, leadsCreated: 0, total: 2 });
  expect((await rest.get(`${recipients}?search=ada`)).body.items).toMatchObject([
    { id: ids[0], status: "PENDING", stopReason: null },
  ]);
});

test("a removed recipient that was contacted stays in the history, and continues after the last email when added again", async () => {
  const { rest, workspaceId, path, recipients, ids } = await started();
  const steps = [{ subject: "One", body: "1" }, { body: "2" }];
  const { body: sequence } = await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  const [first, second] = sequence.steps.map((step: { stepId: string }) => step.stepId);
  const sent = {
    status: "IN_PROGRESS",
    sentCount: 1,
    lastSentAt: new Date(),
    currentStepId: first,
    nextStepId: second,
  };
  await scoped(workspaceId).Recipient.updateOne({ _id: ids[0] }, { $set: sent });
  await rest.post(recipients, { action: "bulkRemove", recipientIds: ids });
  expect((await rest.get(recipients)).body.items).toMatchObject([
    { status: "SKIPPED", stopReason: "REMOVED", nextStepId: null },
  ]);
  await rest.post(recipients, { action: "addManual", emails: ["ada@example.test"] });
  expect((await rest.get(recipients)).body).toMatchObject({
    total: 1,
    items: [{ status: "IN_PROGRESS", stopReason: null, nextStepId: second }],
  });
});

test("a lead that is in progress in another active campaign is skipped, unless the campaign's settings allow duplicates", async () => {
  const { rest, workspaceId, path } = await started(["ada@example.test"]);
  await rest.post(`${path}/control`, { action: "launch" });
  const other = await readyCampaign(rest, workspaceId, []);
  const add = () => rest.post(`${other.path}/recipients`, { action: "addManual", emails: ["ada@example.test"] });
  expect((await add()).body).toMatchObject({
    added: 0,
    skipped: [{ email: "ada@example.test", reason: "IN_OTHER_CAMPAIGN" }],
  });
  await rest.patch(`${other.path}/settings`, { skipDuplicatesInOtherCampaigns: false });
  expect((await add()).body).toMatchObject({ added: 1, skipped: [] });
});

test("a paused recipient waits for a resume, and a recipient that has ended cannot be paused", async () => {
  const { rest, recipients, ids } = await started(["ada@example.test", "grace@example.test"]);
  const [ada, grace] = ids;
  await rest.post(recipients, { action: "bulkRemove", recipientIds: [grace] });
  const paused = await rest.post(recipients, { action: "pauseRecipients", recipientIds: [ada, grace, UNKNOWN, ada] });
  expect(paused).toMatchObject({ status: 200, body: { matched: 2, changed: 1, notFound: [UNKNOWN] } });
  expect(paused.body.items).toEqual(
    expect.arrayContaining([
      { id: ada, ok: true, error: null },
      { id: grace, ok: false, error: expect.objectContaining({ code: "INVALID_STATE_TRANSITION" }) },
    ]),
  );
  expect(await statusOf(rest, recipients)).toEqual({ PAUSED: 1 });
  expect((await rest.post(recipients, { action: "resumeRecipients", recipientIds: [ada] })).body).toMatchObject({
    changed: 1,
  });
  expect((await rest.post(recipients, { action: "resumeRecipients", recipientIds: [ada] })).body).toMatchObject({
    matched: 1,
    changed: 0,
  });
  expect(await statusOf(rest, recipients)).toEqual({ PENDING: 1 });
});

test("a recipient that is resumed after an unknown outcome continues with the next step, and the email is not sent again", async () => {
  const { rest, workspaceId, path, campaignId, recipients, ids } = await started();
  const { body } = await rest.put(`${path}/sequence`, {
    action: "replaceSteps",
    steps: [{ subject: "One", body: "1" }, { body: "2" }],
  });
  const [first, second] = body.steps.map((step: { stepId: string }) => step.stepId);
  const { Recipient, Send } = scoped(workspaceId);
  const row = { _id: newId("snd"), campaignId, recipientId: ids[0] ?? "", stepId: first, to: "ada@example.test" };
  await Send.insert({ ...row, state: "UNKNOWN", unknownAt: new Date() });
  await Recipient.updateOne({ _id: ids[0] }, { $set: { status: "FAILED", stopReason: "SEND_UNKNOWN" } });
  await rest.post(recipients, { action: "resumeRecipients", recipientIds: ids });
  expect((await rest.get(recipients)).body.items).toMatchObject([
    { status: "IN_PROGRESS", stopReason: null, nextStepId: second },
  ]);
  expect((await rest.get(`${path}/sends?state=UNKNOWN`)).body).toMatchObject({
    total: 1,
    items: [
      {
        id: row._id,
        email: "ada@example.test",
        recipientId: ids[0],
        stepId: first,
        state: "UNKNOWN",
        unknownAt: expect.any(String),
      },
    ],
  });
  expect((await rest.get(`${path}/sends?state=SENT`)).body.total).toBe(0);
});

test.each([
  ["REPLIED", "REPLIED"],
  ["FAILED", "SEND_FAILED"],
  ["SKIPPED", "INVALID_ADDRESS"],
  ["SUPPRESSED", "BLOCK_LISTED"],
] as const)(
  "a recipient that ended as %s (%s) resumes at the next unsent step, and the finished campaign reopens",
  async (status, stopReason) => {
    const { rest, workspaceId, path, campaignId, recipients, ids } = await started();
    const { body } = await rest.put(`${path}/sequence`, {
      action: "replaceSteps",
      steps: [{ subject: "One", body: "1" }, { body: "2" }],
    });
    const [first, second] = body.steps.map((step: { stepId: string }) => step.stepId);
    const { Campaign, Recipient, Send } = scoped(workspaceId);
    await Send.insert({
      _id: newId("snd"),
      campaignId,
      recipientId: ids[0] ?? "",
      stepId: first,
      to: "ada@example.test",
      state: "SENT",
    });
    await Recipient.updateOne(
      { _id: ids[0] },
      { $set: { status, stopReason, currentStepId: first, sentCount: 1, lastSentAt: new Date() } },
    );
    await Campaign.updateOne({ _id: campaignId }, { $set: { status: "COMPLETED", completedReason: "FINISHED" } });
    const resumed = await rest.post(recipients, { action: "resumeRecipients", recipientIds: [ids[0], UNKNOWN] });
    expect(resumed).toMatchObject({
      status: 200,
      body: { matched: 1, changed: 1, notFound: [UNKNOWN], items: [{ id: ids[0], ok: true, error: null }] },
    });
    expect((await rest.get(recipients)).body.items).toMatchObject([
      { status: "IN_PROGRESS", stopReason: null, nextStepId: second },
    ]);
    expect((await rest.get(path)).body).toMatchObject({ status: "ACTIVE", completedReason: null });
  },
);

test("the recipients of an archived campaign cannot be changed", async () => {
  const { rest, path, recipients, ids } = await started();
  await rest.post(`${path}/archive`);
  for (const body of [
    ...["pauseRecipients", "resumeRecipients", "bulkRemove"].map((action) => ({ action, recipientIds: ids })),
    { action: "addManual", emails: ["new@example.test"] },
    { action: "refreshAudience" },
  ]) {
    expect(await rest.post(recipients, body)).toMatchObject({
      status: 409,
      body: { code: "INVALID_STATE_TRANSITION" },
    });
  }
  expect(await statusOf(rest, recipients)).toEqual({ PENDING: 1 });
});

test("a booked meeting ends the sequence and raises the lead's status, unless the campaign continues after meetings", async () => {
  const { rest, path, recipients, ids } = await started(["ada@example.test", "grace@example.test"]);
  const outcome = {
    action: "updateOutcome",
    recipientId: ids[0],
    meetingBooked: true,
    revenueAmount: "1200.50",
    revenueCurrency: "EUR",
    outcomeNotes: "n",
  };
  const ended = await rest.post(recipients, outcome);
  expect(ended).toMatchObject({
    status: 200,
    body: {
      status: "COMPLETED",
      stopReason: "MEETING_BOOKED",
      meetingBooked: true,
      meetingBookedAt: expect.any(String),
      revenueAmount: "1200.50",
    },
  });
  expect((await rest.get(`/leads/${ended.body.leadId}`)).body.status).toBe("MEETING_BOOKED");
  expect((await rest.get(path)).body.metrics).toMatchObject({
    meetings: 1,
    revenue: [{ currency: "EUR", amount: "1200.50" }],
  });
  await rest.patch(`${path}/settings`, { stopOnMeetingBooked: false });
  expect((await rest.post(recipients, { ...outcome, recipientId: ids[1] })).body.status).toBe("PENDING");
  expect(
    (await rest.post(recipients, { action: "updateOutcome", recipientId: ids[1], meetingBooked: false })).body,
  ).toMatchObject({
    meetingBookedAt: null,
  });
});

test.each([
  [{ revenueAmount: "12,5", revenueCurrency: "EUR" }, "revenueAmount"],
  [{ revenueAmount: "12.5" }, "revenueCurrency"],
  [{ revenueAmount: "12.5", revenueCurrency: "XXQ" }, "revenueCurrency"],
  [{ meetingBookedAt: "soon" }, "meetingBookedAt"],
])("an invalid outcome %j is refused", async (outcome, path) => {
  const { rest, recipients, ids } = await started();
  const refused = await rest.post(recipients, { action: "updateOutcome", recipientId: ids[0], ...outcome });
  expect(refused).toMatchObject({ status: 400, body: { details: { issues: [{ path }] } } });
});

test("an outcome for an unknown recipient, and any recipient call for a campaign of another workspace, gets 404", async () => {
  const { rest, recipients } = await started();
  const other = await world.workspace();
  expect(
    await rest.post(recipients, { action: "updateOutcome", recipientId: UNKNOWN, outcomeNotes: "x" }),
  ).toMatchObject({
    status: 404,
    body: { code: "RECIPIENT_NOT_FOUND" },
  });
  for (const answer of [
    await other.rest.get(recipients),
    await other.rest.get(`${recipients}/stats`),
    await other.rest.post(recipients, { action: "addManual", emails: ["x@example.test"] }),
    await other.rest.post(recipients, { action: "bulkRemove", recipientIds: [UNKNOWN] }),
  ]) {
    expect(answer).toMatchObject({ status: 404, body: { code: "CAMPAIGN_NOT_FOUND" } });
  }
});

test("new recipients reopen a finished campaign, but not a campaign that a user completed", async () => {
  const { rest, workspaceId, path, campaignId, recipients } = await started();
  const finished = { status: "COMPLETED", completedReason: "FINISHED", completedAt: new Date() };
  await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $set: finished });
  await rest.post(recipients, { action: "addManual", emails: ["new@example.test"] });
  expect((await rest.get(path)).body).toMatchObject({ status: "ACTIVE", completedReason: null, completedAt: null });
  expect(await scoped(workspaceId).Gate.count({ ownerId: campaignId, isOpen: true })).toBe(16);
  await scoped(workspaceId).Campaign.updateOne(
    { _id: campaignId },
    { $set: { ...finished, completedReason: "MANUAL" } },
  );
  await rest.post(recipients, { action: "addManual", emails: ["newer@example.test"] });
  expect((await rest.get(path)).body).toMatchObject({ status: "COMPLETED", completedReason: "MANUAL" });
});

test("the list of recipients can be filtered by pause reason, from an index, and the total counts the filtered recipients", async () => {
  const { rest, workspaceId, campaignId, recipients, ids } = await started([
    "a@example.test",
    "b@example.test",
    "c@example.test",
  ]);
  const { Recipient } = scoped(workspaceId);
  const reasons = ["MANUAL", "OUT_OF_OFFICE"] as const;
  for (const [index, pauseReason] of reasons.entries()) {
    await Recipient.updateOne({ _id: ids[index] ?? "" }, { $set: { status: "PAUSED", pauseReason } });
  }
  const found = async (query: string) => (await rest.get(`${recipients}?${query}`)).body;
  expect(await found("pauseReason=MANUAL")).toMatchObject({
    total: 1,
    items: [{ id: ids[0], pauseReason: "MANUAL" }],
    stats: { total: 3 },
  });
  expect(await found("pauseReason=MANUAL,OUT_OF_OFFICE&pageSize=1")).toMatchObject({
    total: 2,
    items: [{ id: ids[1] }],
  });
  expect(await found("pauseReason=MANUAL,OUT_OF_OFFICE&pageSize=1&page=2")).toMatchObject({
    total: 2,
    items: [{ id: ids[0] }],
  });
  expect(await found("pauseReason=MANUAL&status=COMPLETED")).toMatchObject({ total: 0, items: [] });
  expect(await found("pauseReason=MANUAL&search=b")).toMatchObject({ total: 0, items: [] });
  expect((await rest.get(`${recipients}?pauseReason=BORED`)).status).toBe(400);
  const hinted = Recipient.count({ campaignId, pauseReason: "MANUAL" }, { hint: RECIPIENT_INDEX.pauseReason });
  expect(await hinted).toBe(1);
});
