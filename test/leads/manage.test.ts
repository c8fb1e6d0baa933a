import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { blockAddress, suppressAddress } from "../../store/suppression/suppress.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const UNKNOWN = "led_00000000000000000000000000";
type Workspace = Awaited<ReturnType<World["workspace"]>>;

const leadIn = async ({ rest }: Workspace, body: object) => (await rest.post("/leads", body)).body;
const manage = ({ rest }: Workspace, action: string, body: object) => rest.post("/leads/manage", { action, ...body });
const patched = (workspace: Workspace, leadId: string, patch: object) => manage(workspace, "update", { leadId, patch });

async function recipientOf(
  { workspaceId }: Workspace,
  lead: { id: string; email: string },
  more: Partial<Recipient> = {},
) {
  const { Campaign, Recipient } = scoped(workspaceId);
  const campaignId = more.campaignId ?? newId("cmp");
  if (more.campaignId === undefined) {
    await Campaign.insert({
      _id: campaignId,
      name: "C",
      statusChangedAt: new Date(),
      sequenceId: newId("seq"),
      settings: {},
      recipientCount: 1,
    });
  }
  return Recipient.insert({
    _id: newId("rcp"),
    campaignId,
    leadId: lead.id,
    email: lead.email,
    cid: newId("rcp"),
    shard: 0,
    ...more,
  });
}

test("a patch changes only the named fields: null erases a value, tags are replaced, custom fields are merged", async () => {
  const workspace = await world.workspace("leads:read", "leads:write");
  const { id } = await leadIn(workspace, {
    email: "ada@x.example",
    firstName: "Ada",
    lastName: "Byron",
    company: "Acme",
    tags: ["a", "b"],
    customFields: { size: 3, kept: true },
  });
  const patch = {
    lastName: "Lovelace",
    company: null,
    tags: ["c"],
    customFields: { size: null, team: "x" },
    linkedin: "/ada",
  };
  const answer = await patched(workspace, id, patch);
  expect(answer).toMatchObject({
    status: 200,
    body: { firstName: "Ada", lastName: "Lovelace", fullName: "Ada Lovelace", company: null, tags: ["c"] },
  });
  expect(answer.body.customFields).toEqual({ kept: true, team: "x", linkedin: "/ada" });
  expect((await workspace.rest.get("/leads?search=lovelace")).body.total).toBe(1);
  expect((await workspace.rest.get("/leads?search=byron")).body.total).toBe(0);
});

test("a patch without changes writes no history, and read-only fields are ignored", async () => {
  const workspace = await world.workspace();
  const lead = await leadIn(workspace, { email: "ada@x.example", firstName: "Ada" });
  const { body } = await patched(workspace, lead.id, {
    ...lead,
    suppressed: true,
    verificationStatus: "VALID",
    id: "led_other",
  });
  expect(body).toEqual(lead);
  const { items } = (await workspace.rest.get(`/leads/${lead.id}/activity`)).body;
  expect(items.map(({ type }: { type: string }) => type)).toEqual(["LEAD_CREATED"]);
});

test("a user may set any status, and the change appears in the history", async () => {
  const workspace = await world.workspace();
  const { id } = await leadIn(workspace, { email: "ada@x.example" });
  for (const status of ["WON", "ACTIVE", "UNSUBSCRIBED"])
    expect((await patched(workspace, id, { status })).body).toMatchObject({ status });
  const { items } = (await workspace.rest.get(`/leads/${id}/activity`)).body;
  expect(items.map(({ data }: { data: object }) => data).slice(0, 3)).toEqual([
    { from: "ACTIVE", to: "UNSUBSCRIBED" },
    { from: "WON", to: "ACTIVE" },
    { from: "ACTIVE", to: "WON" },
  ]);
});

test("the history of a lead is paged, and contains each event and each import once", async () => {
  const workspace = await world.workspace();
  const { id } = await leadIn(workspace, { email: "ada@x.example" });
  const rows = [{ email: "ada@x.example", city: "London" }];
  await workspace.rest.post("/leads/import", { action: "commit", rows, fileName: "people.csv" });
  for (const status of ["WON", "LOST", "ACTIVE"]) await patched(workspace, id, { status });
  const path = `/leads/${id}/activity`;
  const whole = (await workspace.rest.get(path)).body.items;
  expect(whole.map(({ type }: { type: string }) => type)).toEqual([
    ...Array(3).fill("STATUS_CHANGED"),
    "IMPORTED",
    "LEAD_CREATED",
  ]);
  const pages = [];
  for (const page of [1, 2, 3, 4]) pages.push((await workspace.rest.get(`${path}?limit=2&page=${page}`)).body.items);
  expect(pages.flat()).toEqual(whole);
  expect(pages.map(({ length }) => length)).toEqual([2, 2, 1, 0]);
  expect((await workspace.rest.get(`${path}?page=51`)).status).toBe(400);
});

