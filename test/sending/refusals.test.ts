import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { refuse } from "../fakes/smtp-answers.ts";
import { MAIL_DEADLINE, until as poll } from "../fakes/wait.ts";
import { type Refusals, type Story, startRefusals } from "./refusal-parts.ts";

let here: Refusals;
beforeAll(async () => {
  here = await startRefusals();
});
afterAll(() => here.close());

const BARE = refuse(550, "5.7.1 Access denied");
const hoursAhead = (at: unknown) => Math.round((Date.parse(String(at)) - Date.now()) / HOUR_MS);
const isPutOff = ({ nextSendAt }: { nextSendAt: Date | null }) => (nextSendAt?.getTime() ?? 0) > Date.now() + HOUR_MS;
const codesOf = (told: { rules: { code: string }[] }) => told.rules.map(({ code }) => code);
const ruleOf = (told: { rules: { code: string; text: string; values: object }[] }, code: string) =>
  told.rules.find((rule) => rule.code === code);
const leadOf = async ({ workspaceId }: Story, leadId: string) => scoped(workspaceId).Lead.get(leadId);

async function until(is: () => Promise<boolean>): Promise<void> {
  await poll(is, { ...MAIL_DEADLINE, what: "the mailbox to change" });
}

test.each([
  refuse(550, "5.7.124 RESOLVER.RST.NotInAllowedList; sender is not in the allowed senders list"),
  refuse(554, "5.7.1 This group takes mail of its members only", "DOT"),
  refuse(550, "5.7.1 You have been blocked by the recipient"),
])(
  "a refusal by the recipient's own rule ends only that recipient, without a bounce, and the others get their emails (%j)",
  async (answer) => {
    const story = await here.story(["strict@one", "dora@one", "emil@two"], { "strict@one": answer });
    await story.launch();
    await story.arrived("dora@one", "emil@two");
    const ended = await story.comesTo("strict@one", ({ status }) => status === "FAILED");
    expect(ended).toMatchObject({ stopReason: "REFUSED_BY_POLICY", bouncedAt: null, bounce: { type: "SOFT" } });
    expect(await leadOf(story, ended.leadId)).toMatchObject({ suppressed: false, verificationStatus: "UNVERIFIED" });
    expect(await story.mailbox()).toMatchObject({ status: "CONNECTED", restReason: null, coolDowns: 0 });
    expect(story.asked("strict@one")).toBe(1);
  },
);

test("an email refused by an unknown policy is retried after four hours and a day, then its recipient fails; the mailbox keeps sending", async () => {
  const story = await here.story(["odd@one", "dora@one", "emil@two"], { "odd@one": BARE });
  await story.launch();
  await story.arrived("dora@one", "emil@two");
  expect(hoursAhead((await story.comesTo("odd@one", isPutOff)).nextSendAt)).toBe(4);
  const told = await story.explain("odd@one");
  expect(hoursAhead(told.until)).toBe(4);
  expect(told.next).toMatchObject({ event: "MAIL" });
  expect(ruleOf(told, "REFUSED")).toMatchObject({ values: { code: "5.7.1", used: 1, most: 3, until: told.until } });
  await story.isDueNow("odd@one");
  await until(async () => story.asked("odd@one") === 2);
  expect(hoursAhead((await story.comesTo("odd@one", isPutOff)).nextSendAt)).toBe(24);
  await story.isDueNow("odd@one");
  expect(await story.comesTo("odd@one", ({ status }) => status === "FAILED")).toMatchObject({
    stopReason: "REFUSED_BY_POLICY",
    bouncedAt: null,
    bounce: { code: "5.7.1", diagnostic: expect.stringContaining("Access denied") },
  });
  expect(story.asked("odd@one")).toBe(3);
  expect(await story.mailbox()).toMatchObject({ status: "CONNECTED", coolDowns: 0 });
});

test("when one of four organisations refuses everything and another refuses one person, no other recipient waits", async () => {
  const hosts = { harbor: "big.test", hill: "big.test", river: "small.test", lake: "small.test" };
  const people = ["a@hill", "b@lake", "c@harbor", "d@harbor", "e@harbor", "f@river", "g@river", "h@lake"];
  const answers = { harbor: BARE, "f@river": refuse(550, "5.7.1 The recipient has blocked this sender") };
  const story = await here.story(people, answers, { hosts });
  await story.launch();
  await story.arrived("a@hill", "b@lake", "g@river", "h@lake");
  for (const name of ["c@harbor", "d@harbor", "e@harbor"]) await story.comesTo(name, isPutOff);
  await story.comesTo("f@river", ({ status }) => status === "FAILED");
  expect(await story.mailbox()).toMatchObject({ status: "CONNECTED", pausedProviders: [] });
  const places = async () => {
    const evidence = await scoped(story.workspaceId).RefusalEvidence.find({ mailboxId: story.mailboxId });
    return Object.fromEntries(evidence.map(({ organisation, ...row }) => [organisation.split("-")[0], row]));
  };
  // An email has arrived before its result is recorded
  await until(async () => {
    const { lake, river } = await places();
    return lake?.accepted === 2 && river?.accepted === 1;
  });
  const byPlace = await places();
  expect(byPlace["harbor"]).toMatchObject({ provider: "big.test", accepted: 0, policy: 3, recent: [{}, {}, {}] });
  expect(byPlace["lake"]).toMatchObject({ accepted: 2, policy: 0 });
  expect(byPlace["river"]).toMatchObject({ accepted: 1, recipient: 1 });
});

