import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { freePort } from "../../embedded/ports.ts";
import { scoped } from "../../models/scoped.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

const EMAIL = "ann@a.test";

let world: World;
let sandbox: Sandbox;
let dns: FakeDns;
/** Places where no server answers, and places that may not be reached: a user who names one cannot tell which it is. */
let places: { host: string; port: number }[];

beforeAll(async () => {
  const certificate = await makeCertificate();
  dns = await startDns({ "inner.places.test": { A: ["10.0.0.5"], AAAA: ["fd00::5"] } });
  sandbox = await startSandbox({ mailboxes: [EMAIL], certificate });
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert, dnsServers: [dns.server] }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
  });
  places = [
    { host: "inner.places.test", port: 465 },
    { host: "unknown.places.test", port: 465 },
    { host: "localhost", port: await freePort() },
  ];
}, 90_000);
afterAll(async () => {
  await world.close();
  await Promise.all([sandbox.close(), dns.close()]);
}, 30_000);

/** The part of its mailbox that a workspace sees once an email has tried to reach that server. */
async function readOf(smtp: { host: string; port: number }) {
  const { rest, workspaceId } = await world.workspace();
  const mailboxId = await mailboxIn(world, workspaceId, EMAIL, sandbox);
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { smtp: { ...smtp, security: "SSL_TLS" } } });
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "c" })).body.id}`;
  await rest.patch(`${path}/settings`, { mailboxIds: [mailboxId], windows: ALWAYS });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [mail("stp_one", "Hello")] });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: ["bob@people.test"] });
  await rest.post(`${path}/control`, { action: "launch" });
  const read = async () => (await rest.get(`/mailboxes/${mailboxId}`)).body;
  const failing = await until(async () => ((await read()).lastError === null ? null : read()), {
    ...MAIL_DEADLINE,
    what: "the failure",
  });
  const { code, message } = failing.lastError;
  return { code, message, statusReason: failing.statusReason, issues: failing.health.issues };
}

test("a mailbox reports the same error for a blocked address, an unknown host name and a closed port", async () => {
  const [blocked, ...others] = await Promise.all(places.map(readOf));
  expect(blocked).toMatchObject({ code: "CONNECT_FAILED", issues: expect.arrayContaining(["CONNECT_FAILED"]) });
  for (const other of others) expect(other).toEqual(blocked);
}, 120_000);

test("a connection test returns the same error for a blocked address, an unknown host name and a closed port, and takes at least 300 ms", async () => {
  const { rest } = await world.workspace();
  const [blocked, ...others] = await Promise.all(
    places.map(async ({ host, port }) => {
      const began = performance.now();
      const servers = { smtpHost: host, smtpPort: port, imapHost: host, imapPort: port };
      const { status, body } = await rest.post("/mailboxes/connect", {
        action: "smtpTest",
        credentials: { email: EMAIL, password: "x", security: "SSL_TLS", ...servers },
      });
      expect(performance.now() - began).toBeGreaterThanOrEqual(300);
      return { status, body };
    }),
  );
  expect(blocked).toMatchObject({ status: 200, body: { ok: false, smtp: { error: { code: "CONNECT_FAILED" } } } });
  for (const other of others) expect(other).toEqual(blocked);
}, 60_000);