test.each([
  ["patch.status", { status: "won" }, "INVALID_VALUE"],
  ["patch.email", { email: "nobody" }, "INVALID_FORMAT"],
  ["patch.tags", { tags: "a" }, "INVALID_TYPE"],
  ["patch.firstName", { firstName: "x".repeat(201) }, "TOO_BIG"],
  ["patch.$set", { $set: { suppressed: true } }, "REFUSED_KEY"],
  ["patch.a.b", { "a.b": 1 }, "REFUSED_KEY"],
  ["patch.customFields.constructor", { customFields: { constructor: 1 } }, "REFUSED_KEY"],
  [
    "patch.customFields",
    { customFields: Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`k${n}`, n])) },
    "TOO_BIG",
  ],
])("a patch is refused at %s: %j", async (path, patch, code) => {
  const workspace = await world.workspace();
  const { id } = await leadIn(workspace, { email: "ada@x.example", customFields: { one: 1 } });
  const answer = await patched(workspace, id, patch);
  expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect(answer.body.details.issues).toContainEqual(expect.objectContaining({ path, code }));
});

test("a new address is normalised, unverified and unique, and everything else about the lead stays", async () => {
  const workspace = await world.workspace();
  const lead = await leadIn(workspace, { email: "old@x.example", firstName: "Ada" });
  const other = await leadIn(workspace, { email: "taken@x.example" });
  await scoped(workspace.workspaceId).Lead.updateOne(
    { _id: lead.id },
    { $set: { verificationStatus: "VALID", verifiedAt: new Date() } },
  );
  const refused = await patched(workspace, lead.id, { email: "TAKEN@x.example" });
  expect(refused).toMatchObject({ status: 409, body: { code: "LEAD_ALREADY_EXISTS", details: { leadId: other.id } } });
  const { body } = await patched(workspace, lead.id, { email: " New@Büro.Example" });
  expect(body).toMatchObject({
    email: "new@xn--bro-hoa.example",
    emailDomain: "xn--bro-hoa.example",
    firstName: "Ada",
    verificationStatus: "UNVERIFIED",
    verifiedAt: null,
  });
  expect((await workspace.rest.get("/leads?search=new%40xn")).body.total).toBe(1);
  expect((await workspace.rest.post("/leads", { email: "old@x.example" })).status).toBe(201);
});

test("when a lead's address changes, its open recipients follow, and bookings for the old address are withdrawn", async () => {
  const workspace = await world.workspace();
  const lead = await leadIn(workspace, { email: "old@x.example" });
  const moving = await recipientOf(workspace, lead);
  const ended = await recipientOf(workspace, lead, { status: "REPLIED" });
  const present = await recipientOf(workspace, { id: newId("led"), email: "new@x.example" });
  const doubled = await recipientOf(workspace, lead, { campaignId: present.campaignId });
  const { Recipient, Send } = scoped(workspace.workspaceId);
  const send = await Send.insert({
    _id: newId("snd"),
    recipientId: moving._id,
    stepId: "stp_1",
    to: lead.email,
    state: "RESERVED",
  });
  await patched(workspace, lead.id, { email: "new@x.example" });
  expect(await Recipient.get(moving._id)).toMatchObject({ email: "new@x.example", status: "PENDING" });
  expect(await Send.get(send._id)).toMatchObject({ to: "new@x.example", state: "RELEASED" });
  expect(await Recipient.get(ended._id)).toMatchObject({ email: "old@x.example" });
  expect(await Recipient.get(doubled._id)).toMatchObject({ status: "SKIPPED", stopReason: "REMOVED" });
});