test("refusals by three organisations of one provider pause the mailbox for that provider only, and a user who resumes it sees the evidence", async () => {
  const hosts = { ash: "big.test", birch: "big.test", cedar: "big.test", late: "big.test", other: "small.test" };
  const story = await here.story(["a@ash", "b@birch", "c@cedar"], { ash: BARE, birch: BARE, cedar: BARE }, { hosts });
  await story.launch();
  await until(async () => (await story.mailbox()).pausedProviders.length === 1);
  const added = { action: "addManual", emails: [story.address("z@late"), story.address("y@other")] };
  await story.rest.post(`${story.path}/recipients`, added);
  await story.arrived("y@other");
  expect(await story.mailbox()).toMatchObject({
    status: "CONNECTED",
    pausedProviders: [{ provider: "big.test", times: 1 }],
  });
  const waits = await until(async () => codesOf(await story.explain("z@late")).includes("PROVIDER_PAUSED")).then(() =>
    story.explain("z@late"),
  );
  expect(hoursAhead(waits.until)).toBe(24);
  expect(ruleOf(waits, "PROVIDER_PAUSED")?.text).toContain(
    "3 of the last 3 emails to customers of big.test were refused",
  );
  const health = await story.health();
  expect(health).toMatchObject({
    issues: ["PROVIDER_PAUSED"],
    pausedProviders: [{ provider: "big.test" }],
    overridden: null,
  });
  const { sendingStatus } = (await story.rest.get(story.path)).body;
  expect(sendingStatus.restingMailboxes).toMatchObject([
    { mailboxId: story.mailboxId, status: "CONNECTED", provider: "big.test" },
  ]);
  expect(story.mailsTo("z@late")).toBe(0);
  const { body } = await story.rest.post("/mailboxes/manage", { action: "resume", mailboxId: story.mailboxId });
  expect(body.health).toMatchObject({
    pausedProviders: [],
    overridden: { evidence: expect.stringContaining("to customers of big.test were refused") },
  });
  await story.arrived("z@late");
});

test("refusals at two providers cool the mailbox down: every view names the end and the reason, and a user can resume the mailbox", async () => {
  const hosts = { ash: "big.test", birch: "small.test" };
  const story = await here.story(["a@ash", "b@birch"], { ash: BARE, birch: BARE }, { hosts });
  await story.launch();
  await until(async () => (await story.mailbox()).status === "COOLING_DOWN");
  const added = { action: "addManual", emails: [story.address("innocent@cedar")] };
  await story.rest.post(`${story.path}/recipients`, added);
  const words =
    /^2 of the last 2 emails were refused, by (ash|birch)-\w+\.test \(1\) and (ash|birch)-\w+\.test \(1\); none was accepted$/;
  const retryAt = (await story.mailbox()).retryAt?.toISOString();
  const told = await story.explain("innocent@cedar");
  expect(codesOf(told)).toEqual(expect.arrayContaining(["MAILBOXES_UNHEALTHY", "MAILBOX_RESTING_UNTIL", "REFUSALS"]));
  expect(hoursAhead(told.until)).toBe(24);
  expect(told.next).toMatchObject({ event: "ADMITTED" });
  expect(ruleOf(told, "REFUSALS")?.values).toMatchObject({ evidence: expect.stringMatching(words) });
  expect(await story.health()).toMatchObject({
    until: retryAt,
    evidence: expect.stringMatching(words),
    issues: expect.arrayContaining(["COOLING_DOWN"]),
  });
  const { sendingStatus } = (await story.rest.get(story.path)).body;
  expect(sendingStatus).toMatchObject({
    code: "MAILBOXES_UNHEALTHY",
    restingMailboxes: [
      { status: "COOLING_DOWN", provider: null, until: retryAt, evidence: expect.stringMatching(words) },
    ],
  });
  expect(hoursAhead(sendingStatus.nextSendAt)).toBe(24);
  const { body: validation } = await story.rest.get(`${story.path}/validate`);
  const finding = validation.errors.find(({ code }: { code: string }) => code === "ALL_MAILBOXES_UNHEALTHY");
  expect(finding).toMatchObject({
    message: expect.stringContaining(`tried again at ${retryAt}`),
    details: { mailboxes: [{ until: retryAt, evidence: expect.stringMatching(words) }] },
  });
  const { body } = await story.rest.post("/mailboxes/manage", { action: "resume", mailboxId: story.mailboxId });
  expect(body).toMatchObject({ status: "CONNECTED", health: { until: null, evidence: null } });
  expect(body.health.overridden).toMatchObject({ until: retryAt, evidence: expect.stringMatching(words) });
  await story.arrived("innocent@cedar");
  // Earlier refusals do not count any more
  await story.rest.post(`${story.path}/recipients`, { action: "addManual", emails: [story.address("later@ash")] });
  await story.comesTo("later@ash", isPutOff);
  expect(await story.mailbox()).toMatchObject({ status: "CONNECTED", coolDowns: 1 });
});

