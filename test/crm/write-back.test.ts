import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import type { HistoryEvent } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { raiseLead } from "../../store/leads/status.ts";
import { emit } from "../../store/outbox.ts";
import { people, REFUSALS } from "../fakes/crm.ts";
import { type Connected, type CrmWorld, SEGMENT, startCrmWorld, VENDORS, type Vendor } from "./crm-world.ts";

let crms: CrmWorld;
beforeAll(async () => {
  crms = await startCrmWorld();
}, 120_000);
afterAll(() => crms.close(), 60_000);

afterEach(async () => {
  const { crm } = crms;
  crm.segments.clear();
  for (const list of [crm.asked, crm.grants, crm.written]) list.length = 0;
  Object.assign(crm.settings, { pageSize: 500, fault: () => null, grantFault: () => null });
});

/** A connection whose three contacts are leads, and what happens to the first. */
async function withLeads(vendor: Vendor, writeBack: object | null = { activities: true, doNotContact: true }) {
  const connection = await crms.connected(vendor);
  crms.crm.segments.set(SEGMENT[vendor], [...people(2), { id: 3, email: "out@x.example", isOptedOut: true }]);
  await connection.imported(SEGMENT[vendor]);
  const { rest, connectionId, workspaceId } = connection;
  if (writeBack !== null)
    expect(
      (await rest.post("/crm/connect", { action: "update", connectionId, writeBack })).body.writeBack,
    ).toMatchObject(writeBack);
  const lead = await scoped(workspaceId).Lead.findOne({ email: "p1@x.example" });
  const { body: campaign } = await rest.post("/campaigns", { name: "Spring" });
  const happens = (type: HistoryEvent, data: Record<string, unknown> = {}) =>
    inTransaction(() => emit(workspaceId, { type, leadId: lead?._id ?? null, campaignId: campaign.id, data }));
  return { ...connection, leadId: lead?._id ?? "", happens };
}

/** Ends what a test turned on, so that the rounds of other tests do not find it. */
async function off({ rest, connectionId }: Connected): Promise<void> {
  await rest.post("/crm/connect", { action: "disconnect", connectionId });
}

test.each(VENDORS)(
  "%s receives each email, reply, bounce, meeting and suppression once, on the contact",
  async (vendor) => {
    const { crm, round } = crms;
    const one = await withLeads(vendor);
    const { workspaceId, leadId, rest, happens } = one;
    await happens("SENT");
    await happens("REPLIED", { messageId: "msg_1" });
    await happens("BOUNCED");
    await inTransaction(() => raiseLead(workspaceId, leadId, "MEETING_BOOKED", "test"));
    await happens("OPEN"); // of no interest to it
    await rest.post("/leads/suppress", { action: "suppress", ids: [leadId] });
    expect(await round("writeCrmBack")).toBe(5);
    expect(await round("writeCrmBack")).toBe(0);
    const contact = vendor === "SALESFORCE" ? "0031" : "1";
    const written = crm.written.map(({ what, record }) => [what, record]);
    const expected: Record<Vendor, [string, string][]> = {
      HUBSPOT: [
        ...Array<[string, string]>(3).fill(["emails", contact]),
        ["meetings", contact],
        ["unsubscribe", "p1@x.example"],
      ],
      SALESFORCE: [...Array<[string, string]>(4).fill(["Task", contact]), ["PATCH", "Contact/0031"]],
      PIPEDRIVE: [...Array<[string, string]>(4).fill(["activity", contact]), ["person", contact]],
    };
    expect(written.toSorted()).toEqual(expected[vendor].toSorted());
    const told = JSON.stringify(crm.written.map(({ body }) => body));
    expect(told).toContain("Mail sent: Spring");
    expect(told).toContain("Meeting booked");
    const activities = await scoped(workspaceId).CrmActivity.find();
    expect(activities.map(({ state }) => state)).toEqual(Array(5).fill("DONE"));
    await off(one);
  },
);

