import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { TOTP } from "otpauth";
import { cidIn } from "../../domain/access/sign-up.ts";
import { Membership } from "../../models/access/membership.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { User } from "../../models/sign-in/user.ts";
import { signUp } from "../../operations/sign-in/sign-up.ts";
import { newBrowser } from "../support/person.ts";
import { PASSWORD, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { trackedCampaign } from "../tracking/tracked.ts";

let world: World;
let visitors = 0;
beforeAll(async () => {
  world = await startWorld({ apart: true, settings: { allowSignUp: true, trustProxy: 1 } });
});
afterAll(() => world.close());

/** Someone new, from an address of their own unless another is given. */
const visitor = (ip = `198.51.100.${++visitors}`) => newBrowser(world.baseUrl, { "X-Forwarded-For": ip });

async function joins(fields: Record<string, string>, browser = visitor()) {
  await browser.open("/signup");
  await browser.submit({ password: PASSWORD, workspace: "Acme", ...fields });
  return browser;
}

const counts = async () => [
  await User.countDocuments({}),
  await Workspace.countDocuments({}),
  await Membership.countDocuments({}),
];

test("no one can sign up before an operator exists, so that no stranger becomes the operator", async () => {
  const browser = await joins({ email: "first@people.test" });
  expect([browser.page.status, browser.page.html]).toEqual([503, expect.stringContaining("No one can sign up yet")]);
  expect(await counts()).toEqual([0, 0, 0]);
  await world.workspace(); // an owner without a password
  expect((await joins({ email: "first@people.test" })).page.status).toBe(503);
  await signedIn(world);
});

test("a sign-up creates a person and a workspace that the person owns, and signs in; the sign-in page links to the form", async () => {
  expect(await visitor().open("/login")).toContain('href="signup"');
  const browser = await joins({ email: " Kim@People.test ", name: "Kim", workspace: " Kim's  <b> " });
  expect(browser.page.html).toContain("Signed in");
  expect(browser.page.html).toContain("Kim&#39;s  &#60;b&#62;: owner");
  const { userId, workspaces } = (await browser.console(null).get("/session")).body;
  expect(workspaces).toMatchObject([{ name: "Kim's  <b>", role: "OWNER" }]);
  const rest = browser.console(workspaces[0].id);
  expect((await rest.get("/campaigns")).body.total).toBe(0);
  expect(await User.findOne({ _id: userId }).lean()).toMatchObject({
    email: "kim@people.test",
    name: "Kim",
    isOperator: false,
  });
  const { body } = await rest.get("/audit-log?pageSize=5");
  expect(JSON.stringify(body)).toContain("account.signUp");
});

test.each<[string, Record<string, string>, string]>([
  ["no address", { email: "" }, "Email must be an e-mail address."],
  ["an address without a domain", { email: "owner@localhost" }, "Email must be an e-mail address."],
  ["a short password", { password: "short" }, "Password must have at least 10 characters."],
  ["the address as password", { password: "clumsy@people.test" }, "Password must not be the e-mail address."],
  ["a password of one letter", { password: "a".repeat(20) }, "Password must have at least 4 different characters."],
  ["a blank workspace", { workspace: "  " }, "Workspace must have 1 to 200 characters in one line."],
  ["a workspace of two lines", { workspace: "a\nb" }, "Workspace must have 1 to 200 characters in one line."],
  ["a workspace without end", { workspace: "w".repeat(201) }, "Workspace must have 1 to 200 characters in one line."],
])(
  "a sign-up with %s creates nothing and says why, and the form keeps all input except the password",
  async (_what, wrong, said) => {
    const before = await counts();
    const browser = await joins({ email: "clumsy@people.test", workspace: "Mine", ...wrong });
    expect([browser.page.status, browser.page.html]).toEqual([400, expect.stringContaining(said)]);
    expect(browser.page.html).not.toContain(`value="${wrong["password"] ?? PASSWORD}"><`);
    if (wrong["email"] === undefined) expect(browser.page.html).toContain('value="clumsy@people.test"');
    expect(await counts()).toEqual(before);
  },
);

test("a sign-up with the address of an account works as a sign-in with its second factor, and creates no workspace", async () => {
  const { email, rest } = await signedIn(world);
  const before = await counts();
  const wrong = await joins({ email, password: "wrong horse battery" });
  expect([wrong.page.status, wrong.page.html]).toEqual([422, expect.stringContaining("or the password is wrong")]);
  expect((await wrong.console(null).get("/session")).status).toBe(401);
  expect((await joins({ email })).page.html).toContain("Signed in");
  const { secret } = (await rest.post("/second-factor", { action: "offerTotp" })).body;
  const code = new TOTP({ secret }).generate();
  expect((await rest.post("/second-factor", { action: "confirmTotp", code })).status).toBe(200);
  const asked = await joins({ email });
  expect(asked.page.url).toContain("/login/second-factor");
  expect((await asked.console(null).get("/session")).status).toBe(401);
  expect(await counts()).toEqual(before);
});

test("when several sign-ups use one address at once, one account is created", async () => {
  const before = await counts();
  const [users = 0, workspaces = 0, memberships = 0] = before;
  const browsers = await Promise.all(
    Array.from({ length: 4 }, (_, number) => joins({ email: "crowd@people.test", password: `${PASSWORD} ${number}` })),
  );
  expect(browsers.filter(({ page }) => page.html.includes("Signed in"))).toHaveLength(1);
  expect(await counts()).toEqual([users + 1, workspaces + 1, memberships + 1]);
});

test("an address gets ten sign-up tries a minute, and successful ones count too", async () => {
  const statuses: number[] = [];
  const tries = [...Array.from({ length: 9 }, () => " "), "Mine", " ", "Mine"];
  for (const [number, workspace] of tries.entries())
    statuses.push(
      (await joins({ email: `flood${number}@people.test`, workspace }, visitor("203.0.113.200"))).page.status,
    );
  expect(statuses).toEqual([...Array.from({ length: 9 }, () => 400), 200, 429, 429]);
});

test("a sign-up form that another site posts creates nothing", async () => {
  const before = await counts();
  const browser = visitor();
  await browser.open("/signup");
  browser.page.html = browser.page.html.replace(/name="form" value="[^"]*"/, 'name="form" value="guessed"');
  expect(await browser.submit({ email: "forged@people.test", password: PASSWORD, workspace: "Mine" })).toContain(
    "not sent from its own page",
  );
  expect(await counts()).toEqual(before);
});

test("when a step of the sign-up's transaction fails, no account is created", async () => {
  const before = await counts();
  const account = { email: "whole@people.test", name: null, workspaceName: "Mine", password: PASSWORD, svc: null };
  const failing = signUp(account, async () => {
    throw new Error("away");
  });
  await expect(failing).rejects.toThrow("away");
  expect(await counts()).toEqual(before);
});

test("the sign-up page passes a valid svc on with its form, and does not show an invalid svc", async () => {
  const svc = "abcdefghijklm1";
  expect(await visitor().open(`/signup?svc=${svc}`)).toContain(`<input type="hidden" name="svc" value="${svc}">`);
  expect(await visitor().open(`/signup?svc=${encodeURIComponent('"><script>')}`)).not.toContain("<script>");
  const seen: unknown[] = [];
  const account = { email: "counted@people.test", name: null, workspaceName: "Mine", password: PASSWORD, svc };
  await signUp(account, async (made) => {
    seen.push(made);
  });
  expect(seen).toEqual([
    {
      userId: expect.stringMatching(/^usr_/),
      email: "counted@people.test",
      workspaceId: expect.stringMatching(/^wsp_/),
      cid: svc,
    },
  ]);
});

test("a sign-up counts once as a conversion of the recipient whose email led to the page, and an unknown recipient does not prevent a sign-up", async () => {
  const { workspaceId, recipients } = await trackedCampaign(world, { people: 2 });
  const { Conversion, Recipient } = scoped(workspaceId);
  await Recipient.updateMany({ workspaceId }, { $set: { lastSentAt: new Date() } });
  const [own = null, other = null] = recipients;
  const follow = async (cid: string, email: string, fields: Record<string, string> = {}) => {
    const browser = visitor();
    await browser.open(`/signup?svc=${cid}`);
    await browser.submit({ email, password: PASSWORD, workspace: "Mine", ...fields });
    return (await browser.console(null).get("/session")).body.userId;
  };
  expect(await follow(own?.cid ?? "", "reader0@reader.test", { password: "short" })).toBeUndefined();
  expect(await Conversion.count({})).toBe(0);
  const userId = await follow(own?.cid ?? "", "reader0@reader.test");
  const another = await follow(other?.cid ?? "", "colleague@reader.test");
  expect(await Conversion.find({}, { sort: { _id: 1 } })).toMatchObject([
    {
      status: "accepted",
      type: "SIGNUP",
      channel: "AUTO",
      eventId: `signup_${userId}`,
      recipientId: own?._id,
      emailMatch: true,
    },
    { status: "accepted", channel: "AUTO", eventId: `signup_${another}`, recipientId: other?._id, emailMatch: false },
  ]);
  // A person with an account signs in, which counts for no one, and an unknown recipient keeps no one out
  expect(await follow(own?.cid ?? "", "reader0@reader.test")).toBe(userId);
  expect(await follow("nobody00000000", "stranger@reader.test")).toMatch(/^usr_/);
  expect(await Conversion.count({})).toBe(2);
});

test.each([
  ["abcdefghijklm1", "abcdefghijklm1"],
  ["abcdefghijklm", null],
  ["abcdefghijklm1x", null],
  ["abcdefghijkl-1", null],
  ["abcdefghijklm1\n", null],
  [null, null],
])("svc=%j is read as the recipient %j", (svc, expected) => {
  expect(cidIn(svc)).toBe(expected);
});