test("an unsubscribed lead stays suppressed at a new address, a bounced lead does not, and a suppressed new address suppresses the lead", async () => {
  const workspace = await world.workspace();
  const { workspaceId } = workspace;
  const quit = await leadIn(workspace, { email: "quit@x.example" });
  await suppressAddress(workspaceId, quit.email, "UNSUBSCRIBED");
  expect((await patched(workspace, quit.id, { email: "quit.new@x.example" })).body).toMatchObject({
    suppressed: true,
    suppressionReason: "UNSUBSCRIBED",
  });
  await suppressAddress(workspaceId, "gone@x.example", "MANUAL");
  const fresh = await leadIn(workspace, { email: "fresh@x.example" });
  const recipient = await recipientOf(workspace, fresh);
  expect((await patched(workspace, fresh.id, { email: "gone@x.example" })).body).toMatchObject({
    suppressed: true,
    suppressionReason: "MANUAL",
  });
  expect(await scoped(workspaceId).Recipient.get(recipient._id)).toMatchObject({ status: "SUPPRESSED" });
  const bounced = await leadIn(workspace, { email: "typo@x.example" });
  await suppressAddress(workspaceId, bounced.email, "HARD_BOUNCE");
  expect((await patched(workspace, bounced.id, { email: "right@x.example" })).body).toMatchObject({
    suppressed: false,
    suppressionReason: null,
    suppressedAt: null,
    status: "ACTIVE",
    verificationStatus: "UNVERIFIED",
  });
});

test("a missing variable that is added to a lead resumes the waiting recipient, and another change does not", async () => {
  const workspace = await world.workspace();
  const { rest, workspaceId } = workspace;
  const { body: campaign } = await rest.post("/campaigns", { name: "Missing" });
  const steps = [{ subject: "Hi {{firstName}}", body: "<p>{{ customFields.team }}</p>" }];
  await rest.put(`/campaigns/${campaign.id}/sequence`, { action: "replaceSteps", steps });
  const lead = await leadIn(workspace, { email: "ada@x.example", customFields: { team: "blue" } });
  const paused = { campaignId: campaign.id, status: "PAUSED", pauseReason: "MISSING_VARIABLE" } as const;
  const { _id } = await recipientOf(workspace, lead, paused);
  const { Recipient } = scoped(workspaceId);
  await patched(workspace, lead.id, { company: "Acme" });
  expect(await Recipient.get(_id)).toMatchObject({ status: "PAUSED", pauseReason: "MISSING_VARIABLE" });
  await patched(workspace, lead.id, { firstName: "{{firstName}}" });
  expect(await Recipient.get(_id)).toMatchObject({ status: "PAUSED" });
  await patched(workspace, lead.id, { firstName: "Ada" });
  expect(await Recipient.get(_id)).toMatchObject({ status: "PENDING", pauseReason: null });
  await Recipient.updateOne({ _id }, { $set: paused });
  await rest.post("/leads/import", { action: "commit", rows: [{ email: lead.email, company: "Other" }] });
  expect(await Recipient.get(_id)).toMatchObject({ status: "PENDING" });
});

test("deleting a lead erases the person's data, ends open recipients and keeps the counts of sent emails", async () => {
  const workspace = await world.workspace();
  const { rest, workspaceId } = workspace;
  const { Campaign, Recipient, Send, Note, Message, ActivityEvent, OutboxRow } = scoped(workspaceId);
  const lead = await leadIn(workspace, { email: "grace@x.example", firstName: "Grace" });
  const { body: list } = await rest.post("/lead-lists", { name: "L" });
  await rest.post("/lead-lists/manage", { action: "addMembers", listId: list.id, leadIds: [lead.id] });
  await manage(workspace, "createNote", { leadId: lead.id, body: "Grace likes engines" });
  const open = await recipientOf(workspace, lead);
  const mailed = await recipientOf(workspace, lead, {
    status: "REPLIED",
    sentCount: 1,
    outcomeNotes: "Grace said yes",
  });
  const send = await Send.insert({
    _id: newId("snd"),
    recipientId: mailed._id,
    stepId: "stp_1",
    to: lead.email,
    state: "SENT",
    subject: "Hi Grace",
    response: "250 ok grace@x.example",
  });
  await Message.insert({
    _id: newId("msg"),
    mailboxId: "mbx_1",
    folder: "INBOX",
    uidValidity: "1",
    uid: 1,
    contentKey: "k",
    kind: "REPLY",
    recipientId: mailed._id,
    from: lead.email,
    bodyText: "Grace here",
  });
  const answer = await manage(workspace, "delete", { leadId: lead.id });
  expect(answer).toMatchObject({ status: 200, body: { id: lead.id, deleted: true } });
  expect((await rest.get(`/leads/${lead.id}`)).status).toBe(404);
  expect((await rest.get(`/leads/${lead.id}/activity`)).status).toBe(404);
  expect((await rest.get("/lead-lists")).body).toMatchObject([{ memberCount: 0 }]);
  expect(await Recipient.get(open._id)).toMatchObject({ status: "SKIPPED", stopReason: "REMOVED" });
  expect(await Recipient.get(mailed._id)).toMatchObject({ status: "REPLIED", sentCount: 1, outcomeNotes: null });
  expect(await Campaign.get(open.campaignId)).toMatchObject({ recipientCount: 0 });
  expect(await OutboxRow.count({ kind: "RECIPIENT" })).toBe(1);
  const kept = [
    await Recipient.find(),
    await Send.find(),
    await Note.find(),
    await Message.find(),
    await ActivityEvent.find(),
  ];
  expect(JSON.stringify(kept)).not.toMatch(/grace/i);
  expect(await Send.get(send._id)).toMatchObject({ state: "SENT" });
  expect(await manage(workspace, "delete", { leadId: lead.id })).toMatchObject({
    status: 404,
    body: { code: "LEAD_NOT_FOUND" },
  });
});

