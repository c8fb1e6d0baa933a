import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { FileChunk } from "../../models/inbox/file-chunk.ts";
import { StoredFile } from "../../models/inbox/stored-file.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { sweepFiles } from "../../store/inbox/sweep-orphan-files.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const reply = { name: "Send prices", kind: "REPLY", bodyText: "Hello {{ first_name }}" };
const step = { name: "Opener", kind: "STEP", subject: "{{company}}", bodyHtml: "<p>Hi {{firstName}}</p>" };
const sequence = {
  name: "Trade fair",
  kind: "SEQUENCE",
  steps: [
    { subject: "{{company}} at the fair", body: "<p>Hi {{firstName}}</p>" },
    { body: "Did you see it?", delay: 2 },
  ],
};

async function made(rest: Rest, content: object = step): Promise<{ id: string } & Record<string, unknown>> {
  const { status, body } = await rest.post("/templates", content);
  expect([status, body]).toEqual([201, expect.any(Object)]);
  return body;
}

test("a template has a text, a kind and a version, and names the variables that it uses in the catalogue's spelling", async () => {
  const { rest } = await world.workspace();
  const { body } = await rest.post("/templates", reply);
  expect(body).toMatchObject({
    ...reply,
    id: expect.stringMatching(/^tpl_/),
    version: 1,
    subject: null,
    bodyHtml: null,
    mode: null,
    steps: [],
    variables: ["firstName"],
    unknownVariables: [],
  });
  expect(await rest.get(`/templates/${body.id}`)).toMatchObject({ status: 200, body });
});

test("a sequence template has the steps of a campaign's sequence, and a campaign takes them over with ids of its own", async () => {
  const { rest } = await world.workspace();
  const template = await made(rest, sequence);
  expect(template).toMatchObject({
    mode: "DEFAULT",
    variables: ["company", "firstName"],
    steps: [
      { order: 1, threadMode: "NEW_THREAD", variants: [{ label: "A", bodyHtml: "<p>Hi {{firstName}}</p>" }] },
      { order: 2, delay: { value: 2, unit: "DAYS" }, threadMode: "SAME_THREAD" },
    ],
  });
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  const path = `/campaigns/${campaign.id}/sequence`;
  const put = await rest.put(path, { action: "replaceSteps", steps: template["steps"] });
  const idsOf = (steps: { stepId: string }[]) => steps.map(({ stepId }) => stepId);
  expect(put).toMatchObject({ status: 200, body: { steps: [{ order: 1 }, { order: 2 }] } });
  const templateIds = idsOf(template["steps"] as { stepId: string }[]);
  expect(idsOf(put.body.steps).filter((id) => templateIds.includes(id))).toEqual([]);
  // And the way back: the steps of a campaign become a template
  expect(await made(rest, { ...sequence, name: "Back", steps: put.body.steps })).toMatchObject({
    steps: [{ order: 1 }, { order: 2 }],
  });
});

test("variables that no field of the workspace has are listed with the similar name, and are known once the field exists", async () => {
  const { rest } = await world.workspace();
  const { id } = await made(rest, { ...step, bodyHtml: "<p>{{ frist_name }} {{ budget }}</p>" });
  const unknownIn = async () => (await rest.get(`/templates/${id}`)).body.unknownVariables;
  expect(await unknownIn()).toEqual([
    { name: "frist_name", meant: "firstName" },
    { name: "budget", meant: null },
  ]);
  await rest.post("/custom-fields", { label: "Budget", key: "budget" });
  expect(await unknownIn()).toEqual([{ name: "frist_name", meant: "firstName" }]);
  const { body: page } = await rest.get("/templates");
  expect(page.items).toMatchObject([{ id, unknownVariables: [{ name: "frist_name" }] }]);
});

test("a text that is not a valid template is refused with its path, also in a step, and nothing is stored", async () => {
  const { rest } = await world.workspace();
  expect(await rest.post("/templates", { ...step, subject: "{{ firstName" })).toMatchObject({
    status: 400,
    body: { code: "TEMPLATE_INVALID", details: { path: "subject", line: 1 } },
  });
  expect(await rest.post("/templates", { ...step, bodyHtml: "<p>{% if x %}</p>" })).toMatchObject({
    status: 400,
    body: { code: "TEMPLATE_INVALID", details: { path: "bodyHtml" } },
  });
  const [first] = sequence.steps;
  expect(
    await rest.post("/templates", { ...sequence, steps: [first, { bodyText: "{{ company | nonsense }}" }] }),
  ).toMatchObject({ status: 400, body: { code: "TEMPLATE_INVALID", details: { path: "steps.1.bodyText" } } });
  expect(await rest.post("/templates", { ...step, bodyHtml: "<script>1</script>" })).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path: "bodyHtml" }] } },
  });
  expect((await rest.get("/templates")).body.total).toBe(0);
});

