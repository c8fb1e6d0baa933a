import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { hold } from "../fakes/smtp-answers.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { documentsNaming, dumpDatabase } from "./database-dump.ts";

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

/** A launched campaign with one email to these people. */
async function launch(rest: Rest, emails: string[]): Promise<string> {
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
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  expect((await rest.post(`${path}/control`, { action: "launch" })).body).toMatchObject({ launched: true });
  return path;
}

test("no email to a person begins after the answer to their erasure, and the others of the campaign get theirs", async () => {
  const { rest } = await world.workspace();
  const others = ["one", "two", "three"].map((name) => `plain.${name}@firm.test`);
  const erased = ["four", "five", "six"].map((name) => `plain.${name}@firm.test`);
  const path = await launch(rest, [...others, ...erased]);
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

test("an erasure waits for an email that is being sent, and erases what its record writes", async () => {
  const { rest, workspaceId } = await world.workspace();
  const email = "plain.held@firm.test";
  const release = Promise.withResolvers<void>();
  sandbox.smtp.setRules(() => hold("DOT", release.promise));
  await launch(rest, [email]);
  const { DueCopy, Send } = scoped(workspaceId);
  const isSending = async () => (await Send.findOne({ to: email }))?.phase === "DATA";
  await until(isSending, { ...MAIL_DEADLINE, what: "the email to be in transmission" });
  const begun = await rest.post("/privacy/erase", { email });
  expect(begun).toMatchObject({ status: 202, body: { status: "RUNNING", finishedAt: null, erased: [] } });
  expect(await Send.findOne({ to: email })).toMatchObject({ state: "SENDING" });
  release.resolve();
  const job = await until(
    async () => {
      const { body } = await rest.get(`/jobs/${begun.body.id}`);
      return body.finishedAt === null ? null : body;
    },
    { ...MAIL_DEADLINE, what: "the erasure to end" },
  );
  expect([job.status, job.error]).toEqual(["COMPLETED", null]);
  expect(sandbox.ledger.filter(({ to }) => to.includes(email))).toHaveLength(1);
  expect(await Send.find({})).toMatchObject([{ state: "SENT", subject: null, content: null }]);
  expect(await DueCopy.count({})).toBe(0);
  // The dispatcher ends the rows of the outbox
  const namesNoOne = async () => documentsNaming(await dumpDatabase(), [email]).length === 0;
  await until(namesNoOne, { deadlineMs: 20_000, what: "no document to name the person" });
}, 120_000);
