import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { createEngine } from "../../temporal/engine.ts";
import { type FakeRspamd, type Filtering, startRspamd } from "../fakes/rspamd.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign } from "./campaign-parts.ts";

let world: World;
let rspamd: FakeRspamd;
beforeAll(async () => {
  rspamd = await startRspamd();
  world = await startWorld({ worker: realWorker(), settings: { rspamdUrl: rspamd.url } });
}, 90_000);
afterAll(async () => {
  await world.close();
  await rspamd.close();
}, 60_000);
beforeEach(() => {
  rspamd.answer(() => ({ score: 0.5, action: "no action" }));
  rspamd.asked.length = 0;
});

const SPAM: Filtering = {
  score: 9.456,
  action: "add header",
  symbols: {
    FREE_MONEY: { score: 6, description: "Promises money" },
    SUBJ_CAPS: { score: 3.456 },
    DKIM_GOOD: { score: -0.2 },
  },
};
const isSpam = ({ raw }: { raw: string }) => /FREE MONEY/.test(raw);

async function campaignOf(steps: object[], settings: object = {}) {
  const made = await world.workspace();
  const campaign = await readyCampaign(made.rest, made.workspaceId, ["ada@example.test"]);
  await made.rest.put(`${campaign.path}/sequence`, { action: "replaceSteps", steps });
  await made.rest.patch(`${campaign.path}/settings`, settings);
  const preview = async (fields: object = {}) =>
    (await made.rest.post(`${campaign.path}/sequence/preview`, fields)).body;
  const validate = async () => (await made.rest.get(`${campaign.path}/validate`)).body;
  const spammy = async () =>
    (await validate()).warnings.filter(({ code }: { code: string }) => code === "CONTENT_SPAMMY");
  return { ...made, ...campaign, preview, validate, spammy };
}

const step = (subject: string, bodyHtml = "<p>{{ firstName }}, shall we talk?</p>") => ({ subject, bodyHtml });

test("a preview shows the spam filter's score of the email as sent, and the same email is scored once", async () => {
  rspamd.answer(() => SPAM);
  const { preview, mailbox, workspaceId } = await campaignOf([step("FREE MONEY")]);
  const expected = {
    score: 9.46,
    required: 15,
    action: "add header",
    reasons: [
      { name: "FREE_MONEY", score: 6, description: "Promises money" },
      { name: "SUBJ_CAPS", score: 3.46, description: null },
    ],
  };
  const shown = await preview();
  expect(shown.contentScore).toEqual(expected);
  expect((await preview()).contentScore).toEqual(expected);
  expect(rspamd.asked).toHaveLength(1);
  const [{ path, headers, raw } = { path: "", headers: {}, raw: "" }] = rspamd.asked;
  expect([path, headers["from"], headers["rcpt"], headers["helo"]]).toEqual([
    "/checkv2",
    mailbox.email,
    expect.stringMatching(/@/),
    mailbox.email.split("@")[1],
  ]);
  expect(JSON.parse(String(headers["settings"]))).toMatchObject({
    groups_disabled: expect.arrayContaining(["policies"]),
  });
  for (const header of [
    /^From: .*@/m,
    /^Message-ID: </im,
    /^X-Mail-Ref: /m,
    /^List-Unsubscribe: </m,
    /^Date: /m,
    /^Subject: FREE MONEY/m,
  ])
    expect(raw).toMatch(header);
  expect(raw).toMatch(/shall we talk/);
  const draft = await preview({ draft: { subject: "Another" } });
  expect([rspamd.asked.length, draft.contentScore.action]).toEqual([2, "add header"]);
  // Only the filter's answer is kept, no text
  expect(
    (await scoped(workspaceId).ContentScore.find({})).map(({ mail, verdict }) => [mail, verdict === null]),
  ).toEqual([
    [null, false],
    [null, false],
  ]);
}, 60_000);

