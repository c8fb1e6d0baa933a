import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { pino } from "pino";
import { leadProviders } from "../../activities/campaigns/lead-providers.ts";
import { createRecords } from "../../connectors/net/records.ts";
import { type MailProviders, NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { MailDomain } from "../../models/deliverability/mail-domain.ts";
import { scoped } from "../../models/scoped.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { startWorld, type World } from "../support/world.ts";
import { campaignOf } from "./round-parts.ts";

const PROVIDERS: MailProviders = {
  A: { ...NO_PROVIDERS.A, mx: ["a-mail.test"] },
  B: { ...NO_PROVIDERS.B, mx: ["b-mail.test"] },
};

let dns: FakeDns;
let world: World;
beforeAll(async () => {
  dns = await startDns({});
  // No worker acts on what is started here: each round is made by the test itself
  world = await startWorld({ temporal: true, settings: { providers: PROVIDERS } });
}, 60_000);
afterAll(async () => {
  await world.close();
  await dns.close();
});

const askedFor = (domain: string) => dns.questions.filter((question) => question === `MX ${domain}`).length;
const providersOf = async (workspaceId: string) =>
  Object.fromEntries((await scoped(workspaceId).Lead.find()).map(({ email, emailProvider }) => [email, emailProvider]));

/** Rounds of a new campaign, all of which ask the same name server. */
async function roundsOf(emails: string[], providers = PROVIDERS, providerMatching = "PREFER") {
  const rounds = leadProviders({ egress: createRecords([dns.server]), providers, log: pino({ level: "silent" }) });
  const leads = Object.fromEntries(emails.map((email) => [email, {}]));
  return campaignOf(world, leads, { providerMatching }, [{ provider: "PROVIDERA" }], rounds);
}

test("a domain's provider is stored for other leads, and a domain whose name server failed is looked up again later", async () => {
  dns.zone["late.test"] = "servfail";
  const first = await roundsOf(["one@late.test"]);
  expect(await first.round()).toMatchObject({ count: 1 });
  expect(await providersOf(first.workspaceId)).toEqual({ "one@late.test": "UNKNOWN" });
  const asked = askedFor("late.test");
  expect(asked).toBeGreaterThan(0);

  dns.zone["late.test"] = { MX: ["1 mx.a-mail.test"] };
  const second = await roundsOf(["two@late.test"]);
  expect(await second.round()).toMatchObject({ count: 1 });
  expect([await providersOf(second.workspaceId), askedFor("late.test")]).toEqual([
    { "two@late.test": "UNKNOWN" },
    asked,
  ]);

  // An hour later
  await MailDomain.updateOne({ _id: "late.test" }, { $set: { staleAt: new Date() } });
  const third = await roundsOf(["three@late.test"]);
  await third.round();
  expect([await providersOf(third.workspaceId), askedFor("late.test")]).toEqual([
    { "three@late.test": "PROVIDERA" },
    asked + 1,
  ]);
  const fourth = await roundsOf(["four@late.test"]);
  await fourth.round();
  expect([await providersOf(fourth.workspaceId), askedFor("late.test")]).toEqual([
    { "four@late.test": "PROVIDERA" },
    asked + 1,
  ]);

  // The name server fails once more: the provider that was found stays
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
])("when %s no name server is asked, and every recipient is admitted", async (_, providers, providerMatching) => {
  const { round, workspaceId } = await roundsOf(["one@quiet.test"], providers, providerMatching);
  expect(await round()).toMatchObject({ count: 1, isDrained: true });
  expect([await providersOf(workspaceId), askedFor("quiet.test")]).toEqual([{ "one@quiet.test": "UNKNOWN" }, 0]);
});

test("a lead that moves to another domain during a look-up does not get the old domain's provider", async () => {
  dns.zone["old.test"] = { MX: ["1 mx.a-mail.test"] };
  const { rest, workspaceId } = await world.workspace();
  const { body: lead } = await rest.post("/leads", { email: "one@old.test" });
  const seen = await scoped(workspaceId).Lead.find();
  await rest.post("/leads/manage", { action: "update", leadId: lead.id, patch: { email: "one@new.test" } });
  const find = leadProviders({
    egress: createRecords([dns.server]),
    providers: PROVIDERS,
    log: pino({ level: "silent" }),
  })();
  await find(workspaceId, seen);
  expect(askedFor("old.test")).toBe(1);
  expect(await providersOf(workspaceId)).toEqual({ "one@new.test": "UNKNOWN" });
});

test("the status of a recipient that has not entered the campaign yet names its domain as one without a known provider", async () => {
  const { rest, path, workspaceId } = await roundsOf(["one@quiet.test"]);
  const recipient = await scoped(workspaceId).Recipient.findOne({ email: "one@quiet.test" });
  const { body } = await rest.get(`${path}/recipients/${recipient?._id}/explain`);
  expect(body.rules).toContainEqual(
    expect.objectContaining({ code: "PROVIDER_UNKNOWN", values: { domain: "quiet.test" } }),
  );
});
