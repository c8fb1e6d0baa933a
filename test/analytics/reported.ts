import { expect } from "@jest/globals";
import mongoose from "mongoose";
import { type CountCell, cellsOf, mergedCells } from "../../domain/analytics/cells.ts";
import { DIMENSIONS_OF, GROUPS, type GroupBy } from "../../domain/analytics/groups.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { dayAt } from "../../domain/time/zone.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadHappenings } from "../../store/analytics/outcomes.ts";
import { type DaysAsked, readCells } from "../../store/analytics/read-report.ts";
import { rollUp, spanOfDays } from "../../store/analytics/roll-up.ts";
import type { Inbox, Person } from "../inbox/inbox-parts.ts";
import { carrying } from "../tracking/tracked.ts";

/** Campaigns began so long before their first email. */
const BEFORE_MS = DAY_MS;
/** Clocks go back in Berlin on the next morning. */
export const SENT_AT = Date.parse("2026-10-24T20:00:00Z");

/**
 * A person of a campaign that began long ago and has no one else. The email, with a pixel and two links, went out at
 * this instant.
 */
export async function writtenTo(inbox: Inbox, email: string, sentAt = new Date(SENT_AT)): Promise<Person> {
  const { recipient, send } = await inbox.contacted(email);
  const { Recipient, Send } = scoped(inbox.workspaceId);
  const began = new Date(sentAt.getTime() - BEFORE_MS);
  // Through the driver, since the instant of creation never changes
  const { db } = mongoose.connection;
  await db
    ?.collection<{ _id: string }>("campaigns")
    .updateOne({ _id: recipient.campaignId }, { $set: { createdAt: began, recipientCount: 1 } });
  await db
    ?.collection<{ _id: string }>("recipients")
    .updateOne({ _id: recipient._id }, { $set: { createdAt: began, lastSentAt: sentAt } });
  await Send.updateOne(
    { _id: send._id },
    { $set: { sentAt, claimedAt: sentAt, tracking: carrying(2), variantId: "var_a" } },
  );
  await Recipient.updateOne({ _id: recipient._id }, { $set: { variantByStep: { stp_one: "var_a" } } });
  const [after, mail] = [await Recipient.get(recipient._id), await Send.get(send._id)];
  if (after === null || mail === null) throw new Error("The person is gone");
  return { recipient: after, send: mail };
}

async function zoneOf(workspaceId: string): Promise<string> {
  return (await Workspace.findById(workspaceId).lean<Workspace>())?.timezone ?? "UTC";
}

/** When the rounds of most tests run. However long ago that is, they count the same days. */
const ROUND_AT = new Date("2026-11-02T00:00:00Z");

/** One round over the campaigns of a workspace. Returns how many days were counted. */
export async function rollUpAll(workspaceId: string, until = ROUND_AT): Promise<number> {
  const zone = await zoneOf(workspaceId);
  let days = 0;
  for (const campaign of await Campaign.find({ workspaceId }).lean<Campaign[]>())
    days += await rollUp(campaign, zone, until, () => {});
  return days;
}

async function allDays(workspaceId: string): Promise<DaysAsked> {
  const campaigns = await scoped(workspaceId).Campaign.find();
  const [from, to] = [dayAt("UTC", SENT_AT - BEFORE_MS) - 3, dayAt("UTC", Date.now()) + 40];
  return { workspaceId, zone: await zoneOf(workspaceId), campaignIds: campaigns.map(({ _id }) => _id), from, to };
}

/** In these kinds of groups, a report has the figures that a count of all records finds. */
export async function expectRecounted(workspaceId: string, groups: readonly GroupBy[] = GROUPS): Promise<void> {
  const asked = await allDays(workspaceId);
  const { zone, campaignIds, from, to } = asked;
  const happenings = await inTransaction(() => loadHappenings(workspaceId, campaignIds, spanOfDays(zone, from, to)));
  for (const groupBy of groups) {
    const read = await inTransaction(() => readCells(asked, groupBy, null));
    expect([groupBy, ordered(read)]).toEqual([
      groupBy,
      ordered(mergedCells(cellsOf(happenings, DIMENSIONS_OF[groupBy], zone))),
    ]);
  }
  if (groups !== GROUPS) return;
  const [mailboxId = ""] = happenings.facts.flatMap((fact) => fact.mailboxId ?? []);
  const isOf = (one: { mailboxId: string | null }) => one.mailboxId === mailboxId;
  const ofOne = { facts: happenings.facts.filter(isOf), earnings: happenings.earnings.filter(isOf) };
  for (const groupBy of ["NONE", "HOUR_OF_WEEK", "VARIANT"] satisfies GroupBy[]) {
    const read = await inTransaction(() => readCells(asked, groupBy, [mailboxId]));
    expect([groupBy, ordered(read)]).toEqual([groupBy, ordered(cellsOf(ofOne, DIMENSIONS_OF[groupBy], zone))]);
  }
}

function ordered(cells: readonly CountCell[]): string[] {
  return cells
    .map(({ currency, amount, counts, ...place }) =>
      JSON.stringify([sortedEntries(place), currency, amount === null ? null : Number(amount), sortedEntries(counts)]),
    )
    .sort();
}

function sortedEntries(of: object): [string, unknown][] {
  return Object.entries(of).sort(([one], [other]) => (one < other ? -1 : 1));
}
