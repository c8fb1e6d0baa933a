import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { commandsOf } from "../support/profiled.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const DAY = Date.parse("2031-05-05T00:00:00Z");
let world: World;
let rest: Rest;
let one: Awaited<ReturnType<typeof readyCampaign>>;
let two: Awaited<ReturnType<typeof readyCampaign>>;
const ids: string[] = [];

beforeAll(async () => {
  world = await startWorld();
  const { workspaceId, ...workspace } = await world.workspace();
  rest = workspace.rest;
  one = await readyCampaign(rest, workspaceId, []);
  two = await readyCampaign(rest, workspaceId, []);
  const booked = Array.from({ length: 12 }, (_, hour) => {
    const { campaignId, mailbox } = hour % 3 === 0 ? two : one;
    const state = hour < 2 ? ("SENT" as const) : ("RESERVED" as const);
    return {
      _id: newId("snd"),
      campaignId,
      recipientId: newId("rcp"),
      stepId: "stp_a",
      mailboxId: mailbox._id,
      state,
      to: "a@b.test",
      slotAt: new Date(DAY + hour * HOUR_MS),
    };
  });
  const { Send } = scoped(workspaceId);
  await Send.insertMany([...booked].reverse());
  ids.push(...booked.map(({ _id }) => _id));
  // Neither is in the calendar: a reply of the inbox, and a step whose slot was given back
  await Send.insertMany([
    { _id: newId("snd"), kind: "REPLY", to: "a@b.test", mailboxId: one.mailbox._id, slotAt: new Date(DAY) },
    {
      _id: newId("snd"),
      campaignId: one.campaignId,
      recipientId: newId("rcp"),
      stepId: "stp_a",
      to: "a@b.test",
      state: "RELEASED",
    },
  ]);
});
afterAll(() => world.close());

const sendIds = ({ body }: { body: { items: { sendId: string }[] } }) => body.items.map(({ sendId }) => sendId);
const RANGE = "from=2031-05-05&to=2031-05-06";

test("the calendar lists the emails of all campaigns by slot, page by page", async () => {
  const first = await rest.get(`/sends?${RANGE}&pageSize=8`);
  const second = await rest.get(`/sends?${RANGE}&pageSize=8&page=2`);
  expect([...sendIds(first), ...sendIds(second)]).toEqual(ids);
  expect(first.body).toMatchObject({ total: 12, page: 1, pageSize: 8 });
  expect(first.body.items[0]).toEqual({
    sendId: ids[0],
    campaignId: two.campaignId,
    recipientId: expect.any(String),
    stepId: "stp_a",
    mailboxId: two.mailbox._id,
    at: "2031-05-05T00:00:00.000Z",
    state: "SENT",
  });
});

test.each([
  ["from=2031-05-05T03:00:00Z&to=2031-05-05T05:00:00Z", [3, 4]],
  ["from=2031-05-05T05:00:00%2B02:00&to=2031-05-05T05:00:00Z", [3, 4]],
  [`${RANGE}&state=SENT`, [0, 1]],
  [`${RANGE}&mailboxId=TWO`, [0, 3, 6, 9]],
  [`${RANGE}&campaignId=CAMPAIGN`, [0, 3, 6, 9]],
  [`${RANGE}&campaignId=CAMPAIGN&state=RESERVED,UNKNOWN`, [3, 6, 9]],
  ["from=2031-05-06", []],
])("the calendar with the filter %s shows only the emails of these hours: %j", async (query, hours) => {
  const asked = query.replace("TWO", two.mailbox._id).replace("CAMPAIGN", two.campaignId);
  const page = await rest.get(`/sends?${asked}`);
  expect(sendIds(page)).toEqual(hours.map((hour) => ids[hour]));
  expect(page.body.total).toBe(hours.length);
});

test("the calendar begins now by default; an empty, reversed or too long range is refused with the name of the parameter", async () => {
  expect(await rest.get("/sends")).toMatchObject({ status: 200, body: { items: [], total: 0 } });
  const long = new Date(DAY + 93 * DAY_MS).toISOString();
  for (const [query, path] of [
    ["from=2031-05-05&to=2031-05-05", "to"],
    ["from=2031-05-05&to=2031-05-04", "to"],
    [`from=2031-05-05&to=${long}`, "to"],
    ["from=1960-01-01", "from"],
    ["from=tomorrow", "from"],
  ]) {
    const answer = await rest.get(`/sends?${query}`);
    expect([query, answer.status, answer.body.code, answer.body.details?.issues?.[0]?.path]).toEqual([
      query,
      400,
      "VALIDATION_FAILED",
      path,
    ]);
  }
});

test("the calendar reads its emails in order from an index, and only the documents of the requested page", async () => {
  const ran = await commandsOf(rest, `/sends?${RANGE}&mailboxId=${two.mailbox._id}&pageSize=2`, "sends");
  const plans = ran.map(({ planSummary = "" }) => planSummary);
  expect(plans.filter((plan) => !plan.startsWith("IXSCAN") && !plan.startsWith("COUNT_SCAN"))).toEqual([]);
  expect(plans.some((plan) => plan.startsWith("IXSCAN { workspaceId: 1, slotAt: 1"))).toBe(true);
  expect(ran.filter(({ hasSortStage }) => hasSortStage)).toEqual([]);
  expect(Math.max(...ran.map(({ docsExamined = 0 }) => docsExamined))).toBeLessThanOrEqual(4);
});

test("the calendar does not find a mailbox or campaign of another workspace, and shows none of their emails", async () => {
  const other = await world.workspace();
  expect((await other.rest.get(`/sends?${RANGE}`)).body.total).toBe(0);
  expect((await other.rest.get(`/sends?mailboxId=${one.mailbox._id}`)).body.code).toBe("MAILBOX_NOT_FOUND");
  expect((await other.rest.get(`/sends?campaignId=${one.campaignId}`)).body.code).toBe("CAMPAIGN_NOT_FOUND");
});
