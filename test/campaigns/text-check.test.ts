import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
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

const OF_TEXTS = [
  ...[
    "FOREIGN_PLACEHOLDER",
    "ENTITY_IN_PLACEHOLDER",
    "CODE_AS_SPINTAX",
    "LINK_WITHOUT_SCHEME",
    "FOREIGN_UNSUBSCRIBE_LINK",
  ],
  ...["EMPTY_GREETING", "OFTEN_EMPTY_VARIABLES"],
];
const ADA = { "ada@people.test": { firstName: "Ada", company: "Acme" } };

/** A campaign with these steps, to leads with these fields. */
async function campaignOf(steps: object[], leads: Record<string, object> = ADA) {
  const { rest, workspaceId } = await world.workspace();
  const mailbox = await storedMailbox(workspaceId);
  const { body } = await rest.post("/campaigns", { name: "Texts" });
  const path = `/campaigns/${body.id}`;
  await rest.patch(`${path}/settings`, { mailboxIds: [mailbox._id], windows: ALWAYS });
  expect(await rest.put(`${path}/sequence`, { action: "replaceSteps", steps })).toMatchObject({ status: 200 });
  for (const [email, fields] of Object.entries(leads)) await rest.post("/leads", { email, ...fields });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: Object.keys(leads) });
  const warnings = async (): Promise<Finding[]> => {
    const all: Finding[] = (await rest.get(`${path}/validate`)).body.warnings;
    return all.filter(({ code }) => OF_TEXTS.includes(code));
  };
  return { rest, workspaceId, path, mailbox, warnings };
}

const body = (text: string) => [{ subject: "A question", bodyHtml: `<p>${text}</p>` }];
const people = (count: number, fields: (index: number) => object) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`person${index}@people.test`, fields(index)]));

test("a placeholder of another tool is named with step, variant, field and place, in each enabled variant and in the signature", async () => {
  const variants = [
    { label: "A", subject: "Hi {FIRST_NAME}", bodyHtml: "<p>Hello</p>\n<p>at %COMPANY%</p>" },
    { label: "B", subject: "Hello", bodyHtml: "<p>Hi</p>", bodyText: "Hi [[firstName]]" },
    { label: "C", subject: "{FIRST_NAME}", bodyHtml: "<p>Hi</p>", enabled: false },
  ];
  const { warnings, mailbox, workspaceId } = await campaignOf([{ variants }, { bodyHtml: "<p>Again, *|FNAME|*</p>" }]);
  await scoped(workspaceId).Mailbox.updateOne(
    { _id: mailbox._id },
    { $set: { signatureHtml: "<p>{Company Name}</p>" } },
  );
  const found = await warnings();
  expect(found.map(({ code, path, details }) => [code, path, details["text"]])).toEqual([
    ["FOREIGN_PLACEHOLDER", "steps.0.variants.0.subject", "{FIRST_NAME}"],
    ["FOREIGN_PLACEHOLDER", "steps.0.variants.0.bodyHtml", "%COMPANY%"],
    ["FOREIGN_PLACEHOLDER", "steps.0.variants.1.bodyText", "[[firstName]]"],
    ["FOREIGN_PLACEHOLDER", "steps.1.variants.0.bodyHtml", "*|FNAME|*"],
    ["FOREIGN_PLACEHOLDER", `mailboxes.${mailbox._id}`, "{Company Name}"],
  ]);
  expect(found[1]).toMatchObject({
    message: expect.stringMatching(/^Step 1, variant A, HTML body: recipients would not see a value for “%COMPANY%”/),
    details: {
      stepId: expect.stringMatching(/^stp_/),
      variantId: expect.stringMatching(/^var_/),
      step: 1,
      variant: "A",
      line: 2,
      column: 7,
    },
  });
});

test.each([
  ["ENTITY_IN_PLACEHOLDER", "Hi {{ firstName | default: ‘x’ }}, {<b>{firstName}</b>}", "{{firstName}}"],
  ["CODE_AS_SPINTAX", 'Hi, {"a":1|2}', '{"a":1|2}'],
  ["LINK_WITHOUT_SCHEME", '<a href="www.acme.com">x</a>', "www.acme.com"],
  ["FOREIGN_UNSUBSCRIBE_LINK", '<a href="*|UNSUB|*">x</a>', "*|UNSUB|*"],
  ["EMPTY_GREETING", "{Hi|Hi} ,", "Hi ,"],
  ["EMPTY_GREETING", "Dear ,", "Dear ,"],
])("%s is a warning, and blocks a launch if it is among the launch blockers", async (code, text, shown) => {
  const { rest, path, warnings } = await campaignOf(body(text));
  const found = await warnings();
  expect(found).toContainEqual(expect.objectContaining({ code, details: expect.objectContaining({ text: shown }) }));
  await rest.patch(`${path}/settings`, { launchBlockers: [code] });
  const refused = (await rest.post(`${path}/control`, { action: "launch" })).body;
  const refusal = refused.validation.errors.find((error: Finding) => error.code === "BLOCKED_BY_POLICY");
  expect([refused.launched, refusal?.details]).toEqual([false, { warnings: [code] }]);
  expect(refused.validation.warnings).toEqual(expect.arrayContaining(found));
});

