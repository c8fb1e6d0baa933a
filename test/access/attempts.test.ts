import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { createApp } from "../../api/app.ts";
import { AppError } from "../../domain/errors.ts";
import { RateCount } from "../../models/access/rate-count.ts";
import { SignInLink } from "../../models/sign-in/sign-in-link.ts";
import { guess } from "../../operations/sign-in/attempts.ts";
import { type Listener, listen } from "../../runtime/listen.ts";
import { createLog } from "../../runtime/log.ts";
import { readinessOf } from "../../runtime/readiness.ts";
import { until } from "../fakes/wait.ts";
import { newBrowser } from "../support/person.ts";
import { restOf } from "../support/rest.ts";
import { codeNow, withTotp } from "../support/second-factor.ts";
import { PASSWORD, quicklySignedIn, type SignedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

const WRONG = "wrong horse battery";

let world: World;
let second: Listener;
beforeAll(async () => {
  world = await startWorld({ apart: true, settings: { trustProxy: 1 } });
  second = await anotherApp();
});
afterAll(async () => {
  await second.close();
  await world.close();
});

/** Another process of the API, as far as its counts go: the first process remembers nothing of it. */
function anotherApp(): Promise<Listener> {
  const ready = readinessOf(world.services.engine, { missing: [] });
  return listen(createApp(world.services, { log: createLog("silent"), ready }), 0, { host: "127.0.0.1" });
}

let places = 0;
const somewhere = () => ({ "X-Forwarded-For": `198.51.100.${++places}` });

async function login(base: string, email: string, password: string, headers: Record<string, string> = somewhere()) {
  const browser = newBrowser(base, headers);
  await browser.open("/login");
  await browser.submit({ email, password });
  return browser.page;
}

/** The console's API for a person, at another app. */
function restAt(port: number, { browser }: SignedIn) {
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const rest = restOf(`http://127.0.0.1:${port}/console/api/v1`, null);
  return (path: string, body: object) => rest.post(path, body, { Cookie, "X-Console": "1" });
}

test("wrong passwords of an account are counted across all API processes of a database, including one that starts later", async () => {
  const { email } = await quicklySignedIn(world);
  const other = `http://127.0.0.1:${second.port}`;
  for (let tries = 0; tries < 5; tries++)
    for (const base of [world.baseUrl, other]) expect((await login(base, email, WRONG)).status).toBe(422);
  const later = await anotherApp();
  for (const base of [world.baseUrl, other, `http://127.0.0.1:${later.port}`]) {
    const page = await login(base, email, PASSWORD);
    const seconds = Number(page.headers.get("retry-after"));
    expect([page.status, page.html]).toEqual([
      429,
      expect.stringContaining(`Too many wrong passwords: try again in ${seconds} seconds.`),
    ]);
  }
  await later.close();
});

test("wrong passwords in a session count for the session and for its person, across all verbs, browsers and processes", async () => {
  const person = await quicklySignedIn(world);
  const { body, status } = await person.rest.post("/session/confirm", { password: WRONG });
  expect([status, body.code]).toEqual([422, "WRONG_PASSWORD"]);
  const there = restAt(second.port, person);
  for (let tries = 0; tries < 4; tries++)
    expect((await there("/session/confirm", { password: WRONG })).status).toBe(422);
  const change = { currentPassword: WRONG, password: "another long password" };
  for (let tries = 0; tries < 5; tries++) expect((await person.rest.post("/password", change)).status).toBe(422);
  const refused = await person.rest.post("/session/confirm", { password: PASSWORD });
  const seconds = Number(refused.headers.get("retry-after"));
  expect(refused).toMatchObject({
    status: 429,
    body: { code: "RATE_LIMITED", details: { retryAfterSeconds: seconds } },
  });
  expect(refused.body.message).toBe(`Too many wrong passwords or codes: try again in ${seconds} seconds`);
  // The account's own sign-in is another count, and so is every other person
  const again = newBrowser(world.baseUrl, somewhere());
  await again.open("/login");
  expect(await again.submit({ email: person.email, password: PASSWORD })).toContain("Signed in");
  expect((await again.console(null).post("/session/confirm", { password: PASSWORD })).status).toBe(429);
  expect((await (await quicklySignedIn(world)).rest.post("/session/confirm", { password: PASSWORD })).status).toBe(200);
});

test("a right password does not count as an attempt: nine wrong ones, many right ones and one more wrong one are checked", async () => {
  const { rest } = await quicklySignedIn(world);
  const confirm = async (password: string) => (await rest.post("/session/confirm", { password })).status;
  for (let tries = 0; tries < 9; tries++) expect(await confirm(WRONG)).toBe(422);
  for (let tries = 0; tries < 3; tries++) expect(await confirm(PASSWORD)).toBe(200);
  expect(await confirm(WRONG)).toBe(422);
  expect(await confirm(PASSWORD)).toBe(429);
});

test("at most ten of many simultaneous guesses are checked, and refused guesses do not count", async () => {
  const person = await quicklySignedIn(world);
  const there = restAt(second.port, person);
  const tries = Array.from({ length: 15 }, () => [
    person.rest.post("/session/confirm", { password: WRONG }),
    there("/session/confirm", { password: WRONG }),
  ]);
  const statuses = (await Promise.all(tries.flat())).map(({ status }) => status);
  expect(statuses.filter((status) => status === 422).length).toBeLessThanOrEqual(10);
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
  const points = (await RateCount.find({ key: /^secrets:/ }).lean<RateCount[]>()).map((count) => count.points);
  expect(Math.max(...points)).toBeLessThanOrEqual(10);
});

test("simultaneous right answers, some of them refused, do not count as wrong attempts", async () => {
  const name = "account:right@people.test";
  const checking = Promise.withResolvers<void>();
  let refused = 0;
  const noteRefused = (err: unknown) => {
    refused += err instanceof AppError && err.code === "RATE_LIMITED" ? 1 : 0;
  };
  const tries = Array.from({ length: 14 }, () => guess([name], "tries", () => checking.promise).catch(noteRefused));
  await until(() => refused === 4, { deadlineMs: 30_000, what: "four refusals while ten are checked" });
  checking.resolve();
  await Promise.all(tries);
  const wrong = () => guess([name], "tries", () => Promise.reject(new AppError("WRONG_PASSWORD", "Wrong")));
  for (let made = 0; made < 10; made++) await expect(wrong()).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
  await expect(wrong()).rejects.toMatchObject({ code: "RATE_LIMITED" });
});

test("a new sign-in with the right password does not reset the count of the second factor", async () => {
  const { email, secret } = await withTotp(world);
  const statuses: number[] = [];
  for (let browsers = 0; browsers < 3; browsers++) {
    const browser = newBrowser(world.baseUrl, somewhere());
    await browser.open("/login");
    await browser.submit({ email, password: PASSWORD });
    for (let tries = 0; tries < 4; tries++) {
      await browser.submit({ code: "000000" });
      statuses.push(browser.page.status);
    }
    if (browsers < 2) continue;
    await browser.submit({ code: codeNow(secret) });
    expect(browser.page.status).toBe(429);
  }
  expect(statuses).toEqual([...Array(10).fill(422), 429, 429]);
});

test("the stored names of attempt counters contain no token, cookie or email address", async () => {
  const { browser, email } = await quicklySignedIn(world);
  const [link] = await SignInLink.find({}).sort({ createdAt: -1 }).limit(1).lean<SignInLink[]>();
  await newBrowser(world.baseUrl, somewhere()).open("/sign-in/a-wrong-token-in-clear");
  await browser.open("/login");
  await browser.submit({});
  await browser.open("/login");
  await browser.submit({ email, password: WRONG });
  expect(browser.page.status).toBe(422);
  const stored = JSON.stringify(await RateCount.find({}).lean());
  for (const secret of [
    email,
    "a-wrong-token-in-clear",
    link?._id ?? "none",
    browser.cookies.get("outreach-known") ?? "none",
  ])
    expect(stored).not.toContain(secret);
});

test("when the database becomes slow, a process keeps the attempts that it has counted", async () => {
  const wrong = () =>
    guess(["account:slow"], "wrong passwords", async () => Promise.reject(new AppError("WRONG_PASSWORD", "Wrong")));
  for (let tries = 0; tries < 10; tries++) await expect(wrong()).rejects.toMatchObject({ code: "WRONG_PASSWORD" });
  const session = await mongoose.connection.startSession();
  try {
    // Every process that counts must wait for this transaction
    session.startTransaction();
    await RateCount.updateMany(
      { key: /^secrets:/ },
      { $inc: { points: 0 }, $set: { held: true } },
      { session, strict: false },
    );
    await expect(wrong()).rejects.toMatchObject({ code: "RATE_LIMITED" });
  } finally {
    await session.abortTransaction();
    await session.endSession();
  }
});