test("a deleted lead that was suppressed starts suppressed when it is created or imported again", async () => {
  const workspace = await world.workspace();
  const { rest, workspaceId } = workspace;
  for (const email of ["one@x.example", "two@x.example"]) {
    const lead = await leadIn(workspace, { email });
    await rest.post("/leads/suppress", { action: "suppress", ids: [lead.id] });
    await manage(workspace, "delete", { leadId: lead.id });
  }
  expect(JSON.stringify(await scoped(workspaceId).AddressGuard.find())).not.toContain("one@");
  expect(await leadIn(workspace, { email: "one@x.example" })).toMatchObject({
    suppressed: true,
    suppressionReason: "MANUAL",
  });
  const imported = await rest.post("/leads/import", { action: "commit", rows: [{ email: "two@x.example" }] });
  expect(imported.body).toMatchObject({ created: 1, suppressed: 1 });
  expect((await rest.get("/leads?suppressed=true")).body.total).toBe(2);
});

test("an unsubscribe link of a deleted lead still stops emails to its address", async () => {
  const workspace = await world.workspace();
  const { workspaceId } = workspace;
  const lead = await leadIn(workspace, { email: "ada@x.example" });
  const recipient = await recipientOf(workspace, lead, { status: "COMPLETED", sentCount: 1 });
  const { Send, Recipient } = scoped(workspaceId);
  await Send.insert({ _id: newId("snd"), recipientId: recipient._id, stepId: "stp_1", to: lead.email, state: "SENT" });
  await manage(workspace, "delete", { leadId: lead.id });
  const send = await Send.findOne({ recipientId: recipient._id });
  await suppressAddress(workspaceId, send?.to ?? "", "UNSUBSCRIBED", { named: recipient._id });
  expect(await Recipient.get(recipient._id)).toMatchObject({ status: "UNSUBSCRIBED" });
  expect(await leadIn(workspace, { email: "ada@x.example" })).toMatchObject({
    suppressed: true,
    suppressionReason: "UNSUBSCRIBED",
  });
});

test("an address that is suppressed while its lead is being created never appears as sendable", async () => {
  const workspace = await world.workspace();
  const { rest, workspaceId } = workspace;
  for (let round = 0; round < 20; round++) {
    const email = `race${round}@x.example`;
    const suppressing = suppressAddress(workspaceId, email, "UNSUBSCRIBED");
    const creating =
      round % 2 === 0
        ? rest.post("/leads", { email })
        : rest.post("/leads/import", { action: "commit", rows: [{ email }, { email: `other${round}@x.example` }] });
    await Promise.all([suppressing, creating]);
    const { items } = (await rest.get(`/leads?search=${encodeURIComponent(email)}`)).body;
    expect(items).toMatchObject([{ email, suppressed: true }]);
  }
});

