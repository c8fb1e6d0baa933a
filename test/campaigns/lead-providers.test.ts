import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type MailProviders, NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { until } from "../fakes/wait.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";
import { mail } from "./campaign-parts.ts";

const PROVIDERS: MailProviders = {
  A: { ...NO_PROVIDERS.A, mx: ["a-mail.test"] },
  B: { ...NO_PROVIDERS.B, mx: ["b-mail.test"] },
};
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

test("under STRICT a lead gets email only from a mailbox of the lead's provider; leads of other providers wait, leads of unknown provider do not", async () => {
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
  await until(() => written.every((email) => mailsTo(email).length === 1), {
    deadlineMs: DEADLINE_MS,
    what: "all that may go out",
  });
  expect(own.map((email) => mailsTo(email)[0]?.from)).toEqual(["ann@a.test", "ann@a.test", "bob@b.test"]);
  expect(await providersOf()).toEqual({
    ...Object.fromEntries(untold.map((email) => [email, "UNKNOWN"])),
    ...Object.fromEntries(strangers.map((email) => [email, "OTHER"])),
    "ada@alpha.test": "PROVIDERA",
    "abe@alpha.test": "PROVIDERA",
    "bea@beta.test": "PROVIDERB",
  });
  expect(askedFor("alpha.test")).toBe(1);

  // The other recipients wait, and "explain" says so
  const status = async () => (await rest.get(path)).body.sendingStatus.code;
  await until(async () => (await status()) === "WAITING_FOR_PROVIDER_MATCH", {
    deadlineMs: DEADLINE_MS,
    what: "the status to tell",
  });
  expect(await explain("x@own.test")).toContain("WAITING_FOR_PROVIDER_MATCH");
  expect(sandbox.ledger.filter(({ to }) => to.some((address) => strangers.includes(address)))).toEqual([]);

  // The leads can be filtered by the providers found
  const filterRules = { emailProvider: "PROVIDERA" };
  const { body: found } = await rest.post("/lead-lists/preview", { filterRules });
  expect(found).toMatchObject({ count: 2 });

  await rest.patch(`${path}/settings`, { providerMatching: "PREFER" });
  await sending.ended(path);
  expect(strangers.map((email) => mailsTo(email).length)).toEqual([1, 1, 1]);
}, 120_000);

test("a lead with a new address has no known provider until the new domain has been looked up", async () => {
  const { rest, workspaceId } = sending;
  const lead = await scoped(workspaceId).Lead.findOne({ email: "bea@beta.test" });
  expect(lead?.emailProvider).toBe("PROVIDERB");
  const { body } = await rest.post("/leads/manage", {
    action: "update",
    leadId: lead?._id,
    patch: { email: "bea@elsewhere.test" },
  });
  expect(body).toMatchObject({ email: "bea@elsewhere.test", emailProvider: "UNKNOWN" });
});