test("after a cool-down other recipients are tried first, and one success ends the trial; a repeated refusal by one organisation does not stop the mailbox", async () => {
  const listed = refuse(550, "5.7.1 Client host blocked using a public block list");
  const story = await here.story(["p@harbor"], { harbor: listed });
  await story.launch();
  await until(async () => (await story.mailbox()).status === "COOLING_DOWN");
  expect(await story.health()).toMatchObject({
    evidence: expect.stringMatching(/^harbor-\w+\.test refused the sender of an email \(5\.7\.1\)$/),
  });
  await story.rest.post(`${story.path}/recipients`, { action: "addManual", emails: [story.address("dora@hill")] });
  await story.coolDownEnds();
  await story.arrived("dora@hill");
  expect(story.asked("p@harbor")).toBe(1);
  await until(async () => (await story.mailbox()).trial === null);
  // Now it is tried again, and says the same
  await until(async () => story.asked("p@harbor") === 2);
  expect(hoursAhead((await story.comesTo("p@harbor", isPutOff)).nextSendAt)).toBe(4);
  expect(await story.mailbox()).toMatchObject({ status: "CONNECTED", coolDowns: 1 });
});

test("when no other email is accepted, a refused recipient waits four hours more after a cool-down, and fails after a second refusal and cool-down", async () => {
  const listed = refuse(550, "5.7.1 Client host blocked using a public block list");
  const story = await here.story(["p@harbor"], { harbor: listed });
  await story.launch();
  await until(async () => (await story.mailbox()).status === "COOLING_DOWN");
  await story.coolDownEnds();
  // Booked for then, or admitted only then: that depends on whether the recipient looked during the cool-down
  await until(async () => {
    const told = await story.explain("p@harbor");
    return codesOf(told).includes("AFTER_COOL_DOWN") && hoursAhead(told.until) === 4;
  });
  expect((await story.recipient("p@harbor")).status).toBe("PENDING");
  await story.coolDownEnds(5 * HOUR_MS);
  await story.isDueNow("p@harbor");
  await until(async () => (await story.mailbox()).coolDowns === 2);
  expect(await story.send("p@harbor")).toMatchObject({ triedAfterRest: expect.any(Date) });
  await story.coolDownEnds(5 * HOUR_MS);
  expect(await story.comesTo("p@harbor", ({ status }) => status === "FAILED")).toMatchObject({
    stopReason: "REFUSED_BY_POLICY",
  });
  expect(story.asked("p@harbor")).toBe(2);
});

test.each([
  [
    "a limit of sending",
    refuse(550, "5.4.5 Daily sending limit of this account exceeded", "DOT"),
    /^The mail server reported a sending limit/,
  ],
  [
    "an account that is suspended",
    refuse(550, "5.7.0 Your account has been suspended", "DOT"),
    /refused the sender of an email \(5\.7\.0\)/,
  ],
])("%s cools the mailbox down, and the recipient stays pending", async (_what, answer, words) => {
  const story = await here.story(["a@ash"], { ash: answer });
  await story.launch();
  await until(async () => (await story.mailbox()).status === "COOLING_DOWN");
  const held = await story.comesTo(
    "a@ash",
    ({ admittedAt, awaitedMailboxId }) => admittedAt === null || awaitedMailboxId !== null,
  );
  expect(held).toMatchObject({ status: "PENDING", bounce: null });
  expect(await story.health()).toMatchObject({ evidence: expect.stringMatching(words) });
  const told = await story.explain("a@ash");
  expect(told.next).not.toBeNull();
  expect(hoursAhead(told.until)).toBeGreaterThanOrEqual(24);
});