test("bulk actions report on each lead, and a lead that cannot take more tags does not stop the others", async () => {
  const workspace = await world.workspace();
  const { rest } = workspace;
  const full = await leadIn(workspace, {
    email: "full@x.example",
    tags: Array.from({ length: 50 }, (_, n) => `t${n}`),
  });
  const free = await leadIn(workspace, { email: "free@x.example", tags: ["old"] });
  const has = await leadIn(workspace, { email: "has@x.example", tags: ["new"] });
  const ids = [full.id, free.id, UNKNOWN, has.id, free.id];
  const added = await manage(workspace, "bulkAddTags", { ids, tags: ["new"] });
  expect(added.body).toEqual({
    matched: 3,
    changed: 1,
    notFound: [UNKNOWN],
    items: [
      { id: full.id, ok: false, error: { code: "TOO_BIG", message: expect.any(String) } },
      { id: free.id, ok: true, error: null },
      { id: has.id, ok: true, error: null },
    ],
  });
  expect((await manage(workspace, "bulkAddTags", { ids, tags: ["new"] })).body.changed).toBe(0);
  expect((await rest.get("/leads?tags=new")).body.total).toBe(2);
  expect((await manage(workspace, "bulkRemoveTags", { ids, tags: ["new", "old"] })).body).toMatchObject({
    matched: 3,
    changed: 2,
  });
  expect((await rest.get(`/leads/${free.id}`)).body.tags).toEqual([]);
  expect((await manage(workspace, "bulkDelete", { ids })).body).toMatchObject({
    matched: 3,
    changed: 3,
    notFound: [UNKNOWN],
  });
  expect((await manage(workspace, "bulkDelete", { ids })).body).toMatchObject({ matched: 0, changed: 0 });
  expect((await rest.get("/leads")).body.total).toBe(0);
});

test("each tag of a workspace is listed once, in alphabetical order", async () => {
  const workspace = await world.workspace();
  const other = await world.workspace();
  await leadIn(other, { email: "a@x.example", tags: ["theirs"] });
  await leadIn(workspace, { email: "a@x.example", tags: ["zeta", "Alpha"] });
  await leadIn(workspace, { email: "b@x.example", tags: ["beta", "zeta"] });
  await leadIn(workspace, { email: "c@x.example" });
  expect(await workspace.rest.get("/leads/tags")).toMatchObject({ status: 200, body: ["Alpha", "beta", "zeta"] });
});

test("notes are written, read newest first, counted and deleted", async () => {
  const workspace = await world.workspace();
  const { rest, ownerId, workspaceId } = workspace;
  const { id } = await leadIn(workspace, { email: "ada@x.example" });
  const first = await manage(workspace, "createNote", { leadId: id, body: "One" });
  const stamps = { createdAt: expect.any(String), updatedAt: expect.any(String) };
  expect(first.status).toBe(200);
  expect(first.body).toEqual({
    noteId: expect.stringMatching(/^note_/),
    workspaceId,
    leadId: id,
    authorUserId: ownerId,
    body: "One",
    ...stamps,
  });
  await manage(workspace, "createNote", { leadId: id, body: "Two", authorUserId: ownerId });
  const { body } = await rest.get(`/leads/${id}/activity?view=notes`);
  expect(body).toMatchObject({ view: "notes", items: [{ body: "Two", authorUserId: ownerId }, { body: "One" }] });
  expect((await rest.get(`/leads/${id}`)).body.noteCount).toBe(2);
  const deleted = await manage(workspace, "deleteNote", { noteId: first.body.noteId });
  expect(deleted).toMatchObject({ status: 200, body: { noteId: first.body.noteId, deleted: true } });
  expect(await manage(workspace, "deleteNote", { noteId: first.body.noteId })).toMatchObject({
    status: 404,
    body: { code: "NOTE_NOT_FOUND" },
  });
  expect((await manage(workspace, "createNote", { leadId: id, body: "x".repeat(10_001) })).status).toBe(400);
  expect((await manage(workspace, "createNote", { leadId: UNKNOWN, body: "x" })).body.code).toBe("LEAD_NOT_FOUND");
});

test("a note is written by a member of the workspace; any other author is not found, and nothing is written", async () => {
  const [workspace, other] = [await world.workspace(), await world.workspace()];
  const { id } = await leadIn(workspace, { email: "ada@x.example" });
  for (const authorUserId of ["usr_other", newId("usr"), other.ownerId]) {
    const answer = await manage(workspace, "createNote", { leadId: id, body: "x", authorUserId });
    expect(answer).toMatchObject({
      status: 404,
      body: { code: "MEMBER_NOT_FOUND", message: "No member of this workspace has this id" },
    });
  }
  expect((await workspace.rest.get(`/leads/${id}`)).body.noteCount).toBe(0);
});