test.each([
  ["steps of a STEP", { ...step, steps: sequence.steps }, "steps", "TYPE_MISMATCH"],
  ["a mode of a REPLY", { ...reply, mode: "VISUAL" }, "mode", "TYPE_MISMATCH"],
  ["a body of a SEQUENCE", { ...sequence, bodyText: "Hello" }, "bodyText", "TYPE_MISMATCH"],
  ["no name", { ...step, name: " " }, "name", "TOO_SMALL"],
  ["an unknown kind", { ...step, kind: "OTHER" }, "kind", "INVALID_VALUE"],
  ["an unknown field", { ...step, body: "x" }, "body", "UNKNOWN_FIELD"],
  [
    "a file that does not exist",
    { ...sequence, steps: [{ variants: [{ attachments: [{ id: "fil_1" }] }] }] },
    "steps.0.variants.0.attachments.0.id",
    "FILE_NOT_FOUND",
  ],
])("%s is refused with its path", async (_what, content, path, code) => {
  const { rest } = await world.workspace();
  expect(await rest.post("/templates", content)).toMatchObject({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path, code }] } },
  });
});

test("steps with branches need the mode VISUAL, and the campaign that a step names must be of the workspace", async () => {
  const { rest } = await world.workspace();
  const other = await world.workspace();
  const { body: theirs } = await other.rest.post("/campaigns", { name: "Theirs" });
  const moving = [{ type: "MOVE_TO_CAMPAIGN", config: { campaignId: theirs.id } }];
  expect(await rest.post("/templates", { ...sequence, steps: moving })).toMatchObject({
    body: { code: "SEQUENCE_NOT_LINEAR" },
  });
  expect(await rest.post("/templates", { ...sequence, mode: "VISUAL", steps: moving })).toMatchObject({
    status: 404,
    body: { code: "CAMPAIGN_NOT_FOUND", details: { path: "steps.0.config.campaignId" } },
  });
  const { id } = await made(rest, {
    ...sequence,
    mode: "VISUAL",
    steps: [{ type: "TASK", config: { title: "Call" } }],
  });
  expect(await rest.patch(`/templates/${id}`, { mode: "DEFAULT" })).toMatchObject({
    body: { code: "SEQUENCE_NOT_LINEAR" },
  });
});

test("a change keeps what it leaves out, and a change of another version is refused and changes nothing", async () => {
  const { rest } = await world.workspace();
  const { id } = await made(rest);
  const renamed = await rest.patch(`/templates/${id}`, { name: "First mail", expectedVersion: 1 });
  expect(renamed).toMatchObject({ status: 200, body: { ...step, name: "First mail", version: 2 } });
  expect(await rest.patch(`/templates/${id}`, { subject: "Late", expectedVersion: 1 })).toMatchObject({
    status: 409,
    body: { code: "VERSION_CONFLICT", details: { currentVersion: 2 } },
  });
  expect(await rest.get(`/templates/${id}`)).toMatchObject({ body: renamed.body });
  expect(await rest.patch(`/templates/${id}`, { subject: null })).toMatchObject({
    body: { subject: null, bodyHtml: step.bodyHtml, variables: ["firstName"], version: 3 },
  });
  expect(await rest.patch(`/templates/${id}`, { expectedVersion: 3 })).toMatchObject({
    status: 400,
    body: { details: { issues: [{ code: "NOTHING_TO_CHANGE" }] } },
  });
  expect((await rest.patch(`/templates/${id}`, { kind: "REPLY" })).status).toBe(400);
});

test("of two changes of the same version at once, one is refused", async () => {
  const { rest } = await world.workspace();
  const { id } = await made(rest);
  const both = await Promise.all(
    ["One", "Two"].map((name) => rest.patch(`/templates/${id}`, { name, expectedVersion: 1 })),
  );
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await rest.get(`/templates/${id}`)).body.version).toBe(2);
});

