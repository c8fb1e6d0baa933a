import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const UNKNOWN = "led_00000000000000000000000000";

test("a lead is stored in normal form, and read with null for unset fields", async () => {
  const { rest, workspaceId } = await world.workspace("leads:read", "leads:write");
  const created = await rest.post("/leads", {
    email: " Ada.Lovelace+x@Büro.Example ",
    firstName: "Ada",
    lastName: "Lovelace",
    tags: ["vip", "vip"],
    customFields: { headcount: 12, nested: { a: [1] } },
    linkedinUrl: "https://example.test/ada",
  });
  expect(created).toMatchObject({
    status: 201,
    body: {
      workspaceId,
      email: "ada.lovelace+x@xn--bro-hoa.example",
      emailDomain: "xn--bro-hoa.example",
      fullName: "Ada Lovelace",
      company: null,
      phoneStatus: "not_revealed",
      emailStatus: "revealed",
      tags: ["vip"],
      customFields: { headcount: 12, nested: { a: [1] }, linkedinUrl: "https://example.test/ada" },
      status: "ACTIVE",
      verificationStatus: "UNVERIFIED",
      suppressed: false,
    },
  });
  expect(created.body).not.toHaveProperty("searchWords");
  const read = await rest.get(`/leads/${created.body.id}`);
  expect(read).toMatchObject({ status: 200, body: { ...created.body, lists: [], campaigns: [], noteCount: 0 } });
});

test("an address exists once per workspace: of parallel creations one is 201, and the others are 409 with the id of the lead", async () => {
  const { rest } = await world.workspace("leads:read", "leads:write");
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, n) => rest.post("/leads", { email: n % 2 ? "ONE@x.example" : "one@x.example" })),
  );
  const created = answers.filter(({ status }) => status === 201);
  const refused = answers.filter(({ status }) => status === 409);
  expect([created.length, refused.length]).toEqual([1, 11]);
  for (const { body } of refused)
    expect(body).toMatchObject({ code: "LEAD_ALREADY_EXISTS", details: { leadId: created[0]?.body.id } });
  expect((await rest.get("/leads")).body.total).toBe(1);
});

test("two workspaces can have leads with the same address, and see only their own", async () => {
  const one = await world.workspace();
  const other = await world.workspace();
  const mine = await one.rest.post("/leads", { email: "shared@x.example" });
  const theirs = await other.rest.post("/leads", { email: "shared@x.example" });
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  const foreign = await one.rest.get(`/leads/${theirs.body.id}`);
  const unknown = await one.rest.get(`/leads/${UNKNOWN}`);
  expect(foreign).toMatchObject({ status: 404, body: { code: "LEAD_NOT_FOUND" } });
  expect(foreign.body.message).toBe(unknown.body.message);
  const suppressed = await one.rest.post("/leads/suppress", {
    action: "suppress",
    ids: [theirs.body.id, mine.body.id, UNKNOWN],
  });
  expect(suppressed.body).toEqual({ suppressed: true, matched: 1, changed: 1, notFound: [theirs.body.id, UNKNOWN] });
  expect((await other.rest.get(`/leads/${theirs.body.id}`)).body.suppressed).toBe(false);
});

test("fields that only the service writes are ignored when a lead is created", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { body } = await rest.post("/leads", {
    email: "a@x.example",
    workspaceId: "wsp_other",
    id: "led_mine",
    suppressed: true,
    status: "WON",
  });
  expect(body).toMatchObject({ workspaceId, suppressed: false, status: "ACTIVE" });
  expect(body.id).not.toBe("led_mine");
});

test.each([
  "Line one\r\nBcc: other@x.example",
  '=HYPERLINK("x")',
  "__proto__",
  "{{ firstName }} {a|b}",
  "  padded  ",
  "名前🙂",
])("a text value is returned exactly as it was sent: %j", async (text) => {
  const { rest } = await world.workspace("leads:read", "leads:write");
  const sent = { email: "v@x.example", firstName: text, company: text, customFields: { note: text } };
  const { body } = await rest.post("/leads", sent);
  expect((await rest.get(`/leads/${body.id}`)).body).toMatchObject({
    firstName: text,
    company: text,
    customFields: { note: text },
  });
});

