import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { leadProviders } from "../activities/lead-providers.ts";
import { type MailProviders, NO_PROVIDERS } from "../domain/mail-provider.ts";
import { createRecords } from "../egress/records.ts";
import { MailDomain } from "../models/mail-domain.ts";
import { scoped } from "../models/scoped.ts";
import { mail } from "./campaign-parts.ts";
import { type FakeDns, startDns } from "./fakes/dns.ts";
import { until } from "./fakes/wait.ts";
import { campaignOf } from "./round-parts.ts";
import { type SendingWorld, startSendingWorld } from "./sending-world.ts";

const PROVIDERS: MailProviders = { A: { ...NO_PROVIDERS.A, mx: ["a-mail.test"] }, B: { ...NO_PROVIDERS.B, mx: ["b-mail.test"] } };
const DEADLINE_MS = 40_000;

let dns: FakeDns;
let sending: SendingWorld;
beforeAll(async () => {
  dns = await startDns({
    "alpha.test": { MX: ["20 backup.own.test", "10 MX1.A-mail.test"] },
    "beta.test": { MX: ["5 beta-test.in.b-mail.test"] },
    "own.test": { MX: ["1 mx.own.test"] },
    "alone.test": { A: ["192.0.2.1"] },
    "liar.test": { MX: ["1 a-mail.test.liar.test"] },
    "null.test": { MX: ["0 ."] },
    "fails.test": "servfail",
    "hush.test": "silence",
  });
  sending = await startSendingWorld({ dnsServers: [dns.server], providers: PROVIDERS });
  const { Mailbox } = scoped(sending.workspaceId);
  await Mailbox.updateOne({ email: "ann@a.test" }, { $set: { provider: "PROVIDERA" } });
  await Mailbox.updateOne({ email: "bob@b.test" }, { $set: { provider: "PROVIDERB" } });
}, 60_000);
afterAll(async () => {
  await sending.close();
  await dns.close();
});

const askedFor = (domain: string) => dns.questions.filter((question) => question === `MX ${domain}`).length;
const providersOf = async (workspaceId = sending.workspaceId) =>
  Object.fromEntries((await scoped(workspaceId).Lead.find()).map(({ email, emailProvider }) => [email, emailProvider]));

test("under STRICT each gets mail from their own provider, strangers wait, and those nobody can tell of hold nothing up", async () => {
  const own = ["ada@alpha.test", "abe@alpha.test", "bea@beta.test"];
  const strangers = ["x@own.test", "y@alone.test", "z@liar.test"];
  const untold = ["f@fails.test", "h@hush.test", "n@null.test", "g@gone.test"];
  const path = await sending.campaign([...own, ...strangers, ...untold], [mail("s1", "Hello")], {
    settings: { providerMatching: "STRICT" },
    mode: "DEFAULT",
  });
  const { rest, mailsTo, sandbox, workspaceId } = sending;
  const explain = async (email: string) => {
    const recipient = await scoped(workspaceId).Recipient.findOne({ email });
    const { body } = await rest.get(`${path}/recipients/${recipient?._id}/explain`);
    return body.rules.map(({ code }: { code: string }) => code);
  };
  await sending.launch(path);
  const written = [...own, ...untold];
  await until(() => written.every((email) => mailsTo(email).length === 1), { deadlineMs: DEADLINE_MS, what: "all that may go out" });
  expect(own.map((email) => mailsTo(email)[0]?.from)).toEqual(["ann@a.test", "ann@a.test", "bob@b.test"]);
  expect(await providersOf()).toEqual({
    ...Object.fromEntries(untold.map((email) => [email, "UNKNOWN"])),
    ...Object.fromEntries(strangers.map((email) => [email, "OTHER"])),
    ...{ "ada@alpha.test": "PROVIDERA", "abe@alpha.test": "PROVIDERA", "bea@beta.test": "PROVIDERB" },
  });
  expect(askedFor("alpha.test")).toBe(1);

  // The rest waits, and says so
  const status = async () => (await rest.get(path)).body.sendingStatus.code;
  await until(async () => (await status()) === "WAITING_FOR_PROVIDER_MATCH", { deadlineMs: DEADLINE_MS, what: "the status to tell" });
  expect(await explain("x@own.test")).toContain("WAITING_FOR_PROVIDER_MATCH");
  expect(sandbox.ledger.filter(({ to }) => to.some((address) => strangers.includes(address)))).toEqual([]);

  // What was found can be filtered by
  const filterRules = { emailProvider: "PROVIDERA" };
  const { body: found } = await rest.post("/lead-lists/preview", { filterRules });
  expect(found).toMatchObject({ count: 2 });

  await rest.patch(`${path}/settings`, { providerMatching: "PREFER" });
  await sending.ended(path);
  expect(strangers.map((email) => mailsTo(email).length)).toEqual([1, 1, 1]);
}, 120_000);

