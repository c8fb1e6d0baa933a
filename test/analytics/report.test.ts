import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { settleHits } from "../../store/tracking/settle-hits.ts";
import { answerOf, type Inbox, startInbox } from "../inbox/inbox-parts.ts";
import { startWorld, type World } from "../support/world.ts";
import { visit } from "../tracking/tracked.ts";
import { rollUpAll, SENT_AT, writtenTo } from "./reported.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());

const berlin = async (inbox: Inbox) => {
  await inbox.rest.post("/workspace", { action: "update", patch: { timezone: "Europe/Berlin" } });
  return inbox;
};
const RANGE = "from=2026-10-24&to=2026-10-26";
type Row = { key: string | null; name: string | null } & Record<string, unknown>;

/**
 * Two campaigns: Ada was written to on Saturday at 22:00 of Berlin and answered in the second of Sunday's two hours
 * from two to three; Bob was written to in the first of the two, and followed a link on Monday.
 */
async function weekend() {
  const inbox = await berlin(await startInbox(world));
  const ada = await writtenTo(inbox, "ada@b.test");
  const bob = await writtenTo(inbox, "bob@c.test", new Date("2026-10-25T00:30:00Z"));
  await inbox.arrive(answerOf(ada, "Tell me more."), { receivedAt: new Date("2026-10-25T01:30:00Z") });
  const at = new Date("2026-10-26T10:00:00Z");
  await visit(
    bob.send,
    { at, dueAt: at },
    { at: new Date(at.getTime() + MINUTE_MS), link: 0 },
    { at: new Date(at.getTime() + HOUR_MS), link: 0 },
  );
  while ((await settleHits({ scanners: [], relays: [] })) > 0) {
    // As long as any are due
  }
  return { inbox, ada, bob };
}

const read = async ({ rest }: Inbox, query: string) => {
  const { status, body } = await rest.get(`/analytics/report?${query}`);
  expect([status, body.message]).toEqual([200, undefined]);
  return body as { from: string; to: string; timezone: string; totals: Record<string, unknown>; rows: Row[] };
};

test.each([["before", false] as const, ["after", true] as const])(
  "every grouping of a report counts each event at its own time, %s the days are stored",
  async (_, isStored) => {
    const { inbox, ada, bob } = await weekend();
    if (isStored) await rollUpAll(inbox.workspaceId);
    const report = (groupBy: string) => read(inbox, `${RANGE}&groupBy=${groupBy}`);
    const pairs = (rows: Row[], ...figures: string[]) =>
      rows.map((row) => [row.key, ...figures.map((figure) => row[figure])]);
    const whole = await report("NONE");
    expect(whole).toMatchObject({ from: "2026-10-24", to: "2026-10-26", timezone: "Europe/Berlin" });
    const all = {
      recipients: 2,
      contacted: 2,
      sent: 2,
      delivered: 2,
      opened: 1,
      proxyOpened: 0,
      clicked: 1,
      replied: 1,
      replyRate: 0.5,
      bounceRate: 0,
    };
    expect(whole.totals).toMatchObject(all);
    expect(whole.rows).toMatchObject([{ key: "ALL", name: null, ...all }]);
    const days = await report("DAY");
    expect(pairs(days.rows, "sent", "contacted", "replied", "clicked", "replyRate", "recipients")).toEqual([
      ["2026-10-24", 1, 1, 0, 0, null, null],
      ["2026-10-25", 1, 1, 1, 0, null, null],
      ["2026-10-26", 0, 0, 0, 1, null, null],
    ]);
    expect(days.totals).toMatchObject(all);
    expect(pairs((await report("WEEK")).rows, "sent", "clicked")).toEqual([
      ["2026-W43", 2, 0],
      ["2026-W44", 0, 1],
    ]);
    expect(pairs((await report("MONTH")).rows, "sent")).toEqual([["2026-10", 2]]);
    const hours = (await report("HOUR_OF_WEEK")).rows;
    expect(hours).toHaveLength(7 * 24);
    expect(
      pairs(hours, "sent", "replied", "clicked").filter(([, ...counts]) => counts.some((count) => count !== 0)),
    ).toEqual([
      ["MON-11", 0, 0, 1],
      ["SAT-22", 1, 0, 0],
      ["SUN-02", 1, 1, 0],
    ]);
    const campaigns = (await report("CAMPAIGN")).rows;
    expect(
      campaigns
        .map(({ key, campaignId, name, replied, recipients }) => [key, campaignId, name, replied, recipients])
        .sort(),
    ).toEqual(
      [
        [ada.recipient.campaignId, ada.recipient.campaignId, "c", 1, 1],
        [bob.recipient.campaignId, bob.recipient.campaignId, "c", 0, 1],
      ].sort(),
    );
    const steps = await read(inbox, `${RANGE}&groupBy=STEP&campaignIds=${bob.recipient.campaignId}`);
    expect(steps.rows).toMatchObject([
      { key: "stp_one", name: "Step 1", contacted: 1, opened: 1, clicked: 1, replied: 0 },
    ]);
    expect(steps.totals).toMatchObject({ recipients: 1, contacted: 1 });
    expect((await read(inbox, `${RANGE}&groupBy=VARIANT&campaignIds=${bob.recipient.campaignId}`)).rows).toMatchObject([
      { key: "var_a", stepId: "stp_one", sent: 1 },
    ]);
    expect((await report("MAILBOX")).rows).toMatchObject([
      { key: inbox.mailbox._id, name: inbox.mailbox.email, sent: 2, replied: 1 },
    ]);
    expect((await read(inbox, `${RANGE}&mailboxIds=mbx_none`)).totals).toMatchObject({
      sent: 0,
      replied: 0,
      recipients: null,
    });
  },
);