test.each([
  ["email", { email: "no address" }, "INVALID_FORMAT"],
  ["email", { firstName: "Ada" }, "REQUIRED"],
  ["email", { email: { $ne: null } }, "INVALID_TYPE"],
  ["tags.0", { email: "a@x.example", tags: [""] }, "TOO_SMALL"],
  ["tags", { email: "a@x.example", tags: Array.from({ length: 51 }, (_, n) => `t${n}`) }, "TOO_BIG"],
  ["firstName", { email: "a@x.example", firstName: "x".repeat(201) }, "TOO_BIG"],
  ["customFields.$where", { email: "a@x.example", customFields: { $where: "1" } }, "REFUSED_KEY"],
  ["$where", { email: "a@x.example", $where: "1" }, "REFUSED_KEY"],
  ["a.b", { email: "a@x.example", "a.b": "1" }, "REFUSED_KEY"],
  ["constructor", { email: "a@x.example", constructor: { prototype: 1 } }, "REFUSED_KEY"],
  [
    "customFields",
    { email: "a@x.example", customFields: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [`k${n}`, n])) },
    "TOO_BIG",
  ],
])("creating a lead refuses %s of %j with %s", async (path, body, code) => {
  const { rest } = await world.workspace();
  const answer = await rest.post("/leads", body);
  expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect(answer.body.details.issues).toContainEqual(expect.objectContaining({ path, code }));
});

test("a key named __proto__ is refused and reaches no prototype", async () => {
  const { rest } = await world.workspace();
  const body = '{"email":"p@x.example","customFields":{"__proto__":{"polluted":true}}}';
  expect((await rest.post("/leads", body)).status).toBe(400);
  expect(Reflect.get({}, "polluted")).toBeUndefined();
});

test("every filter narrows the list, and all filters given must match", async () => {
  const { rest, workspaceId } = await world.workspace();
  const ids: Record<string, string> = {};
  for (const [name, extra] of Object.entries({
    ada: {
      email: "ada@acme.example",
      firstName: "Ada",
      lastName: "O'Brien",
      company: "Acme (Holding) AG",
      tags: ["vip", "emea"],
    },
    bob: { email: "bob@acme.example", firstName: "Bob", company: "Acme Tools", tags: ["emea"] },
    cy: { email: "cy@other.example", firstName: "Ada-Maria", tags: [] },
  })) {
    ids[name] = (await rest.post("/leads", extra)).body.id;
  }
  await rest.post("/leads/suppress", { action: "suppress", ids: [ids["bob"]] });
  await scoped(workspaceId).Lead.updateOne(
    { _id: ids["cy"] },
    { $set: { status: "REPLIED", verificationStatus: "RISKY" } },
  );
  const listed = await rest.post("/lead-lists", { name: "List" });
  await rest.post("/lead-lists/manage", {
    action: "addMembers",
    listId: listed.body.id,
    leadIds: [ids["ada"], ids["bob"]],
  });
  const names = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));
  const found = async (query: string) =>
    (await rest.get(`/leads?${query}`)).body.items.map(({ id }: { id: string }) => names[id]).join(" ");
  expect(await found("")).toBe("cy bob ada");
  expect(await found("search=acme")).toBe("bob ada");
  expect(await found("search=ADA")).toBe("cy ada");
  expect(await found("search=ada%20acm")).toBe("ada");
  expect(await found("search=o%27brien")).toBe("ada");
  expect(await found("search=brien")).toBe("ada");
  expect(await found("search=holding")).toBe("ada");
  expect(await found("search=maria")).toBe("cy");
  expect(await found("search=other.example")).toBe("cy");
  expect(await found("search=cy%40oth")).toBe("cy");
  expect(await found("search=.*")).toBe("");
  expect(await found("search=lding")).toBe("");
  expect(await found("domain=ACME.example")).toBe("bob ada");
  expect(await found("domain=example")).toBe("");
  expect(await found("tags=vip")).toBe("ada");
  expect(await found("tags=vip,emea")).toBe("bob ada");
  expect(await found("suppressed=true")).toBe("bob");
  expect(await found("suppressed=false")).toBe("cy ada");
  expect(await found("status=REPLIED")).toBe("cy");
  expect(await found("status=REPLIED,ACTIVE&suppressed=false")).toBe("cy ada");
  expect(await found("verificationStatus=RISKY")).toBe("cy");
  expect(await found(`listId=${listed.body.id}`)).toBe("bob ada");
  expect(await found(`listId=${listed.body.id}&search=bob&tags=emea&domain=acme.example`)).toBe("bob");
  expect(await found("page=2&pageSize=2")).toBe("ada");
  expect(await rest.get("/leads?unknownFilter=1")).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect(await found("page=9&pageSize=2")).toBe("");
});

test("a search word matches the beginning of a word, and never spans two words", async () => {
  const { rest } = await world.workspace();
  await rest.post("/leads", { email: "zed@zeta.example", firstName: "Aaron", lastName: "Zorro" });
  expect((await rest.get("/leads?search=m")).body.total).toBe(0);
  expect((await rest.get("/leads?search=zo")).body.total).toBe(1);
});

