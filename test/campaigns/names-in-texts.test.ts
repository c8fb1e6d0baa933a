import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { findCustomKeys } from "../../store/leads/custom-keys.ts";
import { startWorld, type World } from "../support/world.ts";
import { ALWAYS, storedMailbox } from "./campaign-parts.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

interface Finding {
  code: string;
  message: string;
  path: string | null;
  details: Record<string, unknown>;
}

/** A campaign with these texts, to leads with these fields. */
async function campaignOf(
  step: object | null,
  leads: Record<string, object> = { "ada@people.test": { firstName: "Ada" } },
) {
  const { rest, workspaceId } = await world.workspace();
  const mailbox = await storedMailbox(workspaceId);
  const { body } = await rest.post("/campaigns", { name: "Names" });
  const path = `/campaigns/${body.id}`;
  await rest.patch(`${path}/settings`, { mailboxIds: [mailbox._id], windows: ALWAYS });
  if (step !== null) await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [step] });
  for (const [email, fields] of Object.entries(leads))
    expect(await rest.post("/leads", { email, ...fields })).toMatchObject({ status: 201 });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: Object.keys(leads) });
  const found = async (kind: "errors" | "warnings"): Promise<Finding[]> =>
    (await rest.get(`${path}/validate`)).body[kind];
  return { rest, workspaceId, path, mailbox, errors: () => found("errors"), warnings: () => found("warnings") };
}

test("a campaign with the initial text cannot be launched, and a campaign with any other text can", async () => {
  const { rest, path, errors } = await campaignOf(null);
  expect(await errors()).toMatchObject([{ code: "STEP_UNTOUCHED", path: "steps.0.variants.0" }]);
  expect((await rest.post(`${path}/control`, { action: "launch" })).body).toMatchObject({
    launched: false,
    campaign: { status: "DRAFT" },
  });
  const [step] = (await rest.get(`${path}/sequence`)).body.steps;
  const [variant] = step.variants;
  const steps = [{ ...step, variants: [{ ...variant, subject: "A question about Acme" }] }];
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  expect(await errors()).toEqual([]);
});

test.each([
  ["{{frist_name}}", "frist_name", "firstName"],
  ["{{ frist_name | default: 'friend' }}", "frist_name", "firstName"],
  ["{% if compny %}at {{company}}{% endif %}", "compny", "company"],
  ["{Hi|Hello {{ customFields.bugdet }}}", "customFields.bugdet", "budget"],
  ["{{ zzz }}", "zzz", null],
])(
  "%s is an error, even with a default, and the error suggests a similar known name if there is one",
  async (text, name, meant) => {
    const leads = { "ada@people.test": { firstName: "Ada", company: "Acme", customFields: { budget: "7" } } };
    const { errors } = await campaignOf({ subject: "Hello", body: `<p>Hi ${text}</p>` }, leads);
    const [error, ...others] = await errors();
    expect(error).toMatchObject({ code: "UNKNOWN_VARIABLE", path: "steps.0.variants.0", details: { name, meant } });
    expect(error?.message).toContain(name);
    expect(others).toEqual([]);
  },
);

test("every built-in variable, declared field and key of a lead is known in any spelling, and so is a name that a text assigns", async () => {
  const names =
    "{{first_name}} {{FIRSTNAME}} {{signature}} {{unsubscribeLink}} {{industry}} {{customFields.head_count}} {{Old}}";
  const text = `${names}{% assign x = firstName %}{{x}} {{ customFields[x] }}`;
  const leads = { "ada@people.test": { firstName: "Ada", customFields: { industry: "Steel", headCount: 7 } } };
  const { rest, errors } = await campaignOf({ subject: "Hello", body: `<p>${text}</p>` }, leads);
  expect((await errors()).map(({ details }) => details["name"])).toEqual(["Old"]);
  const { body: field } = await rest.post("/custom-fields", { label: "Old", key: "old" });
  await rest.post("/custom-fields/manage", { action: "delete", fieldId: field.id });
  expect(await errors()).toEqual([]);
});

test("all custom keys of a workspace are found, even if one key begins like another, and no keys of another workspace", async () => {
  const { rest, workspaceId } = await world.workspace();
  const keys = ["a", "a b", "ab", "a-b", "z", "Ä"];
  for (const [index, key] of keys.entries()) {
    for (const value of ["x", "y"])
      await rest.post("/leads", { email: `${index}${value}@people.test`, customFields: { [key]: value, n: 1 } });
  }
  expect((await findCustomKeys(workspaceId))?.sort()).toEqual([...keys, "n"].sort());
  const another = await world.workspace();
  expect(await findCustomKeys(another.workspaceId)).toEqual([]);
});

test("a signature is checked as a template when it is saved, and its unknown or missing variables are reported", async () => {
  const { rest, path, workspaceId, mailbox, errors, warnings } = await campaignOf({
    subject: "Hello",
    body: "<p>Hi</p>",
  });
  const save = (signatureHtml: string) =>
    rest.post("/mailboxes/manage", { action: "updateSettings", mailboxId: mailbox._id, patch: { signatureHtml } });
  expect(await save("<p>{{ senderName </p>")).toMatchObject({
    status: 400,
    body: { code: "TEMPLATE_INVALID", details: { path: "patch.signatureHtml" } },
  });
  expect(await save("<script>x</script>")).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect((await save("<p>{{ senderFristName }}</p>")).status).toBe(200);
  expect(await errors()).toMatchObject([
    { code: "UNKNOWN_VARIABLE", path: `mailboxes.${mailbox._id}`, details: { meant: "senderFirstName" } },
  ]);
  await save("<p>{Best|Best}, {{ senderFirstName }}, near {{ city }}</p>");
  expect(await errors()).toEqual([]);
  expect((await warnings()).find(({ code }) => code === "MISSING_VARIABLES")?.details).toMatchObject({
    sample: [{ names: ["city"] }],
  });
  const shown = (await rest.post(`${path}/sequence/preview`, {})).body;
  expect(shown.text).toContain("Best, Grace, near London");
  expect(shown.html).toContain("<p>Best, Grace, near London</p>");
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { signatureHtml: "{{ old" } });
  expect(await errors()).toMatchObject([{ code: "TEMPLATE_SYNTAX", path: `mailboxes.${mailbox._id}` }]);
});

test("a value with braces and choices is sent unchanged, and causes a warning if an email shows the value", async () => {
  const leads = {
    "ada@people.test": { firstName: "{Ada|Eda}", city: "{a|b}" },
    "bob@people.test": { firstName: "Bob {the builder}", customFields: { opener: "{Nice|Great} site" } },
  };
  const { warnings, path, rest } = await campaignOf(
    { subject: "Hello {{firstName}}", body: "<p>{{ opener }}</p>" },
    leads,
  );
  const found = (await warnings()).find(({ code }) => code === "SPINTAX_IN_VALUE");
  expect(found?.details).toMatchObject({
    count: 2,
    names: ["firstName", "opener"],
    sample: expect.arrayContaining([
      { email: "bob@people.test", names: ["opener"] },
      { email: "ada@people.test", names: ["firstName"] },
    ]),
  });
  const { items } = (await rest.get("/leads?search=ada")).body;
  expect((await rest.post(`${path}/sequence/preview`, { leadId: items[0].id })).body.subject).toBe("Hello {Ada|Eda}");
});