test("a lead's activity is listed newest first, up to the limit", async () => {
  const workspace = await world.workspace();
  const { rest } = workspace;
  const { id } = await leadIn(workspace, { email: "ada@x.example" });
  for (const company of ["A", "B", "C"]) await patched(workspace, id, { company });
  const { body } = await rest.get(`/leads/${id}/activity?limit=2`);
  expect(body).toMatchObject({
    view: "activity",
    items: [{ type: "LEAD_UPDATED", data: { fields: ["company"] } }, { type: "LEAD_UPDATED" }],
  });
  expect(Object.keys(body.items[0]).toSorted()).toEqual(
    [
      "id",
      "workspaceId",
      "createdAt",
      "updatedAt",
      "type",
      "at",
      "campaignId",
      "recipientId",
      "actor",
      "data",
    ].toSorted(),
  );
  for (const query of ["limit=0", "limit=201", "limit=x", "view=Notes"])
    expect((await rest.get(`/leads/${id}/activity?${query}`)).status).toBe(400);
});

test("ids of another workspace are unknown to every endpoint, and nothing of that workspace changes", async () => {
  const workspace = await world.workspace();
  const other = await world.workspace();
  const theirs = await leadIn(other, { email: "ada@x.example", tags: ["kept"] });
  const note = await manage(other, "createNote", { leadId: theirs.id, body: "Theirs" });
  for (const [action, body, code] of [
    ["update", { leadId: theirs.id, patch: { firstName: "x" } }, "LEAD_NOT_FOUND"],
    ["delete", { leadId: theirs.id }, "LEAD_NOT_FOUND"],
    ["createNote", { leadId: theirs.id, body: "x" }, "LEAD_NOT_FOUND"],
    ["deleteNote", { noteId: note.body.noteId }, "NOTE_NOT_FOUND"],
  ] as const) {
    expect(await manage(workspace, action, body)).toMatchObject({ status: 404, body: { code } });
  }
  for (const action of ["bulkDelete", "bulkAddTags", "bulkRemoveTags"]) {
    const answer = await manage(workspace, action, {
      ids: [theirs.id],
      ...(action !== "bulkDelete" && { tags: ["kept"] }),
    });
    expect(answer.body).toEqual({ matched: 0, changed: 0, notFound: [theirs.id], items: [] });
  }
  expect((await workspace.rest.get(`/leads/${theirs.id}/activity`)).status).toBe(404);
  expect((await other.rest.get(`/leads/${theirs.id}`)).body).toMatchObject({
    firstName: null,
    tags: ["kept"],
    noteCount: 1,
  });
});

test.each([
  ["an unknown action", { action: "destroy" }],
  ["no action", {}],
  ["no ids", { action: "bulkDelete", ids: [] }],
  ["1,001 ids", { action: "bulkDelete", ids: Array.from({ length: 1_001 }, (_, n) => `led_${n}`) }],
  ["ids that are no texts", { action: "bulkDelete", ids: [{ $ne: "" }] }],
  ["an empty tag", { action: "bulkAddTags", ids: [UNKNOWN], tags: [""] }],
  ["no tags", { action: "bulkAddTags", ids: [UNKNOWN] }],
  ["an undeclared field", { action: "delete", leadId: UNKNOWN, force: true }],
  ["an empty note", { action: "createNote", leadId: UNKNOWN, body: "" }],
])("%s is refused", async (_name, body) => {
  const { rest } = await world.workspace();
  expect(await rest.post("/leads/manage", body)).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
});

test("the read scope does not allow writing, and the write scope does not allow reading", async () => {
  const reader = await world.workspace("leads:read");
  const writer = await world.workspace("leads:write");
  expect((await manage(reader, "delete", { leadId: UNKNOWN })).status).toBe(403);
  expect((await writer.rest.get(`/leads/${UNKNOWN}/activity`)).status).toBe(403);
  expect((await writer.rest.get("/leads/tags")).status).toBe(403);
});

test("a lead whose new address is blocked has its recipients suppressed", async () => {
  const workspace = await world.workspace();
  await blockAddress(workspace.workspaceId, "no@x.example");
  const lead = await leadIn(workspace, { email: "yes@x.example" });
  const recipient = await recipientOf(workspace, lead);
  await patched(workspace, lead.id, { email: "no@x.example" });
  expect(await scoped(workspace.workspaceId).Recipient.get(recipient._id)).toMatchObject({
    status: "SUPPRESSED",
    stopReason: "BLOCK_LISTED",
  });
});