test.each([
  "page=0",
  "page=1.5",
  "pageSize=0",
  "pageSize=201",
  "pageSize=ten",
  "status=NOPE",
  "status=ACTIVE,nope",
  "verificationStatus=GOOD",
  "suppressed=yes",
  "search=",
  `search=${"x".repeat(101)}`,
])("the list refuses %s", async (query) => {
  const { rest } = await world.workspace("leads:read");
  expect(await rest.get(`/leads?${query}`)).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
});

test("a page beyond the deepest allowed one is refused, and a list of another workspace is not found", async () => {
  const { rest } = await world.workspace();
  const other = await world.workspace();
  const { body } = await other.rest.post("/lead-lists", { name: "Theirs" });
  expect(await rest.get("/leads?page=502&pageSize=200")).toMatchObject({
    status: 400,
    body: { code: "PAGE_TOO_DEEP" },
  });
  expect(await rest.get(`/leads?listId=${body.id}`)).toMatchObject({ status: 404, body: { code: "LIST_NOT_FOUND" } });
});

test("a lead is read with its lists and campaigns, without campaigns that it left before any email", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { body: lead } = await rest.post("/leads", { email: "ada@x.example" });
  const { body: list } = await rest.post("/lead-lists", { name: "Spring" });
  await rest.post("/lead-lists/manage", { action: "addMembers", listId: list.id, leadIds: [lead.id] });
  const { Campaign, Recipient } = scoped(workspaceId);
  for (const [name, stopReason] of [
    ["Kept", null],
    ["Removed", "REMOVED"],
  ] as const) {
    const campaign = await Campaign.insert({
      _id: newId("cmp"),
      name,
      statusChangedAt: new Date(),
      sequenceId: newId("seq"),
      settings: {},
    });
    const place = { campaignId: campaign._id, leadId: lead.id, email: lead.email, cid: `cid${name}`, shard: 0 };
    await Recipient.insert({ _id: newId("rcp"), ...place, status: stopReason ? "SKIPPED" : "PENDING", stopReason });
  }
  const { body } = await rest.get(`/leads/${lead.id}`);
  expect(body.lists).toEqual([{ id: list.id, name: "Spring" }]);
  expect(body.campaigns).toMatchObject([
    { name: "Kept", status: "PENDING", sentCount: 0, lastSentAt: null, repliedAt: null },
  ]);
});

test("a second suppression changes nothing, a suppression ends open recipients, and unsuppressing reopens none", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { body: lead } = await rest.post("/leads", { email: "ada@x.example" });
  const { Recipient, ActivityEvent } = scoped(workspaceId);
  const place = { campaignId: newId("cmp"), leadId: lead.id, email: lead.email, cid: lead.id, shard: 0 };
  const recipient = await Recipient.insert({ _id: newId("rcp"), ...place });
  const call = (action: string) => rest.post("/leads/suppress", { action, ids: [lead.id, lead.id] });
  expect((await call("suppress")).body).toEqual({ suppressed: true, matched: 1, changed: 1, notFound: [] });
  expect((await call("suppress")).body).toEqual({ suppressed: true, matched: 1, changed: 0, notFound: [] });
  expect((await rest.get(`/leads/${lead.id}`)).body).toMatchObject({
    suppressed: true,
    suppressionReason: "MANUAL",
    suppressedAt: expect.any(String),
  });
  expect(await Recipient.get(recipient._id)).toMatchObject({ status: "SUPPRESSED", stopReason: "SUPPRESSED" });
  expect((await call("unsuppress")).body).toEqual({ suppressed: false, matched: 1, changed: 1, notFound: [] });
  expect((await call("unsuppress")).body.changed).toBe(0);
  expect((await rest.get(`/leads/${lead.id}`)).body).toMatchObject({
    suppressed: false,
    suppressionReason: null,
    suppressedAt: null,
  });
  expect(await Recipient.get(recipient._id)).toMatchObject({ status: "SUPPRESSED" });
  const history = await ActivityEvent.find({ leadId: lead.id }, { sort: { _id: 1 } });
  expect(history.map(({ type }) => type)).toEqual(["LEAD_CREATED", "SUPPRESSED", "UNSUPPRESSED"]);
});

