import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { systemSmtpOf } from "../../domain/mailboxes/system-smtp.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { SignUpRequest } from "../../models/sign-in/sign-up-request.ts";
import { User } from "../../models/sign-in/user.ts";
import { newId } from "../../mongo/ids.ts";
import { endWorkspaceSuspension, suspend } from "../../operations/abuse/suspend.ts";
import { firstWorkspace } from "../../operations/access/workspaces.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
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
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert, systemSmtp }),
    settings: { hasSystemMail: true, allowSignUp: true },
  });
}, 90_000);
afterAll(async () => {
  await world.close();
  await smtp.close();
}, 60_000);

test("an invite is emailed with its link, the person joins by that link, and no job shows the link", async () => {
  const owner = await signedIn(world);
  const { body } = await owner.rest.post("/invites/manage", {
    action: "create",
    email: "kim@people.test",
    role: "MEMBER",
  });
  expect(body.isMailed).toBe(true);
  const text = await mailTo("kim@people.test");
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
  expect(JSON.stringify([jobs, await scoped(owner.workspaceId).JobChunk.find({})])).not.toContain(
    new URL(link).pathname.split("/")[2],
  );
}, 120_000);

test("a client of an agency with a portal gets an invite in the agency's name, with a link to the portal", async () => {
  const agency = await signedIn(world);
  const portalDomain = { domain: "clients.agency.test", status: "VERIFIED", expectedCname: "localhost" };
  const portal = { name: "Acme Reach", accent: null, background: null };
  await Workspace.updateOne({ _id: agency.workspaceId }, { $set: { portal, portalDomain } });
  const { body: client } = await agency.rest.post("/workspaces", { name: "Zeta" });
  const asked = { action: "create", email: "zoe@zeta.test", role: "MEMBER" };
  const { body } = await agency.browser.console(client.id).post("/invites/manage", asked);
  const text = await mailTo("zoe@zeta.test");
  expect(text).toContain("You are invited to Zeta in Acme Reach.");
  expect(text).not.toContain("Outreach");
  expect(body.inviteUrl).toMatch(/^http:\/\/clients\.agency\.test:3000\/sign-in\//);
  expect(text).toContain(body.inviteUrl);
}, 120_000);

test("an invite of a suspended workspace is not emailed, while a sign-up link still is (rules/access 7.3)", async () => {
  const owner = await signedIn(world);
  await suspend(owner.workspaceId, "Many bounces");
  const email = "late@people.test";
  await owner.rest.post("/invites/manage", { action: "create", email, role: "MEMBER" });
  const { Job } = scoped(owner.workspaceId);
  const ended = { type: "SYSTEM_MAIL", status: "COMPLETED_WITH_ERRORS" } as const;
  await until(async () => (await Job.count(ended)) > 0, { deadlineMs: 60_000, what: "the end of the job" });
  const job = await Job.findOne(ended);
  expect([job?.succeeded, job?.failed, smtp.ledger.filter(({ to }) => to.includes(email)).length]).toEqual([0, 1, 0]);
  // The links of sign-ups are jobs of the first workspace, whatever its state
  const first = await firstWorkspace();
  await suspend(first ?? "", "A trial of the operator");
  await asks("fresh@people.test");
  expect(await mailTo("fresh@people.test")).toContain("/signup/");
  await endWorkspaceSuspension(first ?? "", undefined);
}, 120_000);

/** The text of the mail number `count` to an address, once it has arrived. */
async function mailTo(address: string, count = 1): Promise<string> {
  const mails = () => smtp.ledger.filter(({ to }) => to.includes(address));
  await until(() => mails().length >= count, { deadlineMs: 60_000, what: `mail ${count} to ${address}` });
  return (mails()[count - 1]?.raw ?? Buffer.alloc(0)).toString("utf8").replaceAll("=\r\n", "").replaceAll("=3D", "=");
}

let visitors = 0;

/** The page that a person gets who asks for an account, from an IP address of their own. */
async function asks(email: string): Promise<string> {
  const browser = newBrowser(world.baseUrl, { "X-Forwarded-For": `198.51.100.${++visitors}` });
  await browser.open("/signup?svc=abcdefghijklmn");
  await browser.submit({ email, workspace: "Kim & Co" });
  return browser.page.html.replaceAll(email, "<address>");
}

test("the link of a sign-up email makes an account, once, and the answers do not reveal whether an address has an account", async () => {
  const { email: known } = await signedIn(world);
  const answer = await asks("new@people.test");
  expect(answer).toContain("An email is on its way to");
  expect(await User.countDocuments({ email: "new@people.test" })).toBe(0);
  expect(await asks(known)).toBe(answer);
  expect(await mailTo(known)).toMatch(/You already have one: sign in at\s+http:\/\/localhost:3000\/login/);
  expect(await mailTo(known)).not.toContain("/signup/");

  const [path = ""] = /\/signup\/[\w-]+/.exec(await mailTo("new@people.test")) ?? [];
  const browsers = [newBrowser(world.baseUrl), newBrowser(world.baseUrl)];
  for (const browser of browsers) expect(await browser.open(path)).toContain("Create Kim &#38; Co");
  expect(await browsers[0]?.submit({ password: "short" })).toContain("Password must have at least 10 characters.");
  const pages = await Promise.all(browsers.map((browser) => browser.submit({ password: PASSWORD, name: "Kim" })));
  expect(pages.filter((html) => html.includes("Signed in") && html.includes("Kim &#38; Co: owner"))).toHaveLength(1);
  expect(await newBrowser(world.baseUrl).open(path)).toContain("This link was already used. Sign in.");
  const unknown = await newBrowser(world.baseUrl).open("/signup/nothing");
  for (const said of ["This link is not valid", 'href="/signup"', 'href="/login"']) expect(unknown).toContain(said);
  const made = await User.find({ email: "new@people.test" }).lean<User[]>();
  expect(made).toMatchObject([{ name: "Kim", isOperator: false }]);
  expect(await Workspace.countDocuments({ ownerId: made[0]?._id ?? "" })).toBe(1);
  const stored = JSON.stringify(await SignUpRequest.find({}).lean());
  expect(stored).toContain("abcdefghijklmn");
  expect(stored).not.toContain(path.split("/")[2]);
}, 120_000);

test("an address gets at most three emails an hour, and further requests get the same answer", async () => {
  const answers: string[] = [];
  for (let times = 0; times < 5; times++) answers.push(await asks("often@people.test"));
  expect(new Set(answers).size).toBe(1);
  await mailTo("often@people.test", 3);
  expect(await SignUpRequest.countDocuments({ email: "often@people.test" })).toBe(3);
}, 120_000);

test("a sign-up link makes no account once it has expired or its address has an account", async () => {
  for (const [email, spoil, said] of [
    [
      "late@people.test",
      () => SignUpRequest.updateMany({ email: "late@people.test" }, { $set: { expiresAt: new Date(Date.now() - 1) } }),
      /not valid or has expired/,
    ],
    [
      "meanwhile@people.test",
      () => User.insertMany([{ _id: newId("usr"), email: "meanwhile@people.test" }]),
      /already has an account/,
    ],
  ] as const) {
    await asks(email);
    const [path = ""] = /\/signup\/[\w-]+/.exec(await mailTo(email)) ?? [];
    const browser = newBrowser(world.baseUrl);
    await browser.open(path);
    await spoil();
    expect(await browser.submit({ password: PASSWORD })).toMatch(said);
    expect((await browser.console(null).get("/session")).status).toBe(401);
  }
  expect(await User.countDocuments({ email: "late@people.test" })).toBe(0);
}, 120_000);

test.each([
  [
    "smtps://u%40a.test:p@mail.test",
    null,
    { server: { host: "mail.test", port: 465, security: "SSL_TLS" }, from: "u@a.test" },
  ],
  [
    "smtp://user:p@mail.test:587",
    "no@a.test",
    { server: { host: "mail.test", port: 587, security: "STARTTLS" }, from: "no@a.test" },
  ],
  ["smtp://user:p@mail.test:587", null, null],
  ["smtps://mail.test", "no@a.test", null],
  ["https://u:p@mail.test", "no@a.test", null],
  ["smtps://u:p@mail.test/x?y", "no@a.test", null],
])("the SMTP address %s with the sender %s is read as %j", (url, from, expected) => {
  const read = systemSmtpOf(url, from);
  if (expected === null) expect(read).toBeNull();
  else expect(read).toMatchObject(expected);
});

test("a person who signed up before the service could send emails must confirm the address before anything is sent (rules/access 2.7)", async () => {
  const owner = await signedIn(world);
  const { path } = await readyCampaign(owner.rest, owner.workspaceId);
  await User.updateOne({ _id: owner.userId }, { $set: { isUnconfirmed: true } });
  const refused = { status: 403, body: { code: "ADDRESS_NOT_CONFIRMED" } };
  expect((await owner.rest.get("/session")).body.mustConfirmAddress).toBe(true);
  expect(await owner.rest.post(`${path}/control`, { action: "launch" })).toMatchObject(refused);
  expect(await owner.rest.post(`${path}/test-send`, { toEmail: "kim@people.test" })).toMatchObject(refused);
  const [mailbox] = await scoped(owner.workspaceId).Mailbox.find({});
  expect(await owner.rest.post("/warmup/manage", { action: "start", mailboxId: mailbox?._id })).toMatchObject(refused);
  // The address of an invite is anyone's
  const asked = { action: "create", email: "stranger@people.test", role: "MEMBER" };
  const { body: invite } = await owner.rest.post("/invites/manage", asked);
  const again = await owner.rest.post("/invites/manage", { action: "resend", inviteId: invite.id });
  expect([invite.isMailed, again.body.isMailed]).toEqual([false, false]);
  // The workspace can still be set up, and stopped
  expect((await owner.rest.post("/leads", { email: "lee@people.test" })).status).toBe(201);
  expect((await owner.rest.post("/workspace", { action: "pauseSending" })).status).toBeLessThan(300);

  expect(await owner.rest.post("/session/confirm-address", {})).toMatchObject({
    status: 200,
    body: { email: owner.email },
  });
  const mail = await mailTo(owner.email);
  const [link = ""] = /\/signup\/[\w-]+/.exec(mail) ?? [];
  expect(await owner.browser.open(link)).toContain("Confirm your address");
  // A scanner that only opens the link confirms nothing
  expect((await User.findOne({ _id: owner.userId }).lean<User>())?.isUnconfirmed).toBe(true);
  expect(await owner.browser.submit({})).toContain("Your address is confirmed");
  expect(await newBrowser(world.baseUrl).open(link)).toContain("This link was already used");
  expect((await owner.rest.get("/session")).body.mustConfirmAddress).toBe(false);
  expect(await owner.rest.post("/session/confirm-address", {})).toMatchObject({
    status: 409,
    body: { code: "INVALID_STATE_TRANSITION" },
  });
  expect((await owner.rest.post("/workspace", { action: "resumeSending" })).status).toBeLessThan(300);
  expect(await owner.rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ status: 200 });
}, 120_000);
