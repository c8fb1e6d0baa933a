import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { CalendarProviders } from "../../domain/agent/calendar-provider.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { revokeKey } from "../../operations/access/api-keys.ts";
import { type FakeCalendars, startCalendars } from "../fakes/calendars.ts";
import { type FakeOAuth, startOAuth } from "../fakes/oauth.ts";
import { agentOf } from "../support/mcp.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const EMAIL = "ann@provider.test";
let world: World;
let oauth: FakeOAuth;
let calendars: FakeCalendars;
let workspace: Awaited<ReturnType<World["workspace"]>>;
let rest: Rest;
const lines: string[] = [];

beforeAll(async () => {
  oauth = await startOAuth();
  calendars = await startCalendars((token) => oauth.knows(EMAIL, token));
  const { clientId, clientSecret, url } = oauth;
  const addresses = {
    authUrl: `${url}/authorize`,
    tokenUrl: `${url}/token`,
    userinfoUrl: `${url}/userinfo`,
    revocationUrl: null,
  };
  const access = { oauth: { clientId, clientSecret, ...addresses, scope: "calendar" }, url: calendars.url };
  const providers: CalendarProviders = { A: access, B: access };
  const worker = realWorker({ onLog: (line) => lines.push(line) });
  world = await startWorld({ worker, settings: { calendars: providers }, onLog: (line) => lines.push(line) });
  world.services.settings.publicUrl = world.baseUrl;
}, 120_000);
afterAll(async () => {
  await world.close();
  await Promise.all([oauth.close(), calendars.close()]);
}, 60_000);
beforeEach(async () => {
  Object.assign(oauth.settings, { rotate: false, withRefreshToken: true, down: false, lifeSeconds: 3_600 });
  calendars.busy.length = 0;
  calendars.asked.length = 0;
  calendars.fault(() => false);
  workspace = await world.workspace();
  ({ rest } = workspace);
});

async function started(provider: "PROVIDERA" | "PROVIDERB" = "PROVIDERA"): Promise<string> {
  return (await rest.post("/calendar", { action: "connect", provider })).body.authUrl;
}
async function browse(url: URL | string) {
  const answer = await fetch(url, { redirect: "manual" });
  return { status: answer.status, text: await answer.text() };
}
async function connected(provider: "PROVIDERA" | "PROVIDERB" = "PROVIDERA") {
  expect((await browse(oauth.consent(await started(provider), EMAIL))).status).toBe(200);
}
const get = async () => (await rest.get("/calendar")).body;
/** Each call asks about another time, so that no earlier reading answers it. */
let asked = 0;
function slots(more = "") {
  const from = Math.ceil(Date.now() / DAY_MS) * DAY_MS + DAY_MS + asked++ * 1_000;
  const to = from + 7 * DAY_MS;
  return rest.get(`/calendar/slots?from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}${more}`);
}

test("without a calendar free slots come from the working hours and are marked as unchecked", async () => {
  expect(await get()).toMatchObject({ connected: false, provider: null, timezone: "UTC", bookingUrl: null });
  const settings = {
    timezone: "Europe/Berlin",
    workingHours: [{ days: [1, 2, 3, 4, 5, 6, 7], from: "10:00", to: "11:00" }],
  };
  const changed = await rest.post("/calendar", {
    action: "update",
    settings: { ...settings, bookingUrl: "https://book.test/ann" },
  });
  expect(changed.body).toMatchObject({ ...settings, bookingUrl: "https://book.test/ann" });
  const { body } = await slots("&timezone=Europe/Berlin");
  expect(body.busyChecked).toBe(false);
  expect(body.slots.length).toBeGreaterThan(10);
  for (const { start } of body.slots) expect(start).toMatch(/T10:[03]0:00\+0[12]:00$/);
  expect(
    (await rest.post("/calendar", { action: "update", settings: { bookingUrl: null } })).body.workingHours,
  ).toEqual(settings.workingHours);
});