test("one call suppresses up to a thousand leads in several transactions, and reports unknown ids", async () => {
  const { rest } = await world.workspace();
  await rest.post("/leads/import", {
    action: "commit",
    rows: Array.from({ length: 120 }, (_, n) => ({ email: `n${n}@x.example` })),
  });
  const known: string[] = (await rest.get("/leads?pageSize=200")).body.items.map(({ id }: { id: string }) => id);
  const unknown = Array.from({ length: 880 }, () => newId("led"));
  const answer = await rest.post("/leads/suppress", { action: "suppress", ids: [...unknown, ...known] });
  expect(answer.body).toEqual({ suppressed: true, matched: 120, changed: 120, notFound: unknown });
  expect((await rest.get("/leads?suppressed=true&pageSize=1")).body.total).toBe(120);
  const tooMany = await rest.post("/leads/suppress", { action: "suppress", ids: [...known, ...unknown, UNKNOWN] });
  expect(tooMany).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect((await rest.post("/leads/suppress", { action: "suppress", ids: [] })).status).toBe(400);
  expect((await rest.post("/leads/suppress", { action: "block", ids: known })).status).toBe(400);
});

test("a new lead whose address is already suppressed starts suppressed", async () => {
  const { rest, workspaceId } = await world.workspace();

  await suppressAddress(workspaceId, "gone@x.example", "UNSUBSCRIBED");
  const { body } = await rest.post("/leads", { email: "Gone@x.example" });
  expect(body).toMatchObject({ suppressed: true, suppressionReason: "UNSUBSCRIBED", status: "UNSUBSCRIBED" });
});

test("each verb requires its own scope", async () => {
  const reader = await world.workspace("leads:read");
  const writer = await world.workspace("leads:write");
  expect((await reader.rest.post("/leads", { email: "a@x.example" })).status).toBe(403);
  expect((await writer.rest.get("/leads")).status).toBe(403);
  const refused = await writer.rest.post("/leads/suppress", { action: "suppress", ids: [UNKNOWN] });
  expect(refused).toMatchObject({
    status: 403,
    body: { code: "INSUFFICIENT_SCOPE", details: { requiredScope: "leads:suppress" } },
  });
});

test("a misspelt field is refused with the right name in create and update, and nothing is stored", async () => {
  const { rest } = await world.workspace();
  const wrong = { email: "ada@people.test", first_name: "Ada", "Job-Title": "Engineer", favourite: "blue" };
  const refused = await rest.post("/leads", wrong);
  expect(refused).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect(refused.body.details.issues).toEqual([
    { path: "first_name", code: "UNKNOWN_FIELD", message: "is not a field: is firstName meant?" },
    { path: "Job-Title", code: "UNKNOWN_FIELD", message: "is not a field: is jobTitle meant?" },
  ]);
  expect((await rest.get("/leads")).body.total).toBe(0);
  const { body: lead } = await rest.post("/leads", { email: "ada@people.test", favourite: "blue" });
  expect(lead.customFields).toEqual({ favourite: "blue" });
  const patch = { action: "update", leadId: lead.id, patch: { LASTNAME: "Lovelace" } };
  expect(await rest.post("/leads/manage", patch)).toMatchObject({
    status: 400,
    body: { details: { issues: [{ code: "UNKNOWN_FIELD" }] } },
  });
});

test.each([
  ["First Name", "firstName"],
  ["FirstName", "firstName"],
  ["first-name", "firstName"],
  ["job title", "jobTitle"],
  ["Company Name", "company"],
  ["Phone Number", "phone"],
  ["E-Mail", "email"],
  ["companyName", null],
  ["Team Name", null],
])(
  "a property %j of a new lead is recognised as %j: a recognised field is refused, and any other is kept as a custom field",
  async (key, meant) => {
    const { rest } = await world.workspace();
    const answer = await rest.post("/leads", { email: "ada@people.test", [key]: "x" });
    if (meant === null) expect(answer).toMatchObject({ status: 201, body: { customFields: { [key]: "x" } } });
    else {
      const issue = { path: key, code: "UNKNOWN_FIELD", message: `is not a field: is ${meant} meant?` };
      expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED", details: { issues: [issue] } } });
      expect((await rest.get("/leads")).body.total).toBe(0);
    }
    const own = await rest.post("/leads", { email: "bob@people.test", customFields: { [key]: "x" } });
    expect(own).toMatchObject({ status: 201, body: { customFields: { [key]: "x" } } });
  },
);

test.each([
  ["UK", "GB"],
  ["u.s.a.", "US"],
  ["Deutschland", "DE"],
  ["espana", "ES"],
  ["NLD", "NL"],
  ["Narnia", "Narnia"],
])("the country %s is stored as %s", async (written, kept) => {
  const { rest } = await world.workspace();
  const { body: lead } = await rest.post("/leads", { email: "ada@people.test", country: written });
  expect(lead.country).toBe(kept);
  const rows = [{ email: "bob@people.test", country: written }];
  await rest.post("/leads/import", { action: "commit", rows });
  expect((await rest.get("/leads?search=bob")).body.items[0].country).toBe(kept);
});