test("a report contains only the requested figures, and money by currency", async () => {
  const { inbox, ada } = await weekend();
  const outcome = {
    action: "updateOutcome",
    recipientId: ada.recipient._id,
    revenueAmount: "1200.50",
    revenueCurrency: "EUR",
  };
  await inbox.rest.post(`/campaigns/${ada.recipient.campaignId}/recipients`, outcome);
  const { totals, rows } = await read(inbox, "from=2026-10-24&groupBy=CAMPAIGN&metrics=revenue,replied");
  expect(totals).toEqual({ replied: 1, revenue: [{ currency: "EUR", amount: "1200.50" }] });
  expect(Object.keys(rows[0] ?? {}).sort()).toEqual(["campaignId", "key", "name", "replied", "revenue", "stepId"]);
});

test("opens and clicks are null where no email was tracked, also per campaign", async () => {
  const { inbox, ada, bob } = await weekend();
  await scoped(inbox.workspaceId).Send.updateOne({ _id: ada.send._id }, { $set: { tracking: null } });
  const { rows, totals } = await read(inbox, `${RANGE}&groupBy=CAMPAIGN`);
  expect(totals).toMatchObject({ opened: 1, clicked: 1 });
  const of = (id: string) => rows.find(({ key }) => key === id);
  expect(of(ada.recipient.campaignId)).toMatchObject({ opened: null, proxyOpened: null, clicked: null });
  expect(of(bob.recipient.campaignId)).toMatchObject({ opened: 1, proxyOpened: 0, clicked: 1 });
  expect(
    (await read(inbox, `from=2026-10-01&to=2026-10-02&campaignIds=${bob.recipient.campaignId}`)).totals,
  ).toMatchObject({ opened: 0 });
});