test("a lead that moves to another address is at nobody that is known, until it is asked again", async () => {
  const { rest, workspaceId } = sending;
  const lead = await scoped(workspaceId).Lead.findOne({ email: "bea@beta.test" });
  expect(lead?.emailProvider).toBe("PROVIDERB");
  const { body } = await rest.post("/leads/manage", { action: "update", leadId: lead?._id, patch: { email: "bea@elsewhere.test" } });
  expect(body).toMatchObject({ email: "bea@elsewhere.test", emailProvider: "UNKNOWN" });
});

/** Rounds of a campaign of one's own that ask the same name server. */
async function roundsOf(emails: string[], providers = PROVIDERS, providerMatching = "PREFER") {
  const rounds = leadProviders({ egress: createRecords([dns.server]), providers, log: pino({ level: "silent" }) });
  const leads = Object.fromEntries(emails.map((email) => [email, {}]));
  return campaignOf(sending.world, leads, { providerMatching }, [{ provider: "PROVIDERA" }], rounds);
}

test("an answer is kept for others, and what nobody answered is asked again later", async () => {
  dns.zone["late.test"] = "servfail";
  const first = await roundsOf(["one@late.test"]);
  expect(await first.round()).toMatchObject({ count: 1 });
  expect(await providersOf(first.workspaceId)).toEqual({ "one@late.test": "UNKNOWN" });
  const asked = askedFor("late.test");
  expect(asked).toBeGreaterThan(0);

  dns.zone["late.test"] = { MX: ["1 mx.a-mail.test"] };
  const second = await roundsOf(["two@late.test"]);
  expect(await second.round()).toMatchObject({ count: 1 });
  expect([await providersOf(second.workspaceId), askedFor("late.test")]).toEqual([{ "two@late.test": "UNKNOWN" }, asked]);

  // An hour later
  await MailDomain.updateOne({ _id: "late.test" }, { $set: { staleAt: new Date() } });
  const third = await roundsOf(["three@late.test"]);
  await third.round();
  expect([await providersOf(third.workspaceId), askedFor("late.test")]).toEqual([{ "three@late.test": "PROVIDERA" }, asked + 1]);
  const fourth = await roundsOf(["four@late.test"]);
  await fourth.round();
  expect([await providersOf(fourth.workspaceId), askedFor("late.test")]).toEqual([{ "four@late.test": "PROVIDERA" }, asked + 1]);

  // The name server fails once more: what was found stays
  dns.zone["late.test"] = "servfail";
  await MailDomain.updateOne({ _id: "late.test" }, { $set: { staleAt: new Date() } });
  await scoped(fourth.workspaceId).Recipient.updateMany({}, { $set: { admittedAt: null } });
  await fourth.round();
  expect(askedFor("late.test")).toBeGreaterThan(asked + 1);
  expect(await providersOf(fourth.workspaceId)).toEqual({ "four@late.test": "PROVIDERA" });
});

test.each<[string, MailProviders, string]>([
  ["no provider's hosts are configured", NO_PROVIDERS, "STRICT"],
  ["the campaign does not match", PROVIDERS, "OFF"],
])("where %s nobody is asked, and everybody is admitted", async (_, providers, providerMatching) => {
  const { round, workspaceId } = await roundsOf(["one@quiet.test"], providers, providerMatching);
  expect(await round()).toMatchObject({ count: 1, isDrained: true });
  expect([await providersOf(workspaceId), askedFor("quiet.test")]).toEqual([{ "one@quiet.test": "UNKNOWN" }, 0]);
});

test("who waits for admission is told that their provider is still to be asked for", async () => {
  const { rest, path, workspaceId } = await roundsOf(["one@quiet.test"]);
  const recipient = await scoped(workspaceId).Recipient.findOne({ email: "one@quiet.test" });
  const { body } = await rest.get(`${path}/recipients/${recipient?._id}/explain`);
  expect(body.rules).toContainEqual(expect.objectContaining({ code: "PROVIDER_UNKNOWN", values: { domain: "quiet.test" } }));
});
