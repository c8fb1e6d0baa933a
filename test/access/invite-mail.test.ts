import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { systemSmtpOf } from "../../domain/mailboxes/system-smtp.ts";
import { scoped } from "../../models/scoped.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeSmtp, startSmtp } from "../fakes/smtp.ts";
import { until } from "../fakes/wait.ts";
import { newBrowser } from "../support/person.ts";
import { realWorker } from "../support/real-worker.ts";
import { PASSWORD, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let smtp: FakeSmtp;
beforeAll(async () => {
  const certificate = await makeCertificate();
  smtp = await startSmtp({ certificate, accounts: { "noreply@out.test": "p@ss word" }, secure: true });
  const url = `smtps://noreply%40out.test:p%40ss%20word@localhost:${smtp.port}`;
  const systemSmtp = systemSmtpOf(url, null);
  world = await startWorld({ worker: realWorker({ extraCa: certificate.cert, systemSmtp }), settings: { hasSystemMail: true } });
}, 90_000);
afterAll(async () => {
  await world.close();
  await smtp.close();
}, 60_000);

test("an invite is mailed with its link, by which the person joins, and no job shows the link", async () => {
  const owner = await signedIn(world);
  const { body } = await owner.rest.post("/invites/manage", { action: "create", email: "kim@people.test", role: "MEMBER" });
  expect(body.isMailed).toBe(true);
  const sent = () => smtp.ledger.find(({ to }) => to.includes("kim@people.test")) ?? null;
  const mail = await until(sent, { deadlineMs: 60_000, what: "the invite" });
  const text = (mail?.raw ?? Buffer.alloc(0)).toString("utf8").replaceAll("=\r\n", "").replaceAll("=3D", "=");
  expect(text).toContain("From: noreply@out.test");
  expect(text).toContain("Invitation to Acme");
  const [link = ""] = /http:\/\/localhost:3000\/sign-in\/[\w-]+/.exec(text) ?? [];
  expect(link).toBe(body.inviteUrl);
  const visitor = newBrowser(world.baseUrl);
  await visitor.open(new URL(link).pathname);
  expect(await visitor.submit({ password: PASSWORD })).toContain("Acme: member");
  const jobs = await until(
    async () => {
      const found = await scoped(owner.workspaceId).Job.find({ status: "COMPLETED" });
      return found.length > 0 && found;
    },
    { deadlineMs: 60_000, what: "the end of the job" },
  );
  expect(JSON.stringify([jobs, await scoped(owner.workspaceId).JobChunk.find({})])).not.toContain(new URL(link).pathname.split("/")[2]);
}, 120_000);

test.each([
  ["smtps://u%40a.test:p@mail.test", null, { server: { host: "mail.test", port: 465, security: "SSL_TLS" }, from: "u@a.test" }],
  ["smtp://user:p@mail.test:587", "no@a.test", { server: { host: "mail.test", port: 587, security: "STARTTLS" }, from: "no@a.test" }],
  ["smtp://user:p@mail.test:587", null, null],
  ["smtps://mail.test", "no@a.test", null],
  ["https://u:p@mail.test", "no@a.test", null],
  ["smtps://u:p@mail.test/x?y", "no@a.test", null],
])("%s from %s is read as %j", (url, from, expected) => {
  const read = systemSmtpOf(url, from);
  if (expected === null) expect(read).toBeNull();
  else expect(read).toMatchObject(expected);
});
