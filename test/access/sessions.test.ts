import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { Session } from "../../models/sign-in/session.ts";
import { newId } from "../../mongo/ids.ts";
import { endSession, findSession, findWaitingSession, startSession } from "../../operations/access/sessions.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const BROWSER = { ip: "203.0.113.9", userAgent: "x".repeat(1_000), portalId: null };
const at = (ms: number) => new Date(Date.now() + ms);

test("a session that waits for its second factor gives no access, and expires after ten minutes", async () => {
  const value = await startSession(newId("usr"), "SECOND_FACTOR", BROWSER, at(0));
  expect(await findSession(value, null, at(0))).toBeNull();
  expect(await findWaitingSession(value, null, at(9 * MINUTE_MS))).not.toBeNull();
  expect(await findWaitingSession(value, null, at(10 * MINUTE_MS))).toBeNull();
});

test("an open session lasts twelve hours, does not count as waiting, and ends within a second when it is ended in another process", async () => {
  const value = await startSession(newId("usr"), "OPEN", BROWSER, at(0));
  const session = await findSession(value, null, at(12 * HOUR_MS - 1_000));
  expect(session).toMatchObject({ ip: BROWSER.ip, browser: "x".repeat(200) });
  expect(await findSession(value, null, at(12 * HOUR_MS))).toBeNull();
  expect(await findWaitingSession(value, null, at(0))).toBeNull();
  expect(await findSession(value, null, at(0))).not.toBeNull();
  await Session.deleteOne({ _id: session?._id ?? "" }); // by another process
  expect(await findSession(value, null, at(1_001))).toBeNull();
});

test("an ended session is refused immediately", async () => {
  const value = await startSession(newId("usr"), "OPEN", BROWSER, at(0));
  const session = await findSession(value, null, at(0));
  if (session !== null) await endSession(session);
  expect(await findSession(value, null, at(0))).toBeNull();
  expect(await findSession("", null, at(0))).toBeNull();
});