test("a new name leaves the steps of a sequence template as they are, and changed steps keep their ids", async () => {
  const { rest } = await world.workspace();
  const { id, steps } = await made(rest, sequence);
  const { body: renamed } = await rest.patch(`/templates/${id}`, { name: "Fair" });
  expect(renamed.steps).toEqual(steps);
  const [first] = renamed.steps;
  const { body: shorter } = await rest.patch(`/templates/${id}`, { steps: [first] });
  expect(shorter.steps).toEqual([first]);
});

test("templates are listed by kind, words and order, page by page, without their texts", async () => {
  const { rest } = await world.workspace();
  await made(rest, { ...step, name: "Müller opener" });
  await made(rest, sequence);
  await made(rest, reply);
  const namesIn = async (query: string) =>
    (await rest.get(`/templates?${query}`)).body.items.map(({ name }: { name: string }) => name);
  expect(await namesIn("")).toEqual(["Send prices", "Trade fair", "Müller opener"]);
  expect(await namesIn("sort=name")).toEqual(["Müller opener", "Send prices", "Trade fair"]);
  expect(await namesIn("kind=STEP")).toEqual(["Müller opener"]);
  expect(await namesIn("search=muller")).toEqual(["Müller opener"]);
  expect(await namesIn("search=company")).toEqual(["Müller opener"]);
  expect((await rest.get("/templates?pageSize=1&page=2")).body).toMatchObject({
    total: 3,
    page: 2,
    items: [{ name: "Trade fair", stepCount: 2, subject: null }],
  });
  const { body } = await rest.get("/templates");
  for (const item of body.items) expect(Object.keys(item)).not.toContain("bodyHtml");
  expect(body.items.map(({ stepCount }: { stepCount: number }) => stepCount)).toEqual([0, 2, 0]);
});

test("a template of another workspace is not found, whatever the call, and stays as it was", async () => {
  const { rest } = await world.workspace();
  const other = await world.workspace();
  const { id, ...mine } = await made(rest);
  const answers = [
    await other.rest.get(`/templates/${id}`),
    await other.rest.patch(`/templates/${id}`, { name: "Taken" }),
    await other.rest.delete(`/templates/${id}`),
  ];
  for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { code: "TEMPLATE_NOT_FOUND" } });
  expect((await other.rest.get("/templates")).body.total).toBe(0);
  expect(await rest.get(`/templates/${id}`)).toMatchObject({ status: 200, body: mine });
});

test("a deleted template is gone, and a campaign that copied it keeps its steps", async () => {
  const { rest } = await world.workspace();
  const { id, steps } = await made(rest, sequence);
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  await rest.put(`/campaigns/${campaign.id}/sequence`, { action: "replaceSteps", steps });
  await rest.patch(`/templates/${id}`, { steps: [] });
  expect(await rest.delete(`/templates/${id}`)).toMatchObject({ status: 200, body: { id, deleted: true } });
  expect((await rest.get(`/templates/${id}`)).status).toBe(404);
  expect((await rest.get(`/campaigns/${campaign.id}/sequence`)).body.steps).toHaveLength(2);
});

test("a credential with scopes of the inbox alone reads and writes replies, and no template of campaigns", async () => {
  const { rest, withScopes } = await world.workspace();
  const inbox = await withScopes("inbox:read", "inbox:write");
  const opener = await made(rest);
  const prices = await made(inbox, reply);
  expect((await inbox.get("/templates")).body.items).toMatchObject([{ id: prices.id }]);
  expect((await inbox.get("/templates?search=opener")).body.total).toBe(0);
  const lacking = { status: 403, body: { code: "INSUFFICIENT_SCOPE", details: { requiredScope: "campaigns:read" } } };
  expect(await inbox.get("/templates?kind=STEP")).toMatchObject(lacking);
  expect(await inbox.get(`/templates/${opener.id}`)).toMatchObject(lacking);
  const writing = [
    await inbox.post("/templates", step),
    await inbox.patch(`/templates/${opener.id}`, { name: "Taken" }),
    await inbox.delete(`/templates/${opener.id}`),
  ];
  for (const answer of writing)
    expect(answer).toMatchObject({ status: 403, body: { details: { requiredScope: "campaigns:write" } } });
  expect(await inbox.patch(`/templates/${prices.id}`, { subject: "Prices" })).toMatchObject({ status: 200 });
  const reading = await withScopes("inbox:read");
  expect((await reading.delete(`/templates/${prices.id}`)).status).toBe(403);
  expect((await (await withScopes("leads:write")).get("/templates")).status).toBe(403);
  expect(await rest.get(`/templates/${opener.id}`)).toMatchObject({ status: 200, body: { name: "Opener" } });
});

