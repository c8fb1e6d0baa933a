import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Session } from "../../models/sign-in/session.ts";
import { SignInLink } from "../../models/sign-in/sign-in-link.ts";
import { User } from "../../models/sign-in/user.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { newBrowser, type PersonBrowser } from "../support/person.ts";
import { codeAt, withTotp } from "../support/second-factor.ts";
import { PASSWORD, quicklySignedIn, signedIn as signIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ settings: { trustProxy: 1 } });
});
afterAll(() => world.close());

const signedIn = () => signIn(world);

async function login(browser: PersonBrowser, email: string, password: string): Promise<number> {
  await browser.open("/login");
  await browser.submit({ email, password });
  return browser.page.status;
}

test("a sign-in link sets a password and works once, and opening the link does not use it up", async () => {
  const { ownerId, workspaceId } = await world.workspace();
  const token = await createPersonLink(ownerId, new Date());
  const browser = newBrowser(world.baseUrl);
  for (let times = 0; times < 2; times++)
    expect(await browser.open(`/sign-in/${token}`)).toContain("Choose a password");
  expect(await browser.submit({ password: "short" })).toContain("Password must have at least 10 characters.");
  expect(browser.page.status).toBe(400);
  expect(await browser.submit({ password: PASSWORD })).toContain("Signed in");
  expect((await browser.console(null).get("/session")).body.workspaces).toMatchObject([
    { id: workspaceId, role: "OWNER" },
  ]);
  expect(await newBrowser(world.baseUrl).open(`/sign-in/${token}`)).toContain("This link was already used.");
  expect(await newBrowser(world.baseUrl).open("/sign-in/nothing")).toContain("This link is not valid.");
});

test("when two browsers use one link at once, one of them is signed in", async () => {
  const { ownerId } = await world.workspace();
  const token = await createPersonLink(ownerId, new Date());
  const browsers = [newBrowser(world.baseUrl), newBrowser(world.baseUrl)];
  for (const browser of browsers) await browser.open(`/sign-in/${token}`);
  const pages = await Promise.all(browsers.map((browser) => browser.submit({ password: PASSWORD })));
  expect(pages.filter((html) => html.includes("Signed in"))).toHaveLength(1);
});

test("an expired link and a link that a newer one has replaced are refused", async () => {
  const { ownerId } = await world.workspace();
  const [first, second] = [await createPersonLink(ownerId, new Date()), await createPersonLink(ownerId, new Date())];
  const browser = newBrowser(world.baseUrl);
  expect(await browser.open(`/sign-in/${first}`)).toContain("not valid");
  await SignInLink.updateMany({ userId: ownerId }, { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect(await browser.open(`/sign-in/${second}`)).toContain("has expired");
});

test("the right password signs in, a wrong one does not, and the answers do not reveal who has an account", async () => {
  const { email } = await signedIn();
  const browser = newBrowser(world.baseUrl);
  const wrong = [
    [email, "wrong horse battery"],
    ["nobody@people.test", PASSWORD],
    [email, ""],
    ["", ""],
  ] as const;
  for (const [address, password] of wrong) {
    expect(await login(browser, address, password)).toBe(422);
    expect(browser.page.html).toContain("The email address or the password is wrong.");
  }
  expect(await login(browser, ` ${email.toUpperCase()} `, PASSWORD)).toBe(200);
  expect(browser.page.html).toContain("Signed in");
  await browser.submit({});
  expect((await browser.console(null).get("/session")).status).toBe(401);
});

test("after sign-in the browser returns to the page that it came from, and never to another site", async () => {
  const { email } = await signedIn();
  for (const [asked, reached] of [
    ["/readyz", "/readyz"],
    ["//evil.test/x", "/login"],
    ["/\\evil.test", "/login"],
    ["/.//evil.test/x", "/login"],
    ["https://evil.test/", "/login"],
  ] as const) {
    const browser = newBrowser(world.baseUrl);
    await browser.open(`/login?returnTo=${encodeURIComponent(asked)}`);
    await browser.submit({ email, password: PASSWORD });
    expect(browser.page.url).toBe(reached);
  }
});

test("no one can sign up unless the operator allows it, and the sign-in page has no link to a sign-up", async () => {
  const browser = newBrowser(world.baseUrl);
  expect(await browser.open("/login")).not.toContain("signup");
  const { workspaceId } = await world.workspace();
  for (const path of ["/signup", "/signup?svc=abcdefghijklmn", "/signup/token", "/SIGNUP"]) {
    expect([path, (await browser.fetch(path)).status]).toEqual([path, 404]);
    const body = new URLSearchParams({
      email: "kim@people.test",
      password: PASSWORD,
      workspace: "Mine",
      form: browser.cookies.get("outreach-form") ?? "",
    });
    expect([path, (await browser.fetch(path, { method: "POST", body })).status]).toEqual([path, 404]);
  }
  expect([await User.countDocuments({ email: "kim@people.test" }), workspaceId]).toEqual([0, workspaceId]);
});

test("a form that another site posts is refused, by its token and by the headers of the browser", async () => {
  const { browser, email } = await signedIn();
  const stranger = newBrowser(world.baseUrl);
  await stranger.open("/login");
  stranger.page.html = stranger.page.html.replace(/name="form" value="[^"]*"/, 'name="form" value="guessed"');
  expect(await stranger.submit({ email, password: PASSWORD })).toContain("not sent from its own page");
  await browser.open("/login");
  const [, token = ""] = /name="form" value="([^"]*)"/.exec(browser.page.html) ?? [];
  const forged = {
    method: "POST",
    body: new URLSearchParams({ form: token }),
    headers: { "Sec-Fetch-Site": "cross-site" },
  };
  expect((await browser.fetch("/logout", forged)).status).toBe(403);
  expect((await browser.console(null).get("/session")).status).toBe(200);
});

