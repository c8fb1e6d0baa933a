import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign } from "./campaign-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const steps = [
  { variants: [{ subject: "Hi {{firstName}}", bodyHtml: "<p>{Dear|Hello} {{company}}, {{senderName}}</p>" }] },
  { body: "<p>Again, {{firstName}}</p>" },
];

async function written() {
  const { rest, workspaceId } = await world.workspace();
  const campaign = await readyCampaign(rest, workspaceId);
  const { body } = await rest.put(`${campaign.path}/sequence`, { action: "replaceSteps", steps });
  const { body: lead } = await rest.post("/leads", { email: "grace@example.test", firstName: "Grace", company: "R&D" });
  const preview = (fields: object) => rest.post(`${campaign.path}/sequence/preview`, fields);
  const send = (fields: object) => rest.post(`${campaign.path}/test-send`, { toEmail: "me@example.test", ...fields });
  return { rest, workspaceId, ...campaign, steps: body.steps, leadId: lead.id, preview, send };
}

test("a preview without a lead shows the examples of the variable catalogue", async () => {
  const { preview, steps } = await written();
  const { status, body } = await preview({});
  expect(status).toBe(200);
  expect(body).toMatchObject({
    stepId: steps[0].stepId,
    leadId: null,
    subject: "Hi Ada",
    missingVariables: [],
    warnings: [],
  });
  expect(body.usedVariables.sort()).toEqual(["company", "firstName", "senderName"]);
});

test("a preview for a lead has the lead's values, escaped, and a follow-up shows the subject of its thread", async () => {
  const { preview, steps, leadId } = await written();
  const first = await preview({ leadId });
  expect(first.body).toMatchObject({ leadId, subject: "Hi Grace" });
  expect(first.body.html).toMatch(/<p>(Dear|Hello) R&amp;D, Grace Hopper<\/p>/);
  expect((await preview({ leadId, stepId: steps[1].stepId })).body).toMatchObject({
    subject: "Re: Hi Grace",
    text: "Again, Grace",
  });
});

test("a preview names the variables that are missing in the requested variant", async () => {
  const { rest, preview, steps } = await written();
  const { body: lead } = await rest.post("/leads", { email: "nobody@example.test" });
  const { body } = await preview({ leadId: lead.id, variantId: steps[0].variants[0].variantId });
  expect(body.missingVariables.sort()).toEqual(["company", "firstName"]);
});

test("unsaved texts are previewed under the limits of saved texts, and nothing is stored", async () => {
  const { preview, path, rest, leadId, steps } = await written();
  const draft = { subject: "New for {{company}}", bodyHtml: "<p>{{firstName}}, {a|a}</p>" };
  const shown = await preview({ leadId, draft });
  expect(shown.body).toMatchObject({ subject: "New for R&D", stepId: steps[0].stepId, text: "Grace, a" });
  expect((await preview({ leadId, draft: { bodyHtml: null, bodyText: "Plain" } })).body).toMatchObject({
    subject: "Hi Grace",
    text: "Plain",
  });
  expect((await preview({ draft: { bodyHtml: null, bodyText: null } })).body).toMatchObject({ subject: "Hi Ada" });
  for (const [refused, code] of [
    [{ bodyHtml: "{% for x in y %}" }, "TEMPLATE_INVALID"],
    [{ bodyHtml: "<script>1</script>" }, "VALIDATION_FAILED"],
    [{ subject: "a\nb" }, "VALIDATION_FAILED"],
    [{ body: "x" }, "VALIDATION_FAILED"],
  ] as const) {
    expect([refused, await preview({ draft: refused })]).toMatchObject([refused, { status: 400, body: { code } }]);
  }
  expect((await rest.get(`${path}/sequence`)).body.steps[0].variants[0].subject).toBe("Hi {{firstName}}");
});

test("a preview names its mailbox, and counts the open recipients who lack a variable that the text uses", async () => {
  const { preview, path, rest, mailbox } = await written();
  const emails = ["a@example.test", "b@example.test", "c@example.test"];
  await rest.post("/leads", { email: emails[0], firstName: "A", company: "One" });
  await rest.post("/leads", { email: emails[1], firstName: "B" });
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  const { body } = await preview({});
  expect(body).toMatchObject({
    mailboxId: mailbox._id,
    mailboxEmail: mailbox.email,
    // One more recipient is in the campaign itself
    lookedAt: 4,
    lacking: [
      { name: "company", count: 3 },
      { name: "firstName", count: 2 },
    ],
  });
  expect((await preview({ draft: { subject: "x", bodyHtml: "<p>Hello</p>" } })).body.lacking).toEqual([]);
});

test("a preview of an unknown step, variant or lead, or of another workspace's campaign, is refused as not found", async () => {
  const { path, preview, leadId } = await written();
  expect(await preview({ stepId: "stp_x" })).toMatchObject({ status: 404, body: { code: "STEP_NOT_FOUND" } });
  expect(await preview({ variantId: "var_x" })).toMatchObject({ status: 404, body: { code: "VARIANT_NOT_FOUND" } });
  expect(await preview({ leadId: "led_x" })).toMatchObject({ status: 404, body: { code: "LEAD_NOT_FOUND" } });
  const other = await world.workspace();
  expect(await other.rest.post(`${path}/sequence/preview`, { leadId })).toMatchObject({
    status: 404,
    body: { code: "CAMPAIGN_NOT_FOUND" },
  });
});

test("a test email is refused and not stored for missing variables, suppressed or blocked addresses, an invalid address, or without Temporal", async () => {
  const { rest, workspaceId, mailbox, send, leadId } = await written();
  const { body: lead } = await rest.post("/leads", { email: "nobody@example.test" });
  expect(await send({ leadId: lead.id })).toMatchObject({
    status: 422,
    body: { code: "MISSING_VARIABLES", details: { names: expect.arrayContaining(["firstName"]) } },
  });
  await suppressAddress(workspaceId, "gone@example.test", "UNSUBSCRIBED");
  await rest.post("/block-list", { value: "blocked.test" });
  for (const toEmail of ["Gone@example.test", "x@sub.blocked.test"]) {
    expect(await send({ toEmail, leadId })).toMatchObject({ status: 422, body: { code: "RECIPIENT_SUPPRESSED" } });
  }
  expect(await send({ leadId })).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "PAUSED" } });
  expect(await send({ toEmail: "no address" })).toMatchObject({ status: 400 });
  expect(await scoped(workspaceId).Send.count()).toBe(0);
});
