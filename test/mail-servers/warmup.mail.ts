import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { ALWAYS, NOW } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import type { Warming } from "../warmup/warmup-world.ts";
import { officeMails, promotions, SIGNATURE } from "./corpus.ts";
import { whyNoFiling } from "./install.ts";
import { hold, letDaysPass, letMonthPass, read, release } from "./warmup-clock.ts";
import { DEADLINE, isPlanned, startWarmupProvider, type WarmupProvider } from "./warmup-provider.ts";

const why = await whyNoFiling();
if (why !== null) console.log(`the warmup by real servers is skipped: ${why}`);
const withServers = why === null ? test : test.skip;
const EVE = "eve@e.test";

let here: WarmupProvider;
let ann: Warming;
let bob: Warming;
let cleo: Warming;
let partners: Warming[];

beforeAll(async () => {
  if (why !== null) return;
  // Ann only opens conversations, so that she has sent exactly what a test lets go
  const members = [
    { email: "ann@a.test", name: "Ann Miller", replyRate: 0, signatureHtml: SIGNATURE },
    { email: "bob@b.test", name: "Bob Stone", replyRate: 0.6 },
    { email: "cleo@c.test", name: "Cleo Park", replyRate: 0.6 },
    { email: "dora@d.test", name: "Dora Lane", replyRate: 0.6 },
  ];
  here = await startWarmupProvider(members, { users: [EVE], copied: ["bob@b.test"] });
  const [first, second, third, fourth] = here.mailboxes;
  if (!first || !second || !third || !fourth) throw new Error("Four mailboxes were asked for");
  [ann, bob, cleo] = [first, second, third];
  partners = [second, third, fourth];
}, 400_000);
afterAll(() => here?.close(), 60_000);

const mailsOf = (ids: readonly string[]) => WarmupMail.find({ _id: trusted({ $in: [...ids] }) }).lean<WarmupMail[]>();
const folder = async ({ email }: Warming, name: string) => (await here.provider.dovecot.mails(email, name)) ?? [];
const health = async () => (await ann.rest.get(`/mailboxes/${ann.mailboxId}`)).body.health;
const today = async () => (await ann.rest.get(`/warmup/enrolments/${ann.mailboxId}/heatmap?days=1`)).body[0];

const lyingInJunk = async () => (await Promise.all(partners.map((one) => folder(one, "Junk")))).flat();

/** Lets so many mails of Ann's go, and says where each was seen. */
async function placesOf(ids: readonly string[], junk = 0): Promise<string[]> {
  await until(async () => (await mailsOf(ids)).every(({ state }) => state === "SENT"), { ...DEADLINE, what: "the mails to go out" });
  if (junk > 0) {
    await until(async () => (await lyingInJunk()).length >= junk, { ...DEADLINE, what: `${junk} mails to lie in Junk` });
    for (const one of partners) await here.look(one);
  }
  const places = async () => (await mailsOf(ids)).map(({ landed }) => landed?.folder ?? null);
  await until(async () => !(await places()).includes(null), { ...DEADLINE, what: "the mails to be seen" });
  return (await places()).map(String);
}

/** Everything that has come, and all that is answered to it, is read and put away. */
async function allRead(): Promise<void> {
  const soon = new Date(Date.now() + 60_000);
  const left = async () =>
    (await WarmupMail.countDocuments({ state: "PLANNED", dueAt: trusted({ $lt: soon }) })) +
    (await WarmupMail.countDocuments({ state: "SENT", "engaged.filedAt": null }));
  const isDone = async () => {
    for (const one of here.mailboxes) await read(one);
    return (await left()) === 0;
  };
  await until(isDone, { ...DEADLINE, what: "every mail to be put away" });
}

withServers(
  "mailboxes of several workspaces write to each other by real servers, read, answer and put away, and none of it stands in an inbox",
  async () => {
    const ids = [await release(ann, 20), await release(bob, 5, partners), await release(cleo, 5, partners)].flat();
    expect(new Set(await placesOf(ids))).toEqual(new Set(["INBOX"]));
    await allRead();
    const answers = await WarmupMail.find({ kind: "REPLY" }).lean<WarmupMail[]>();
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.every(({ landed }) => landed?.folder === "INBOX")).toBe(true);
    for (const one of here.mailboxes) {
      expect([one.email, await folder(one, "INBOX")]).toEqual([one.email, []]);
      const { body } = await one.rest.get("/inbox/threads");
      expect([one.email, body.total]).toEqual([one.email, 0]);
    }
    const put = await folder(cleo, "Warmup");
    expect(put.length).toBeGreaterThanOrEqual(5);
    expect(put.every(({ flags }) => flags.includes("\\Seen"))).toBe(true);
    expect(await today()).toMatchObject({ sent: 20, engaged: 20, inSpam: 0, rescued: 0 });
    await here.judge();
    expect(await health()).toMatchObject({ band: "HEALTHY" });
  },
  180_000,
);

withServers(
  "copies that the provider keeps of what was sent are put away too, and what was put away is deleted after a month",
  async () => {
    await here.look(bob);
    const copies = async () => (await folder(bob, "Sent")).length;
    const filed = async () => WarmupMail.countDocuments({ fromMailboxId: bob.mailboxId, sentCopy: trusted({ $ne: null }), tidyAt: null });
    await until(async () => (await filed()) >= 5 && (await copies()) === 0, { ...DEADLINE, what: "the copies to be put away" });
    const before = (await folder(cleo, "Warmup")).length;
    await letMonthPass(cleo);
    await until(async () => (await folder(cleo, "Warmup")).length < before, { ...DEADLINE, what: "the old mails to be deleted" });
  },
  120_000,
);

