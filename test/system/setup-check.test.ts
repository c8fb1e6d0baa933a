import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { User } from "../../models/sign-in/user.ts";
import { createSetupCheck } from "../../runtime/doctor/run-apart.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import { SECRET_KEY, startWorld, type World } from "../support/world.ts";

let world: World;

beforeAll(async () => {
  world = await startWorld({ temporal: true });
}, 60_000);
afterAll(() => world?.close());

const check = ({ browser }: SignedIn) => browser.console(null).post("/system/setup", {});

async function signIn(isOperator: boolean): Promise<SignedIn> {
  const person = await signedIn(world);
  await User.updateOne({ _id: person.userId }, { $set: { isOperator } });
  return person;
}

test("an operator gets the checks of npm run doctor over the API, without a secret, and the API still answers afterwards", async () => {
  const operator = await signIn(true);
  const { status, body } = await check(operator);
  expect([status, Date.parse(body.at)]).toEqual([200, expect.any(Number)]);
  const statuses = Object.fromEntries(
    body.checks.map((one: { check: string; status: string }) => [one.check, one.status]),
  );
  expect(statuses).toMatchObject({ Settings: "OK", SECRET_KEY: "OK", MongoDB: "OK", Temporal: "OK", Workers: "WARN" });
  expect(JSON.stringify(body)).not.toContain(SECRET_KEY);
  expect((await operator.browser.console(null).get("/system")).status).toBe(200);
}, 120_000);

test("a person who is not an operator cannot check the set-up, an API key finds no such endpoint, and neither starts a check", async () => {
  const person = await signIn(false);
  const { checkSetup } = world.services;
  let runs = 0;
  world.services.checkSetup = () => {
    runs++;
    return checkSetup();
  };
  expect(await check(person)).toMatchObject({ status: 403, body: { code: "ROLE_NOT_ALLOWED" } });
  const { rest } = await world.workspace();
  expect((await rest.post("/system/setup", {})).status).toBe(404);
  world.services.checkSetup = checkSetup;
  expect(runs).toBe(0);
}, 60_000);

test("callers that ask at the same time share one run, and a run that is cut says so", async () => {
  const stopping = new AbortController();
  const checkSetup = createSetupCheck(stopping.signal);
  const first = checkSetup();
  expect(checkSetup()).toBe(first);
  stopping.abort();
  expect(await first).toEqual([
    {
      check: "Check of the set-up",
      status: "FAIL",
      found: "it ended without a result",
      advice: "Run `npm run doctor` where the service runs",
    },
  ]);
  expect(checkSetup()).not.toBe(first);
});