test("invalid slot queries and working hours are refused, and so is a booking address that is not https", async () => {
  for (const bookingUrl of ["http://book.test", "javascript:alert(1)", "book"]) {
    expect((await rest.post("/calendar", { action: "update", settings: { bookingUrl } })).status).toBe(400);
  }
  const wrong = [
    "timezone=Mars/Base",
    "durationMinutes=4",
    "durationMinutes=481",
    "to=2020-01-01T00:00:00Z",
    "to=2099-01-01T00:00:00Z",
  ];
  for (const query of wrong) expect([query, (await rest.get(`/calendar/slots?${query}`)).status]).toEqual([query, 400]);
  const hours = [{ days: [1], from: "12:00", to: "11:00" }];
  expect((await rest.post("/calendar", { action: "update", settings: { workingHours: hours } })).status).toBe(400);
});

test.each(["PROVIDERA", "PROVIDERB"] as const)(
  "busy times of %s remove every overlapping slot, and only the times are requested, not the subjects",
  async (provider) => {
    await connected(provider);
    expect(await get()).toMatchObject({ connected: true, provider, status: "CONNECTED" });
    await rest.post("/calendar", {
      action: "update",
      settings: { workingHours: [{ days: [1, 2, 3, 4, 5, 6, 7], from: "09:00", to: "12:00" }] },
    });
    const day = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 2 * DAY_MS).toISOString().slice(0, 10);
    calendars.busy.push({ start: `${day}T09:15:00Z`, end: `${day}T10:45:00Z` });
    const { body } = await slots("&durationMinutes=30");
    const ofDay = body.slots
      .map(({ start }: { start: string }) => start)
      .filter((start: string) => start.startsWith(day));
    expect([body.busyChecked, ofDay.map((start: string) => start.slice(11, 16))]).toEqual([true, ["11:00", "11:30"]]);
    const [one] = calendars.asked;
    if (provider === "PROVIDERA")
      expect(one).toMatchObject({ path: "/calendar/v3/freeBusy", body: { items: [{ id: "primary" }] } });
    else expect(one).toMatchObject({ prefer: 'outlook.timezone="UTC"', body: { schedules: [EMAIL] } });
  },
);

test('Graph\'s "free" and "working elsewhere" times do not count as busy', async () => {
  await connected("PROVIDERB");
  const day = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 2 * DAY_MS).toISOString().slice(0, 10);
  await rest.post("/calendar", {
    action: "update",
    settings: { workingHours: [{ days: [1, 2, 3, 4, 5, 6, 7], from: "09:00", to: "11:00" }] },
  });
  const [free, elsewhere, tentative] = ["free", "workingElsewhere", "tentative"];
  calendars.busy.push({ start: `${day}T09:00:00Z`, end: `${day}T09:30:00Z`, status: free });
  calendars.busy.push({ start: `${day}T09:30:00Z`, end: `${day}T10:00:00Z`, status: elsewhere });
  calendars.busy.push({ start: `${day}T10:00:00Z`, end: `${day}T10:30:00Z`, status: tentative });
  const { body } = await slots();
  const ofDay = body.slots
    .map(({ start }: { start: string }) => start)
    .filter((start: string) => start.startsWith(day));
  expect(ofDay.map((start: string) => start.slice(11, 16))).toEqual(["09:00", "09:30", "10:30"]);
});

test("when the calendar's answer is invalid, rate limited or missing, a request for free slots fails with 503", async () => {
  await connected();
  const answers: [string, (end: (status: number, body: string) => void) => void][] = [
    ["ends before it begins", (end) => end(200, busyAnswer("2099-01-01T10:00:00Z", "2099-01-01T09:00:00Z"))],
    ["is no instant", (end) => end(200, busyAnswer("tomorrow", "later"))],
    ["is no JSON", (end) => end(200, "<html>")],
    [
      "is limited by 403",
      (end) => end(403, JSON.stringify({ error: { code: 403, errors: [{ reason: "rateLimitExceeded" }] } })),
    ],
    ["is limited by 429", (end) => end(429, "{}")],
    ["is away", (end) => end(503, "{}")],
  ];
  for (const [what, say] of answers) {
    calendars.fault((_asked, res) => {
      say((status, body) => res.writeHead(status, { "Content-Type": "application/json" }).end(body));
      return true;
    });
    const refused = await slots();
    expect([what, refused.status, refused.body.code]).toEqual([what, 503, "SERVICE_UNAVAILABLE"]);
  }
  expect((await get()).status).toBe("CONNECTED");
});

const busyAnswer = (start: string, end: string) =>
  JSON.stringify({ calendars: { primary: { busy: [{ start, end }] } } });