test("a validation warns of each enabled variant that the spam filter would mark or refuse, and the warning can block a launch", async () => {
  rspamd.answer((request) => (isSpam(request) ? SPAM : { score: 4, action: "greylist" }));
  const variants = [
    { label: "A", subject: "Fine", bodyText: "Hello, shall we talk?" },
    { label: "B", subject: "FREE MONEY", bodyText: "Hello, shall we talk?" },
    { label: "C", subject: "FREE MONEY again", bodyText: "Hello", enabled: false },
  ];
  const { spammy, rest, path } = await campaignOf([{ variants }, { bodyText: "Did you see FREE MONEY?", delay: 1 }]);
  const found = await spammy();
  expect(
    found.map(({ path, details }: { path: string; details: Record<string, unknown> }) => [path, details["score"]]),
  ).toEqual([
    ["steps.0.variants.1", 9.46],
    ["steps.1.variants.0", 9.46],
  ]);
  expect(found[0].details).toMatchObject({
    stepId: expect.stringMatching(/^stp_/),
    variantId: expect.stringMatching(/^var_/),
    reasons: [{ name: "FREE_MONEY" }, {}],
  });
  // A follow-up continues a thread, or a filter takes its "Re:" for a lie
  expect(rspamd.asked.find(({ raw }) => /Did you see/.test(raw))?.raw).toMatch(/^References: </m);
  const asked = rspamd.asked.length;
  const launch = () => rest.post(`${path}/control`, { action: "launch" });
  await rest.patch(`${path}/settings`, { launchBlockers: ["CONTENT_SPAMMY"] });
  const refused = (await launch()).body;
  expect([refused.launched, refused.validation.errors.map(({ code }: { code: string }) => code)]).toEqual([
    false,
    ["BLOCKED_BY_POLICY"],
  ]);
  expect(rspamd.asked).toHaveLength(asked);
  await rest.patch(`${path}/settings`, { launchBlockers: [] });
  expect((await launch()).body).toMatchObject({ launched: true });
}, 90_000);

test("with the launch blocker CONTENT_SPAMMY a spammy campaign is not launched, even if no one has validated the campaign before", async () => {
  rspamd.answer(() => SPAM);
  const { rest, path } = await campaignOf([step("Hello")], { launchBlockers: ["CONTENT_SPAMMY"] });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body.launched).toBe(false);
}, 60_000);

const FAULTS: [string, () => Filtering][] = [
  ["refuses", () => ({ status: 403, text: '{"error":"denied"}' })],
  ["fails", () => ({ status: 500, text: "oops" })],
  ["answers no JSON", () => ({ status: 200, text: "<html>" })],
  ["answers an error", () => ({ status: 200, text: '{"error":"no worker"}' })],
  ["answers without a score", () => ({ status: 200, text: '{"action":"reject","required_score":15}' })],
  [
    "answers without end",
    () => ({ status: 200, text: `{"score":1,"required_score":15,"action":"no action","x":"${"x".repeat(400_000)}"}` }),
  ],
  ["answers half", () => "half"],
  ["cuts the connection", () => "cut"],
  ["is silent", () => "silence"],
];

test.each(FAULTS)(
  "a spam filter that %s gives no score and no warning within seconds, and is asked again later",
  async (_, fault) => {
    const { preview, spammy, workspaceId, validate } = await campaignOf([step("FREE MONEY")]);
    rspamd.answer(fault);
    const begun = performance.now();
    expect((await preview()).contentScore).toBeNull();
    expect(performance.now() - begun).toBeLessThan(12_000);
    const { length } = rspamd.asked;
    // No one waits for it again at once
    expect([await spammy(), (await preview()).contentScore, rspamd.asked.length]).toEqual([[], null, length]);
    expect((await validate()).valid).toBe(true);
    rspamd.answer(() => SPAM);
    const { ContentScore } = scoped(workspaceId);
    expect((await ContentScore.find({})).map(({ mail, verdict }) => [mail, verdict])).toEqual([[null, null]]);
    await ContentScore.updateMany({}, { $set: { silentAt: new Date(0) } });
    expect((await preview()).contentScore).toMatchObject({ action: "add header" });
  },
  60_000,
);

test("without a spam filter or without Temporal a preview and a validation have no score and no warning", async () => {
  const { preview, spammy } = await campaignOf([step("FREE MONEY")]);
  const { services } = world;
  const { rspamdUrl } = services.settings;
  services.settings.rspamdUrl = null;
  try {
    expect([(await preview()).contentScore, await spammy(), rspamd.asked.length]).toEqual([null, [], 0]);
  } finally {
    services.settings.rspamdUrl = rspamdUrl;
  }
  const { execute } = services.engine;
  services.engine.execute = createEngine(() => null).execute;
  try {
    const begun = performance.now();
    expect([(await preview()).contentScore, await spammy(), rspamd.asked.length]).toEqual([null, [], 0]);
    expect(performance.now() - begun).toBeLessThan(5_000);
  } finally {
    services.engine.execute = execute;
  }
}, 60_000);

test("a score of one workspace is not used for another workspace", async () => {
  const one = await campaignOf([step("The very same")]);
  await one.preview();
  const other = await campaignOf([step("The very same")]);
  await other.preview();
  expect(rspamd.asked).toHaveLength(2);
  expect(await scoped(other.workspaceId).ContentScore.count({})).toBe(1);
}, 60_000);
