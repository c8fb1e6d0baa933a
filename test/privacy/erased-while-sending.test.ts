import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

const EMAIL = "ann@a.test";
const GAP = { minGapSeconds: 1, maxGapSeconds: 1, perMailboxDailyLimit: 0 };

let world: World;
let sandbox: Sandbox;
beforeAll(async () => {
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: [EMAIL], certificate, reactionMs: { min: 20, max: 60 } });
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
  });
}, 90_000);
afterAll(async () => {
  await world.close();
  await sandbox.close();
}, 30_000);

test("no email to a person begins after the answer to their erasure, and the others of the campaign get theirs", async () => {
  const { rest } = await world.workspace();
  const credentials = {
    email: EMAIL,
    password: sandbox.password,
    security: "SSL_TLS",
    smtpHost: "localhost",
    smtpPort: sandbox.smtpPort,
    imapHost: "localhost",
    imapPort: sandbox.imapPortOf(EMAIL),
  };
  const { body: mailbox } = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
  const path = `/campaigns/${(await rest.post("/campaigns", { name: "Spring" })).body.id}`;
  await rest.patch(`${path}/settings`, { windows: ALWAYS, ...GAP, mailboxIds: [mailbox.id] });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [mail("stp_one", "Spring")] });
  const others = ["one", "two", "three"].map((name) => `plain.${name}@firm.test`);
  const erased = ["four", "five", "six"].map((name) => `plain.${name}@firm.test`);
  await rest.post(`${path}/recipients`, { action: "addManual", emails: [...others, ...erased] });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body).toMatchObject({ launched: true });
  const sentTo = (people: readonly string[]) =>
    sandbox.ledger.filter(({ to }) => to.some((one) => people.includes(one)));
  const atAnswer: number[] = [];
  for (const email of erased) {
    expect((await rest.post("/privacy/erase", { email })).status).toBe(202);
    atAnswer.push(sentTo([email]).length);
  }
  const isOver = async () => (await rest.get(path)).body.status === "COMPLETED";
  await until(isOver, { ...MAIL_DEADLINE, what: "the campaign" });
  expect(sentTo(others)).toHaveLength(3);
  expect(erased.map((email) => sentTo([email]).length)).toEqual(atAnswer);
  // With a second between emails, most of the erased people were still waiting
  expect(sentTo(erased).length).toBeLessThan(3);
  const { body } = await rest.get(`${path}/recipients?pageSize=200`);
  expect(body.items.filter(({ email }: { email: string }) => erased.includes(email))).toEqual([]);
}, 120_000);