test("a clean text has no text warnings, and launches with all of them as launch blockers", async () => {
  const text = '{Hi|Hello} {{firstName}},</p><p>50% of 20% [1] at <a href="https://acme.test/a%20b">{{company}}</a>';
  const { rest, path, warnings } = await campaignOf(body(text));
  expect(await warnings()).toEqual([]);
  await rest.patch(`${path}/settings`, { launchBlockers: OF_TEXTS });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body).toMatchObject({ launched: true });
});

test("a greeting that is empty for some people is reported with their number, and with whether their emails wait or are sent", async () => {
  const leads = people(4, (index) => (index === 0 ? { company: "Acme" } : { firstName: "Ada" }));
  const { rest, path, warnings } = await campaignOf(body("Hi {{firstName}},"), leads);
  expect(await warnings()).toMatchObject([
    {
      code: "EMPTY_GREETING",
      message: expect.stringMatching(/1 of 4 people have no firstName.*“Hi ,”.*wait/),
      details: {
        text: "Hi ,",
        count: 1,
        people: 4,
        variables: ["firstName"],
        isSent: false,
        field: "bodyHtml",
        line: 1,
      },
    },
    { code: "OFTEN_EMPTY_VARIABLES" },
  ]);
  const greet = async (text: string) => {
    await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: body(text) });
    return (await warnings()).filter(({ code }) => code === "EMPTY_GREETING");
  };
  expect(await greet("Hi {% if firstName %}{{firstName}}{% endif %},")).toMatchObject([
    { details: { count: 1, isSent: true } },
  ]);
  expect(await greet("Hi {{ firstName | default: 'there' }},")).toEqual([]);
  expect(await greet("Hi{% if firstName %} {{firstName}}{% endif %},")).toEqual([]);
  expect(await greet("Hi {{firstName}} {{company}},")).toEqual([]);
  await rest.patch(`${path}/settings`, {
    missingVariablePolicy: "FALLBACK",
    variableFallbacks: { firstName: "there" },
  });
  expect(await greet("Hi {{firstName}},")).toEqual([]);
});

test("a variable that more than a fifth of the people lack is reported with the share, even with a default, and exactly a fifth is not", async () => {
  const leads = people(10, (index) => ({
    ...(index < 3 ? { firstName: "  " } : { firstName: "Ada" }),
    ...(index < 2 ? {} : { company: "Acme" }),
    customFields: index === 0 ? { opener: "Nice" } : { opener: "{{opener}}" },
  }));
  const text = "Hi {{ first_name | default: 'there' }} at {{company}}, {{Opener}} {% if city %}x{% endif %}";
  const { rest, path, workspaceId, warnings } = await campaignOf(body(text), leads);
  const often = async () =>
    (await warnings()).filter(({ code }) => code === "OFTEN_EMPTY_VARIABLES").map(({ details }) => details);
  expect(await often()).toMatchObject([
    {
      variable: "firstName",
      count: 3,
      people: 10,
      share: 0.3,
      hasDefault: true,
      places: [{ step: 1, variant: "A", field: "bodyHtml" }],
    },
    { variable: "Opener", count: 9, people: 10, share: 0.9, hasDefault: false },
  ]);
  await rest.patch(`${path}/settings`, { launchBlockers: ["OFTEN_EMPTY_VARIABLES"] });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body.launched).toBe(false);
  // A recipient that has ended gets no more emails, so it does not count
  await scoped(workspaceId).Recipient.updateMany({ email: "person0@people.test" }, { $set: { status: "REPLIED" } });
  expect(await often()).toMatchObject([
    { variable: "firstName", count: 2, people: 9 },
    { variable: "Opener", count: 9, people: 9 },
  ]);
});

test("saving a broken placeholder is refused with the part that is wrong", async () => {
  const { rest, path } = await campaignOf(body("Hi"));
  const save = (text: string) => rest.put(`${path}/sequence`, { action: "replaceSteps", steps: body(text) });
  expect(await save("Hi {{&nbsp;firstName}}")).toMatchObject({
    status: 400,
    body: {
      code: "TEMPLATE_INVALID",
      message: expect.stringContaining("“&nbsp;”"),
      details: { line: 1, path: "steps.0.bodyHtml" },
    },
  });
});
