import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { seal } from "../../domain/access/seal.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { calendarTokenPlace } from "../../store/meeting-calendars.ts";
import { type FakeCalendars, startCalendars } from "../fakes/calendars.ts";
import { inForm } from "../fakes/model.ts";
import { type AgentWorld, startAgentWorld } from "./agent-world.ts";

const BOOKING = "https://book.test/ann/half-hour";
let agent: AgentWorld;
let calendars: FakeCalendars;
beforeAll(async () => {
  calendars = await startCalendars((token) => token === "good");
  const addresses = {
    authUrl: "https://a.test",
    tokenUrl: `${calendars.url}/token`,
    userinfoUrl: "https://a.test",
    revocationUrl: null,
  };
  const access = { oauth: { clientId: "c", clientSecret: "s", ...addresses, scope: "calendar" }, url: calendars.url };
  agent = await startAgentWorld({ calendars: { A: access, B: null } });
  await agent.set({ enabled: true, mode: "APPROVE" });
}, 60_000);
afterAll(async () => {
  await agent.close();
  await calendars.close();
});

/** What the question to the model said about meetings; null: nothing. */
function offerOf(): { bookingUrl: string | null; slots: string[] } | null {
  const [system] = agent.model.asked.at(-1)?.messages ?? [];
  const [, offer] = /no other time: (\{.*\})/.exec(system?.content ?? "") ?? [];
  return offer === undefined ? null : JSON.parse(offer);
}

async function connect(token: string): Promise<void> {
  const { workspaceId } = agent;
  const sealed = (field: "refreshToken" | "accessToken") =>
    seal(agent.world.services.keyRing, calendarTokenPlace(workspaceId, field), token);
  const secrets = { sealedRefreshToken: sealed("refreshToken"), sealedAccessToken: sealed("accessToken") };
  const change = {
    provider: "A" as const,
    status: "CONNECTED" as const,
    address: "ann@a.test",
    ...secrets,
    busy: null,
    busyReadAt: null,
  };
  await scoped(workspaceId).MeetingCalendar.updateOne(
    { _id: workspaceId },
    { $set: { ...change, accessExpiresAt: new Date(Date.now() + DAY_MS) } },
    { upsert: true },
  );
}

test("a workspace without calendar settings offers no meeting, and a draft with a booking address is refused", async () => {
  agent.model.says((asked) => inForm(asked, { draft: `Book here: ${BOOKING}` }));
  const { message } = await agent.replied("ada@b.test", "Could we talk?");
  expect(await agent.settled(message)).toMatchObject({ result: "REFUSED_FOREIGN_LINK" });
  expect(offerOf()).toBeNull();
});

test("a draft may contain the booking address but no other address of its host, and without a calendar no time is offered", async () => {
  await agent.rest.post("/calendar", { action: "update", settings: { bookingUrl: BOOKING } });
  const { message } = await agent.replied("eva@b.test", "Could we talk?");
  expect(await agent.settled(message)).toMatchObject({ result: "APPROVAL" });
  expect(offerOf()).toEqual({ bookingUrl: BOOKING, slots: [] });
  agent.model.says((asked) => inForm(asked, { draft: "Book here: https://book.test/mallory" }));
  const other = await agent.replied("ida@b.test", "Could we talk?");
  expect(await agent.settled(other.message)).toMatchObject({ result: "REFUSED_FOREIGN_LINK" });
});

test("free times are offered in the lead's time zone, on several days, and none at short notice", async () => {
  const allDays = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "09:00", to: "17:00" }];
  await agent.rest.post("/calendar", { action: "update", settings: { timezone: "UTC", workingHours: allDays } });
  await connect("good");
  const day = (ahead: number) => new Date(Date.now() + ahead * DAY_MS).toISOString().slice(0, 10);
  calendars.busy.push({ start: `${day(2)}T00:00:00Z`, end: `${day(3)}T00:00:00Z` });
  await agent.rest.post("/leads", { email: "kim@b.test", timezone: "Asia/Kolkata" });
  agent.model.says((asked) => inForm(asked, { draft: `At ${offerOf()?.slots[0]}?` }));
  const { message } = await agent.replied("kim@b.test", "Could we talk?");
  expect(await agent.settled(message)).toMatchObject({ result: "APPROVAL" });
  const { slots = [] } = offerOf() ?? {};
  expect(slots.length).toBeGreaterThanOrEqual(4);
  expect(slots.length).toBeLessThanOrEqual(6);
  for (const slot of slots) {
    expect(slot).toMatch(/\+05:30$/);
    expect(Date.parse(slot)).toBeGreaterThan(Date.now() + 11 * HOUR_MS);
    expect(new Date(slot).toISOString().slice(0, 10)).not.toBe(day(2));
    const hour = Number(slot.slice(11, 13));
    expect(hour).toBeGreaterThanOrEqual(14);
    expect(hour).toBeLessThan(20);
  }
  expect(new Set(slots.map((slot) => slot.slice(0, 10))).size).toBeGreaterThanOrEqual(2);
});

test("while the calendar does not answer no time is offered, and the calendar stays connected", async () => {
  await connect("good");
  calendars.fault((_asked, res) => {
    res.writeHead(503).end();
    return true;
  });
  const { message } = await agent.replied("lea@b.test", "Could we talk?");
  await agent.settled(message);
  expect(offerOf()).toEqual({ bookingUrl: BOOKING, slots: [] });
  expect((await agent.rest.get("/calendar")).body.status).toBe("CONNECTED");
  calendars.fault(() => false);
  calendars.busy.length = 0;
});