test("write-back reports only events after the switch-on, and only about contacts from the CRM", async () => {
  const { crm, round } = crms;
  const one = await withLeads("PIPEDRIVE", null);
  const { rest, workspaceId, connectionId, leadId, happens } = one;
  await happens("SENT");
  expect(await round("writeCrmBack")).toBe(0);
  await rest.post("/crm/connect", { action: "update", connectionId, writeBack: { activities: true } });
  const { body: stranger } = await rest.post("/leads", { email: "stranger@x.example" });
  await inTransaction(() => emit(workspaceId, { type: "SENT", leadId: stranger.id }));
  await rest.post("/leads/suppress", { action: "suppress", ids: [leadId] }); // doNotContact is off
  expect(await round("writeCrmBack")).toBe(0);
  expect(crm.written).toEqual([]);
  expect((await rest.post("/crm/connect", { action: "update", connectionId, writeBack: {} })).body.code).toBe(
    "VALIDATION_FAILED",
  );
  await off(one);
});

test("a contact who opted out in the CRM is suppressed here, and the suppression is not written back", async () => {
  const { crm, round } = crms;
  const one = await withLeads("PIPEDRIVE");
  const out = await scoped(one.workspaceId).Lead.findOne({ email: "out@x.example" });
  expect(out).toMatchObject({ suppressed: true, suppressionReason: "UNSUBSCRIBED" });
  // A lead whose opt-out is found while everything is written back
  crm.segments.set("7", [{ id: 4, email: "late@x.example", isOptedOut: true }]);
  await one.imported("7");
  expect(await scoped(one.workspaceId).Lead.findOne({ email: "late@x.example" })).toMatchObject({ suppressed: true });
  await round("writeCrmBack");
  expect(crm.written).toEqual([]);
  await off(one);
});

test("a rate limit postpones the remaining activities, and an activity that may have been written is not written again", async () => {
  const { crm, round } = crms;
  const one = await withLeads("PIPEDRIVE");
  const { workspaceId, happens } = one;
  const { CrmActivity } = scoped(workspaceId);
  await happens("SENT");
  await happens("REPLIED");
  crm.settings.fault = ({ path }) => (path.endsWith("/activities") ? REFUSALS.PIPEDRIVE.day : null);
  expect(await round("writeCrmBack")).toBe(0);
  const put = await CrmActivity.find({}, { sort: { attempts: -1 } });
  expect(put).toMatchObject([
    { state: "PENDING", error: "DAY_USED_UP", attempts: 1 },
    { state: "PENDING", attempts: 0 },
  ]);
  expect((put[0]?.dueAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(30_000_000);
  crm.settings.fault = () => null;
  await CrmActivity.updateMany({}, { $set: { dueAt: new Date() } });
  expect(await round("writeCrmBack")).toBe(2);
  await happens("BOUNCED");
  crm.settings.fault = ({ path }) => (path.endsWith("/activities") ? "reset" : null);
  expect(await round("writeCrmBack")).toBe(0);
  crm.settings.fault = () => null;
  expect(await round("writeCrmBack")).toBe(0);
  expect(await CrmActivity.find({ state: "UNKNOWN" })).toMatchObject([{ deed: "BOUNCED", error: "AWAY" }]);
  // Killed in the middle: a process had taken it up, and no one knows whether it was written
  await happens("SENT");
  const [event] = await scoped(workspaceId).ActivityEvent.find({ type: "SENT" }, { sort: { _id: -1 }, limit: 1 });
  const [known] = await CrmActivity.find({}, { limit: 1 });
  const { recordId = "", email = "", connectionId = "" } = known ?? {};
  const taken = { deed: "SENT", at: new Date(), state: "WRITING", dueAt: new Date() } as const;
  await CrmActivity.insert({ _id: `${connectionId}:${event?._id}`, connectionId, recordId, email, ...taken });
  const before = crm.written.length;
  expect(await round("writeCrmBack")).toBe(0);
  expect(crm.written.length).toBe(before);
  expect(await CrmActivity.count({ state: "UNKNOWN" })).toBe(2);
  await off(one);
});
