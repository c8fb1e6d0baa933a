import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { ALWAYS, NOW } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import type { Warming } from "../warmup/warmup-world.ts";
import { officeMails, promotions, SIGNATURE } from "./corpus.ts";
import { whyNoFiling } from "./install.ts";
import { hold, letDaysPass, letMonthPass, read, release } from "./warmup-clock.ts";
import { DEADLINE, startWarmupProvider, untilPlanned, type WarmupProvider } from "./warmup-provider.ts";

const why = await whyNoFiling();
if (why !== null) console.log(`the warmup by real servers is skipped: ${why}`);
const withServers = why === null ? test : test.skip;
/** The person to whom Ann's campaign writes; she takes no part in the warmup. */
const EVE = "eve@e.test";

let here: WarmupProvider;
let ann: Warming;
let bob: Warming;
let cleo: Warming;
let partners: Warming[];
let campaign: Awaited<ReturnType<typeof campaignTo>>;

beforeAll(async () => {
  if (why !== null) return;
  // Ann answers no one, so that she has sent exactly what a test lets go
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
const inFolder = async (email: string, folder: string) => (await here.provider.dovecot.mails(email, folder)) ?? [];
const ofPartners = async (folder: string) =>
  (await Promise.all(partners.map(({ email }) => inFolder(email, folder)))).flat();
const health = async () => (await ann.rest.get(`/mailboxes/${ann.mailboxId}`)).body.health;
const today = async () => (await ann.rest.get(`/warmup/enrolments/${ann.mailboxId}/heatmap?days=1`)).body[0];
const toEve = async () => (await Promise.all(["INBOX", "Junk"].map((folder) => inFolder(EVE, folder)))).flat().length;
const warmupStatus = async () => (await ann.rest.get(`/warmup/enrolments/${ann.mailboxId}`)).body.status;

/** Waits until released emails have come. Returns the kinds of folders in which they were seen. */
async function seePlaces(ids: readonly string[]): Promise<Set<string | undefined>> {
  const places = async () => (await mailsOf(ids)).map(({ landed }) => landed?.folder);
  await until(async () => !(await places()).includes(undefined), { ...DEADLINE, what: "the mails to be seen" });
  return new Set(await places());
}

/** Reads and files every email that has come, and every answer to one. */
async function readAll(): Promise<void> {
  const soon = trusted({ $lt: new Date(Date.now() + 60_000) });
  const isDone = async () => {
    for (const one of here.mailboxes) await read(one);
    const unsent = await WarmupMail.countDocuments({ state: "PLANNED", dueAt: soon });
    return unsent + (await WarmupMail.countDocuments({ state: "SENT", "engaged.filedAt": null })) === 0;
  };
  await until(isDone, { ...DEADLINE, what: "every mail to be put away" });
}

withServers(
  "mailboxes of several workspaces write to each other by real servers, read, answer and file, and none of it stands in an inbox",
  async () => {
    const ids = [await release(ann, 20), await release(bob, 5, partners), await release(cleo, 5, partners)].flat();
    expect(await seePlaces(ids)).toEqual(new Set(["INBOX"]));
    await readAll();
    const answers = await WarmupMail.find({ kind: "REPLY" }).lean<WarmupMail[]>();
    expect(answers.length).toBeGreaterThan(0);
    expect(answers.map(({ landed }) => landed?.folder)).not.toContain("SPAM");
    for (const { email, rest } of here.mailboxes) {
      expect([email, await inFolder(email, "INBOX")]).toEqual([email, []]);
      expect([email, (await rest.get("/inbox/threads")).body.total]).toEqual([email, 0]);
    }
    const put = await ofPartners("Warmup");
    expect(put.length).toBeGreaterThanOrEqual(ids.length);
    expect(put.filter(({ flags }) => !flags.includes("\\Seen"))).toEqual([]);
    expect(await today()).toMatchObject({ sent: 20, engaged: 20, inSpam: 0, rescued: 0 });
    await here.judge();
    expect(await health()).toMatchObject({ band: "HEALTHY" });
  },
  180_000,
);

withServers(
  "copies that the provider keeps of sent emails are filed too, and filed emails are deleted after a month",
  async () => {
    const copied = { fromMailboxId: bob.mailboxId, "sentCopy.folder": "Warmup" };
    const isTidy = async () =>
      (await WarmupMail.countDocuments(copied)) >= 5 && (await inFolder(bob.email, "Sent")).length === 0;
    await until(isTidy, { ...DEADLINE, what: "the copies to be put away" });
    for (const { email } of [bob, cleo]) expect((await inFolder(email, "Warmup")).length).toBeGreaterThan(0);
    for (const one of [bob, cleo]) await letMonthPass(one);
    const old = async () => (await Promise.all([bob, cleo].map(({ email }) => inFolder(email, "Warmup")))).flat();
    await until(async () => (await old()).length === 0, { ...DEADLINE, what: "the old mails to be deleted" });
  },
  120_000,
);

withServers(
  "mail that a filter puts into Junk is seen there and counted; the band of its sender follows by the thresholds, and holds its campaign",
  async () => {
    const { filter } = here.provider;
    for (const raw of officeMails()) await filter.learn("ham", raw);
    for (const raw of promotions()) await filter.learn("spam", raw);
    const junked = async (count: number) => {
      expect(await seePlaces(await release(ann, count))).toEqual(new Set(["SPAM"]));
      await here.judge();
    };
    await junked(4);
    expect(await health()).toMatchObject({
      band: "THROTTLED",
      step: 75,
      measure: "SPAM_RATE",
      numerator: 4,
      denominator: 24,
    });
    campaign = await campaignTo(EVE);
    await junked(2);
    expect(await health()).toMatchObject({ band: "QUARANTINED", numerator: 6, denominator: 26, threshold: 0.2 });
    await campaign.openHours();
    expect(await campaign.rules()).toContain("MAILBOXES_UNHEALTHY");
    await junked(8);
    expect(await health()).toMatchObject({ band: "BLOCKED", numerator: 14, denominator: 34, threshold: 0.4 });
    await until(async () => (await warmupStatus()) === "SUSPENDED", {
      ...DEADLINE,
      what: "the warmup to be suspended",
    });
    expect(await today()).toMatchObject({ sent: 34, inSpam: 14, rescued: 0 });
    const { items } = (await ann.rest.get("/deliverability/alerts")).body;
    expect(items).toContainEqual(
      expect.objectContaining({ type: "MAILBOX_BAND", status: "OPEN", subjectId: ann.mailboxId }),
    );
  },
  180_000,
);

withServers(
  "partners take it out of Junk with the keyword for that and file it, and each email that is taken out teaches the filter",
  async () => {
    const before = await here.provider.filter.learned();
    expect(await ofPartners("Junk")).toHaveLength(14);
    await readAll();
    expect(await ofPartners("Junk")).toEqual([]);
    const put = await ofPartners("Warmup");
    expect(put.filter(({ flags }) => flags.includes("$NotJunk"))).toHaveLength(14);
    expect(put.filter(({ flags }) => flags.includes("$Junk"))).toEqual([]);
    expect(await today()).toMatchObject({ inSpam: 14, rescued: 14 });
    // An email that the filter already takes for wanted teaches it nothing
    const taught = async () => (await here.provider.filter.learned()) - before;
    await until(async () => (await taught()) >= 5, { ...DEADLINE, what: "the filter to be taught" });
  },
  120_000,
);

withServers(
  "after its term the mailbox warms up alone, its mail comes to the inbox again, and it and its campaign come back by its steps",
  async () => {
    await letDaysPass(ann, 30);
    await here.judge();
    expect(await health()).toMatchObject({ band: "QUARANTINED", step: null });
    await until(async () => (await warmupStatus()) === "ACTIVE", { ...DEADLINE, what: "the warmup to go on" });
    await untilPlanned(ann, 20);
    await hold(here.mailboxes);
    expect(await seePlaces(await release(ann, 20))).toEqual(new Set(["INBOX"]));
    await here.judge();
    expect(await health()).toMatchObject({ band: "QUARANTINED", score: 100 });
    expect(await toEve()).toBe(0);

    await letDaysPass(ann, 7);
    await here.judge();
    expect(await health()).toMatchObject({ band: "THROTTLED", step: 25 });
    await until(async () => (await toEve()) === 1, { ...DEADLINE, what: "the mail of the campaign" });
    for (const [band, step] of [...[50, 75, 100].map((step) => ["THROTTLED", step]), ["HEALTHY", null]]) {
      await letDaysPass(ann, 2);
      await here.judge();
      expect(await health()).toMatchObject({ band, step });
    }
    const { body: changes } = await ann.rest.get(`/mailboxes/${ann.mailboxId}/health?days=90`);
    const bands = changes
      .map(({ to, step }: { to: string; step: number | null }) => (step === null ? to : `${to} ${step}`))
      .reverse();
    const back = ["THROTTLED 25", "THROTTLED 50", "THROTTLED 75", "THROTTLED 100", "HEALTHY"];
    expect(bands).toEqual(["THROTTLED 75", "QUARANTINED", "BLOCKED", "QUARANTINED", ...back]);
  },
  180_000,
);

/**
 * Ann's launched campaign to one person. Its hours begin in two days: nothing is booked for today, so that its mailbox
 * keeps warming up like one that sends no campaigns.
 */
async function campaignTo(email: string) {
  const { rest, mailboxId, workspaceId } = ann;
  const { body } = await rest.post("/campaigns", { name: "After the warmup" });
  const path = `/campaigns/${body.id}`;
  const settings = (windows: object[]) =>
    rest.patch(`${path}/settings`, {
      windows,
      timezone: "UTC",
      minGapSeconds: 0,
      maxGapSeconds: 0,
      mailboxIds: [mailboxId],
    });
  const inTwoDays = ((new Date().getUTCDay() + 1) % 7) + 1;
  await settings([{ days: [inTwoDays], from: "00:00", to: "24:00" }]);
  const steps = [
    { subject: "A question about your plant", body: "<p>Hello, how do you plan its maintenance?</p>", delay: NOW },
  ];
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: [email] });
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  const recipient = await scoped(workspaceId).Recipient.findOne({ email });
  return {
    openHours: () => settings(ALWAYS),
    async rules(): Promise<string[]> {
      const { body } = await rest.get(`${path}/recipients/${recipient?._id}/explain`);
      return body.rules.map(({ code }: { code: string }) => code);
    },
  };
}