test("links are counted by address and step, without personal parameters, with pages and as CSV", async () => {
  const { inbox, ada, bob } = await weekend();
  const robot = { at: new Date("2026-10-26T11:30:00Z"), dueAt: null, hitClass: "BOT" as const, link: 0 };
  await visit(bob.send, robot);
  const url = "https://shop.test/0?svc=abc&x=1#p";
  const { Conversion, ActivityEvent } = scoped(inbox.workspaceId);
  const ids = { campaignId: bob.recipient.campaignId, recipientId: bob.recipient._id };
  const bought = {
    ...ids,
    cid: bob.recipient.cid,
    stepId: "stp_one",
    variantId: "var_a",
    url,
    eventId: "e1",
    status: "accepted" as const,
  };
  await Conversion.insert({
    _id: newId("cnv"),
    ...bought,
    type: "SIGNUP",
    receivedAt: new Date("2026-10-26T12:00:00Z"),
  });
  await ActivityEvent.insert({ _id: newId("evt"), type: "CONVERTED", at: new Date("2026-10-26T12:00:00Z"), ...ids });
  for (const isStored of [false, true]) {
    if (isStored) await rollUpAll(inbox.workspaceId);
    const { body } = await inbox.rest.get(`/analytics/links?${RANGE}`);
    expect(body).toMatchObject({ total: 2, page: 1 });
    expect(body.items).toEqual([
      {
        url: "https://shop.test/0",
        campaignId: ids.campaignId,
        stepId: "stp_one",
        clicks: 2,
        uniqueClicks: 1,
        conversions: 0,
      },
      {
        url: "https://shop.test/0?x=1#p",
        campaignId: ids.campaignId,
        stepId: "stp_one",
        clicks: 0,
        uniqueClicks: 0,
        conversions: 1,
      },
    ]);
    expect(
      (await inbox.rest.get(`/analytics/links?${RANGE}&sort=-conversions&pageSize=1&page=2`)).body.items,
    ).toMatchObject([{ clicks: 2 }]);
    expect(
      (await inbox.rest.get(`/analytics/links?${RANGE}&campaignId=${ada.recipient.campaignId}`)).body,
    ).toMatchObject({
      total: 0,
      items: [],
    });
  }
  const { content } = (await inbox.rest.get(`/analytics/links/export?${RANGE}`)).body;
  expect(content.split("\r\n").slice(0, 2)).toEqual([
    "url,campaignId,stepId,clicks,uniqueClicks,conversions",
    `https://shop.test/0,${ids.campaignId},stp_one,2,1,0`,
  ]);
});

test("an exported report has the same figures as CSV", async () => {
  const { inbox } = await weekend();
  const { body } = await inbox.rest.get(`/analytics/report/export?${RANGE}&groupBy=DAY&metrics=sent,replied,revenue`);
  expect(body).toMatchObject({ format: "CSV", rowCount: 3, url: null });
  expect(body.content).toBe(
    "key,name,sent,replied,revenue\r\n2026-10-24,,1,0,\r\n2026-10-25,,1,1,\r\n2026-10-26,,0,0,\r\n",
  );
});

test.each([
  ["from=2026-10-26&to=2026-10-24", "from", "OUT_OF_ORDER"],
  ["from=2001-01-01&to=2026-10-24", "from", "TOO_LONG"],
  ["from=yesterday", "from", expect.any(String)],
  ["from=2026-02-30", "from", expect.any(String)],
  ["groupBy=YEAR", "groupBy", expect.any(String)],
  ["metrics=sent,secrets", "metrics", expect.any(String)],
])("a report with %s is refused", async (query, path, code) => {
  const { rest } = await world.workspace();
  const { status, body } = await rest.get(`/analytics/report?${query}`);
  expect([status, body.code, body.details.issues[0]]).toMatchObject([400, "VALIDATION_FAILED", { path, code }]);
});

test("a report is of its own workspace, requires the read scope, and covers the last 30 days by default", async () => {
  const { inbox, ada } = await weekend();
  const stranger = await world.workspace();
  expect(await stranger.rest.get(`/analytics/report?campaignIds=${ada.recipient.campaignId}`)).toMatchObject({
    status: 404,
    body: { code: "CAMPAIGN_NOT_FOUND" },
  });
  expect((await stranger.rest.get("/analytics/report?from=2026-10-01")).body.totals).toMatchObject({
    sent: 0,
    recipients: 0,
    opened: null,
  });
  expect((await stranger.rest.get(`/analytics/links?campaignId=${ada.recipient.campaignId}`)).status).toBe(404);
  const blind = await world.workspace("campaigns:read");
  for (const path of ["report", "report/export", "links", "links/export"])
    expect((await blind.rest.get(`/analytics/${path}`)).status).toBe(403);
  const { from, to } = await read(inbox, "");
  expect((Date.parse(to) - Date.parse(from)) / DAY_MS).toBe(29);
  expect(SENT_AT).toBeLessThan(Date.now());
});