test("guesses from one address are rate limited, and a known browser of the account can still sign in", async () => {
  const { browser, email } = await quicklySignedIn(world);
  const elsewhere = () => newBrowser(world.baseUrl, { "X-Forwarded-For": "203.0.113.9" });
  const guesser = elsewhere();
  const statuses = await Promise.all(Array.from({ length: 40 }, () => login(elsewhere(), email, "guess guess guess")));
  expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(10);
  expect(statuses).toContain(429);
  expect(await login(guesser, email, PASSWORD)).toBe(429);
  expect(Number(guesser.page.headers.get("retry-after"))).toBeGreaterThan(0);
  await browser.open("/login");
  await browser.submit({}); // signs out
  expect(await login(browser, email, PASSWORD)).toBe(200);
});

test("guesses at one account from many addresses do not lock its owner out of a known browser", async () => {
  const { browser, email } = await quicklySignedIn(world);
  const from = (place: number) =>
    newBrowser(world.baseUrl, { "X-Forwarded-For": `198.51.${place >> 8}.${place & 255}` });
  const statuses: number[] = [];
  for (let place = 0; place < 30; place++) statuses.push(await login(from(place), email, `guess number ${place}`));
  expect(statuses.filter((status) => status === 422)).toHaveLength(10);
  await browser.open("/login");
  await browser.submit({});
  expect(await login(browser, email, PASSWORD)).toBe(200);
});

test("behind a trusted proxy a session shows the client address that the proxy names", async () => {
  const { browser } = await signIn(world, { "X-Forwarded-For": "192.0.2.1, 203.0.113.77" });
  expect((await browser.console(null).get("/sessions")).body).toMatchObject([{ isCurrent: true, ip: "203.0.113.77" }]);
});

test("cookies, tokens and passwords are not stored in clear", async () => {
  const { browser, userId } = await signedIn();
  const stored = JSON.stringify([await Session.find({ userId }).lean(), await User.find({ _id: userId }).lean()]);
  for (const value of [...browser.cookies.values(), PASSWORD]) expect(stored).not.toContain(value);
  expect(stored).toContain("$scrypt$ln=15,r=8,p=3$");
});

test("sign-in pages load nothing, are not cached, and cannot be framed", async () => {
  const browser = newBrowser(world.baseUrl);
  await browser.open("/login");
  const policy = browser.page.headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toContain("script-src");
  expect(browser.page.headers.get("cache-control")).toBe("no-store");
  expect(browser.page.html).not.toContain("<script");
});

test("with an authenticator app the password alone does not sign in, and a code works once, even if the clock is 30 s off", async () => {
  const { email, secret } = await withTotp(world);
  const browser = newBrowser(world.baseUrl);
  await login(browser, email, PASSWORD);
  expect(browser.page.url).toContain("/login/second-factor");
  expect((await browser.console(null).get("/session")).status).toBe(401);
  expect(await browser.submit({ code: "000000" })).toContain("The code is not right");
  const code = codeAt(secret, Date.now() + 30_000);
  expect(await browser.submit({ code })).toContain("Signed in");
  const again = newBrowser(world.baseUrl);
  await login(again, email, PASSWORD);
  expect(await again.submit({ code })).toContain("was used already");
});

test("a recovery code works once", async () => {
  const { email, recoveryCodes } = await withTotp(world);
  expect(new Set(recoveryCodes).size).toBe(10);
  const [code = ""] = recoveryCodes;
  const browsers = [newBrowser(world.baseUrl), newBrowser(world.baseUrl)];
  for (const browser of browsers) await login(browser, email, PASSWORD);
  const pages = await Promise.all(browsers.map((browser) => browser.submit({ code: code.toUpperCase() })));
  expect(pages.filter((html) => html.includes("Signed in"))).toHaveLength(1);
});

test("after ten wrong codes of an authenticator app further codes are refused", async () => {
  const { email } = await withTotp(world);
  const browser = newBrowser(world.baseUrl);
  await login(browser, email, PASSWORD);
  for (let tries = 0; tries < 10; tries++) await browser.submit({ code: `00000${tries}` });
  await browser.submit({ code: "999999" });
  expect(browser.page.status).toBe(429);
});

test("an operator's link removes a lost second factor and ends every session", async () => {
  const { email, userId, browser } = await withTotp(world);
  const token = await createPersonLink(userId, new Date(), { removesSecondFactor: true });
  const fresh = newBrowser(world.baseUrl);
  await fresh.open(`/sign-in/${token}`);
  expect(await fresh.submit({ password: "another long password" })).toContain("Signed in");
  expect((await fresh.console(null).get("/second-factor")).body).toEqual({
    totp: false,
    recoveryCodesLeft: 0,
    passkeys: [],
  });
  expect((await browser.console(null).get("/session")).status).toBe(401);
  expect(await login(newBrowser(world.baseUrl), email, PASSWORD)).toBe(422);
});