test("a workspace has at most a thousand templates", async () => {
  const { rest, workspaceId } = await world.workspace();
  await scoped(workspaceId).Template.insertMany(
    Array.from({ length: 1_000 }, (_, n) => ({ _id: newId("tpl"), name: `Text ${n}`, kind: "STEP" as const })),
  );
  expect(await rest.post("/templates", step)).toMatchObject({
    status: 422,
    body: { code: "LIMIT_EXCEEDED", details: { limit: 1_000 } },
  });
});

test("a preview shows a text with the values of a lead or of an example, names what is missing, and stores nothing", async () => {
  const { rest } = await world.workspace();
  const { body: lead } = await rest.post("/leads", { email: "grace@b.test", firstName: "<Grace>" });
  const text = { subject: "For {{ firstName }}", bodyHtml: "<p>{{ firstName }} of {{ company }}</p>{{ signature }}" };
  expect(await rest.post("/templates/preview", { ...text, leadId: lead.id })).toMatchObject({
    status: 200,
    body: {
      leadId: lead.id,
      subject: "For <Grace>",
      html: "<p>&lt;Grace&gt; of </p><p>Grace Hopper</p>",
      missingVariables: ["company"],
      unknownVariables: [],
    },
  });
  expect((await rest.post("/templates/preview", text)).body).toMatchObject({ leadId: null, subject: "For Ada" });
  expect((await rest.post("/templates/preview", { bodyText: "{{ frist_name }}" })).body).toMatchObject({
    unknownVariables: [{ name: "frist_name", meant: "firstName" }],
  });
  expect(await rest.post("/templates/preview", { bodyText: "{% if %}" })).toMatchObject({
    status: 400,
    body: { code: "TEMPLATE_INVALID", details: { path: "bodyText" } },
  });
  const other = await world.workspace();
  expect(await other.rest.post("/templates/preview", { ...text, leadId: lead.id })).toMatchObject({
    status: 404,
    body: { code: "LEAD_NOT_FOUND" },
  });
  expect((await rest.get("/templates")).body.total).toBe(0);
});

test("a preview with a scope of the inbox alone shows a lead only with leads:read too", async () => {
  const { rest, withScopes } = await world.workspace();
  const { body: lead } = await rest.post("/leads", { email: "grace@b.test", firstName: "Grace" });
  const shown = { subject: "For {{ firstName }}", leadId: lead.id };
  const inbox = await withScopes("inbox:read");
  expect(await inbox.post("/templates/preview", { ...shown, leadId: undefined })).toMatchObject({ status: 200 });
  expect(await inbox.post("/templates/preview", shown)).toMatchObject({
    status: 403,
    body: { code: "INSUFFICIENT_SCOPE", details: { requiredScope: "leads:read" } },
  });
  for (const scopes of [["inbox:read", "leads:read"], ["campaigns:read"]] as const)
    expect(await (await withScopes(...scopes)).post("/templates/preview", shown)).toMatchObject({
      status: 200,
      body: { subject: "For Grace" },
    });
});

test("a file that only a template uses is kept when unused uploads are deleted", async () => {
  const { rest, workspaceId } = await world.workspace();
  const form = new FormData();
  form.append("file", new File(["prices"], "prices.pdf", { type: "application/pdf" }));
  const { body: file } = await rest.post("/files", form);
  const variants = [{ subject: "Prices", bodyText: "Attached.", attachments: [{ id: file.id }] }];
  expect(await made(rest, { ...sequence, steps: [{ variants }] })).toMatchObject({
    steps: [{ variants: [{ attachments: [{ id: file.id, fileName: "prices.pdf" }] }] }],
  });
  const old = { $set: { updatedAt: new Date(Date.now() - 8 * DAY_MS) } };
  const options = { acrossWorkspaces: true, timestamps: false };
  await StoredFile.updateMany({ _id: file.id }, old, options);
  await FileChunk.updateMany({ files_id: file.id }, old, options);
  for (let seen = -1, ends = 0; ends < 2; ends += seen === 0 ? 1 : 0) seen = await sweepFiles(50);
  expect(await scoped(workspaceId).StoredFile.count({ _id: file.id })).toBe(1);
});
