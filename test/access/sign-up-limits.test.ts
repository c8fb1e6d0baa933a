import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { countedAddress, type SignUpLimits } from "../../domain/access/sign-up.ts";
import { SignUpRequest } from "../../models/sign-in/sign-up-request.ts";
import { User } from "../../models/sign-in/user.ts";
import { forgetRates } from "../../mongo/rate-limit.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { signUpCounts } from "../../operations/sign-in/sign-up-limits.ts";
import { newBrowser } from "../support/person.ts";
import { PASSWORD, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

const LIMITS: SignUpLimits = { perAddress: 2, perNetwork: 3, perDay: 5 };
let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true, settings: { allowSignUp: true, trustProxy: 1, signUp: LIMITS } });
  await signedIn(world); // No one can sign up before the operator has a password
});
afterAll(() => world.close());
beforeEach(() => forgetRates());

let people = 0;
/** The status and page of a sign-up from this IP address. */
async function joins(ip: string, fields: Record<string, string> = {}) {
  const browser = newBrowser(world.baseUrl, { "X-Forwarded-For": ip });
  await browser.open("/signup");
  await browser.submit({ email: `p${++people}@people.test`, password: PASSWORD, workspace: "Acme", ...fields });
  return browser.page;
}

test("sign-ups beyond the limit of a network are refused, and create no account; another network is unaffected (rules/access 2.6)", async () => {
  const before = await User.countDocuments({});
  const statuses = [];
  for (const last of [1, 200, 7, 8]) statuses.push((await joins(`198.51.100.${last}`)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect(await User.countDocuments({})).toBe(before + 3);
  expect((await joins("198.51.100.9")).html).toContain("Too many sign-ups from your network: try again in 24 hours");
  expect((await joins("198.51.101.1")).status).toBe(200);
});

test("IPv6 addresses of one /48 are one network", async () => {
  const statuses = [];
  for (const part of ["1", "2", "ff00", "3"]) statuses.push((await joins(`2001:db8:7:${part}::1`)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
  expect((await joins("2001:db8:8:1::1")).status).toBe(200);
});

test("the deployment accepts only so many sign-ups a day, and refused ones use up nothing", async () => {
  const statuses = [];
  for (let network = 1; network <= 4; network++) statuses.push((await joins(`203.0.${network}.1`)).status);
  // A refusal gives its count back
  expect((await joins("203.0.4.1", { password: "short" })).status).toBe(400);
  for (let network = 5; network <= 7; network++) statuses.push((await joins(`203.0.${network}.1`)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429]);
});

test("a person who signs in by the form uses up nothing, with a right or a wrong password", async () => {
  const { email } = await signedIn(world);
  const statuses = [];
  for (const password of [PASSWORD, "wrong horse battery", PASSWORD, PASSWORD])
    statuses.push((await joins("192.0.2.1", { email, password })).status);
  expect(statuses).toEqual([200, 422, 200, 200]);
  expect((await joins("192.0.2.1")).status).toBe(200);
});

test("two processes count together, and what follows a + is the same address", async () => {
  const [one, other] = [signUpCounts(LIMITS), signUpCounts(LIMITS)];
  await one("kim@people.test", { address: "192.0.2.1" });
  await other("Kim+second@people.test", { address: "198.51.100.1" });
  await expect(one("kim+third@people.test", { address: "203.0.113.1" })).rejects.toMatchObject({
    code: "RATE_LIMITED",
    message: "Too many sign-ups with this email address: try again in 24 hours",
    details: { retryAfterSeconds: expect.any(Number) },
  });
  expect([countedAddress(" A+b+c@D.test "), countedAddress("a@d+e.test")]).toEqual(["a@d.test", "a@d+e.test"]);
});

test("where the service has no mail server of its own, an unconfirmed address locks no one out, and a link of the operator confirms it (rules/access 2.7)", async () => {
  const browser = newBrowser(world.baseUrl, { "X-Forwarded-For": "198.18.0.1" });
  await browser.open("/signup");
  await browser.submit({ email: "unproven@people.test", password: PASSWORD, workspace: "Mine" });
  const { userId, workspaces, mustConfirmAddress } = (await browser.console(null).get("/session")).body;
  const person = () => User.findOne({ _id: userId }).lean<User>();
  expect([mustConfirmAddress, (await person())?.isUnconfirmed]).toEqual([false, true]);
  const rest = browser.console(workspaces[0].id);
  // A call that sends: it fails only because there is no such mailbox
  const start = await rest.post("/warmup/manage", { action: "start", mailboxId: "mbx_none" });
  expect(JSON.stringify(start.body)).toContain("MAILBOX_NOT_FOUND");
  const visitor = newBrowser(world.baseUrl);
  await visitor.open(`/sign-in/${await createPersonLink(userId, new Date())}`);
  await visitor.submit({ password: `${PASSWORD} staple` });
  expect((await person())?.isUnconfirmed).toBe(false);
});

test("no stored count reveals an address or a network", async () => {
  await joins("192.0.2.77", { email: "kept@people.test" });
  const counts = await User.db.collection("rate_limits").find({}).toArray();
  expect(counts.length).toBeGreaterThan(2);
  expect(JSON.stringify(counts)).not.toMatch(/kept|192\.0\.2/);
  expect(await SignUpRequest.countDocuments({})).toBe(0);
});