test("a calendar without permission to read is LOST, not empty, and works again after reconnecting", async () => {
  await connected();
  calendars.fault((_asked, res) => {
    const answer = { calendars: { primary: { errors: [{ domain: "global", reason: "notFound" }], busy: [] } } };
    res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    return true;
  });
  expect((await slots()).body.busyChecked).toBe(false);
  expect(await get()).toMatchObject({ connected: false, status: "LOST" });
  calendars.fault(() => false);
  await connected();
  expect((await slots()).body.busyChecked).toBe(true);
});

test("an expired token is renewed, a rotated one is stored, and a withdrawn consent makes the calendar LOST", async () => {
  oauth.settings.rotate = true;
  await connected();
  oauth.expire(EMAIL);
  expect((await slots()).body.busyChecked).toBe(true);
  oauth.expire(EMAIL);
  expect((await slots()).body.busyChecked).toBe(true);
  oauth.revoke(EMAIL);
  expect((await slots()).body.busyChecked).toBe(false);
  expect(await get()).toMatchObject({ connected: false, status: "LOST" });
  const stored = await scoped(workspace.workspaceId).MeetingCalendar.get(workspace.workspaceId);
  expect(stored).toMatchObject({ sealedRefreshToken: null, sealedAccessToken: null, busy: null });
});

test("the state of a consent works once, only for its provider, and only while its credential may connect", async () => {
  const back = oauth.consent(await started(), EMAIL);
  expect((await browse(back.href.replace("providerA", "providerB"))).status).toBe(400);
  expect((await browse(back)).status).toBe(200);
  // Its verifier is gone too, so the message shows that it was refused before anything was tried
  expect(await browse(back)).toMatchObject({
    status: 400,
    text: expect.stringContaining("was already used: start again"),
  });
  const late = oauth.consent(await started(), EMAIL);
  await scoped(workspace.workspaceId).CalendarConsent.updateMany(
    { usedAt: null },
    { $set: { expiresAt: new Date(Date.now() - HOUR_MS) } },
  );
  expect((await browse(late)).status).toBe(400);
  const lost = oauth.consent(await started(), EMAIL);
  const consent = await scoped(workspace.workspaceId).CalendarConsent.findOne({
    usedAt: null,
    expiresAt: trusted({ $gt: new Date() }),
  });
  await revokeKey(workspace.workspaceId, consent?.credentialId ?? "", new Date(), workspace.ownerId);
  expect((await browse(lost)).status).toBe(403);
});

test("calendar secrets are sealed, and disconnecting erases them but keeps the working hours", async () => {
  await connected();
  const { MeetingCalendar, CalendarConsent } = scoped(workspace.workspaceId);
  const rows = JSON.stringify([await MeetingCalendar.find(), await CalendarConsent.find()]);
  expect(rows).not.toMatch(/access-|refresh-|code-/);
  await rest.post("/calendar", { action: "update", settings: { bookingUrl: "https://book.test/ann" } });
  expect((await rest.post("/calendar", { action: "disconnect" })).body).toMatchObject({
    connected: false,
    provider: null,
    bookingUrl: "https://book.test/ann",
  });
  expect(await MeetingCalendar.find()).toMatchObject([
    { sealedRefreshToken: null, sealedAccessToken: null, address: null, busy: null },
  ]);
});

test("reading a calendar needs inbox:read and changing it inbox:write, other workspaces see nothing, and the tool answers like the API", async () => {
  await connected();
  const reader = await workspace.withScopes("inbox:read");
  expect((await reader.get("/calendar")).body.connected).toBe(true);
  expect((await reader.post("/calendar", { action: "disconnect" })).status).toBe(403);
  expect((await (await world.workspace()).rest.get("/calendar")).body.connected).toBe(false);
  const agent = await agentOf(world, workspace.key);
  expect((await agent.call("agent_calendar")).body).toMatchObject({ connected: true, provider: "PROVIDERA" });
  expect((await agent.call("agent_calendar", { action: "availability", durationMinutes: 60 })).body.busyChecked).toBe(
    true,
  );
  await agent.close();
});

test("the log contains no calendar token", () => {
  expect(lines.join("\n")).not.toMatch(/access-[\w-]{8}|refresh-[\w-]{8}/);
});