withServers(
  "mail that a filter puts into Junk is seen there and counted, and the band of its sender follows by the thresholds",
  async () => {
    const { filter } = here.provider;
    for (const raw of officeMails()) await filter.learn("ham", raw);
    for (const raw of promotions()) await filter.learn("spam", raw);
    let junk = 0;
    const junked = async (count: number) => {
      junk += count;
      expect(new Set(await placesOf(await release(ann, count), junk))).toEqual(new Set(["SPAM"]));
      await here.judge();
    };
    await junked(4);
    expect(await health()).toMatchObject({ band: "THROTTLED", step: 75, measure: "SPAM_RATE", numerator: 4, denominator: 24 });
    // Its first mail would go out on another day, so that the mailbox is none that sends campaigns
    const campaign = await campaignTo(EVE);
    await junked(2);
    expect(await health()).toMatchObject({ band: "QUARANTINED", numerator: 6, denominator: 26, threshold: 0.2 });
    await campaign.openHours();
    const isHeld = async () => (await campaign.rules()).includes("MAILBOX_BAND");
    await until(isHeld, { deadlineMs: 10000, what: "the campaign's mail to be held" }).catch(async (e) =>
      console.log(e.message, JSON.stringify(await campaign.explain())),
    );
    await junked(8);
    expect(await health()).toMatchObject({ band: "BLOCKED", numerator: 14, denominator: 34, threshold: 0.4 });
    expect(await today()).toMatchObject({ sent: 34, inSpam: 14, rescued: 0 });
  },
  300_000,
);

withServers(
  "what is taken out of Junk teaches the filter, and mail of the same kind comes to the inbox from then on",
  async () => {
    const learned = await here.provider.filter.learned();
    expect(await lyingInJunk()).toHaveLength(14);
    await allRead();
    expect(await lyingInJunk()).toEqual([]);
    const put = (await Promise.all(partners.map((one) => folder(one, "Warmup")))).flat();
    expect(put.filter(({ flags }) => flags.includes("$NotJunk"))).toHaveLength(14);
    expect(put.filter(({ flags }) => flags.includes("$Junk"))).toEqual([]);
    expect(await today()).toMatchObject({ inSpam: 14, rescued: 14 });
    const taught = async () => (await here.provider.filter.learned()) - learned;
    await until(async () => (await taught()) >= 3, { ...DEADLINE, what: "the filter to be taught" });
    console.log("taught", await taught());
  },
  120_000,
);

withServers(
  "a mailbox that was blocked warms up again alone, comes back by its steps after clean days, and its campaign goes on",
  async () => {
    const status = async () => (await ann.rest.get(`/warmup/enrolments/${ann.mailboxId}`)).body.status;
    await until(async () => (await status()) === "SUSPENDED", { ...DEADLINE, what: "the warmup to be suspended" });
    await letDaysPass(ann, 30);
    await here.judge();
    expect(await health()).toMatchObject({ band: "QUARANTINED" });
    await until(async () => (await status()) === "ACTIVE", { ...DEADLINE, what: "the warmup to go on" });
    await isPlanned(ann, 20);
    await hold(here.mailboxes);
    expect(new Set(await placesOf(await release(ann, 20)))).toEqual(new Set(["INBOX"]));
    await here.judge();
    console.log(JSON.stringify(await health()));
    expect(await folder({ ...ann, email: EVE }, "INBOX")).toEqual([]);
    await letDaysPass(ann, 7);
    const steps: unknown[] = [];
    for (let step = 0; step < 5; step++) {
      await here.judge();
      const { band, step: percent } = await health();
      steps.push([band, percent]);
      if (step === 0)
        await until(async () => (await folder({ ...ann, email: EVE }, "INBOX")).length === 1, { ...DEADLINE, what: "the campaign's mail" });
      await letDaysPass(ann, 2);
    }
    expect(steps).toEqual([
      ["THROTTLED", 25],
      ["THROTTLED", 50],
      ["THROTTLED", 75],
      ["THROTTLED", 100],
      ["HEALTHY", null],
    ]);
    console.log(JSON.stringify((await ann.rest.get(`/mailboxes/${ann.mailboxId}/health?days=90`)).body));
  },
  300_000,
);

/** A campaign of Ann's to one person, that is launched and whose hours begin tomorrow or later. */
async function campaignTo(email: string) {
  const { rest, mailboxId, workspaceId } = ann;
  const { body } = await rest.post("/campaigns", { name: "After the warmup" });
  const path = `/campaigns/${body.id}`;
  const settings = (windows: object[]) => rest.patch(`${path}/settings`, { windows, timezone: "UTC" });
  const inTwoDays = ((new Date().getUTCDay() + 1) % 7) + 1;
  await rest.patch(`${path}/settings`, { minGapSeconds: 0, maxGapSeconds: 0, mailboxIds: [mailboxId] });
  await settings([{ days: [inTwoDays], from: "00:00", to: "24:00" }]);
  const steps = [{ subject: "A question about your plant", body: "<p>Hello, how do you plan its maintenance?</p>", delay: NOW }];
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: [email] });
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  const { _id } = (await scoped(workspaceId).Recipient.findOne({ email })) ?? {};
  return {
    openHours: () => settings(ALWAYS),
    explain: async () => (await rest.get(`${path}/recipients/${_id}/explain`)).body,
    async rules(): Promise<string[]> {
      const { body } = await rest.get(`${path}/recipients/${_id}/explain`);
      return body.rules.map(({ code }: { code: string }) => code);
    },
  };
}
