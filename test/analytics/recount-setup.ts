import { afterAll, beforeAll, expect } from "@jest/globals";
import fc from "fast-check";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { readNetworks } from "../../domain/tracking/networks.ts";
import { scoped } from "../../models/scoped.ts";
import { receiveConversions } from "../../store/tracking/convert.ts";
import { reclassifyPage } from "../../store/tracking/reclassify.ts";
import { type KnownNetworks, settleHits } from "../../store/tracking/settle-hits.ts";
import { answerOf, type Inbox, type Person, startInbox } from "../inbox/inbox-parts.ts";
import { startWorld, type World } from "../support/world.ts";
import { CHROME, visit } from "../tracking/tracked.ts";
import { rollUpAll, SENT_AT, writtenTo } from "./reported.ts";

let world: World;

const NOWHERE: KnownNetworks = { scanners: [], relays: [] };

const SCANNERS: KnownNetworks = { scanners: readNetworks("198.51.100.0/24"), relays: [] };

const AUTOMATIC = { headers: new Map([["auto-submitted", ["auto-replied"]]]) };

const CATEGORIES = ["INTERESTED", "NOT_INTERESTED", "OUT_OF_OFFICE", "MEETING_BOOKED", "LATER"] as const;

const ZONES = ["Europe/Berlin", "America/New_York", "Asia/Kathmandu"] as const;

const deeds = [
  ...([
    "reply",
    "autoReply",
    "categorise",
    "hit",
    "bounce",
    "softBounce",
    "confirm",
    "outcome",
    "buy",
    "reclassify",
  ] as const),
  ...(["erase", "rollUp", "moveZone"] as const),
] as const;

export const deed = fc.record({
  what: fc.constantFrom(...deeds),
  who: fc.nat(2),
  /** After the mail. */
  minutes: fc.nat(6 * 24 * 60),
  choice: fc.nat(3),
});

export type Deed = typeof deed extends fc.Arbitrary<infer D> ? D : never;

async function settleAll(networks: KnownNetworks): Promise<void> {
  while ((await settleHits(networks)) > 0) {
    // As long as any are due
  }
}

function report(person: Person, status: string, diagnostic: string) {
  const returned = `Message-ID: ${person.send.messageId}\nSubject: Hello\n`;
  const block = `Final-Recipient: rfc822; ${person.recipient.email}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${diagnostic}\n`;
  const types = { contentType: "multipart/report", reportType: "delivery-status" };
  return {
    from: "MAILER-DAEMON@b.test",
    subject: "Undelivered Mail Returned to Sender",
    ...types,
    deliveryStatus: `Reporting-MTA: dns; mx.b.test\n\n${block}`,
    returned,
  };
}

/** One person whose mail went out days ago; the next one's has an unknown outcome; a third one was sent two emails. */
async function people(inbox: Inbox, count: number): Promise<Person[]> {
  const all: Person[] = [];
  for (const [index, email] of ["ada@b.test", "bob@c.test", "cyd@d.test"].slice(0, count).entries())
    all.push(await writtenTo(inbox, email, new Date(SENT_AT + index * 5 * HOUR_MS)));
  if (count === 1) return all;
  const { Recipient, Send } = scoped(inbox.workspaceId);
  await Send.updateOne({ _id: all[1]?.send._id }, { $set: { state: "UNKNOWN", sentAt: null, unknownAt: new Date() } });
  await Recipient.updateOne(
    { _id: all[1]?.recipient._id },
    { $set: { sentCount: 0, lastSentAt: null, currentStepId: null, nextStepId: "stp_one" } },
  );
  return all;
}

/** Only a call that an earlier deed has made impossible may be refused. */
async function done(answer: Promise<{ status: number }>): Promise<void> {
  expect([200, 404, 409]).toContain((await answer).status);
}

async function moveTo({ rest }: Inbox, timezone: string | undefined): Promise<void> {
  expect(await rest.post("/workspace", { action: "update", patch: { timezone } })).toMatchObject({
    status: 200,
    body: { timezone },
  });
}

export async function does(inbox: Inbox, all: readonly Person[], { what, who, minutes, choice }: Deed): Promise<void> {
  const { workspaceId, rest } = inbox;
  const person = all[who];
  if (person === undefined) return;
  const { recipient, send } = person;
  const at = new Date(SENT_AT + DAY_MS + minutes * MINUTE_MS);
  switch (what) {
    case "reply":
      await inbox.arrive(answerOf(person, "Tell me more."), { receivedAt: at });
      return;
    case "autoReply":
      await inbox.arrive({ ...answerOf(person, "I am away."), ...AUTOMATIC }, { receivedAt: at });
      return;
    case "categorise": {
      const messages = await scoped(workspaceId).Message.find(
        { recipientId: recipient._id, direction: "INBOUND" },
        { sort: { _id: -1 } },
      );
      const message = messages[choice % Math.max(1, messages.length)];
      if (message)
        await done(
          rest.post(`/inbox/messages/${message._id}/category`, { category: CATEGORIES[minutes % CATEGORIES.length] }),
        );
      return;
    }
    case "hit":
      // The link at once, or days after the pixel
      await visit(
        send,
        { at, dueAt: at },
        { at: new Date(at.getTime() + (choice > 1 ? 2 * DAY_MS : MINUTE_MS)), link: choice % 2, agent: CHROME },
      );
      await settleAll(NOWHERE);
      return;
    case "bounce":
      await inbox.arrive(report(person, "5.1.1", "550 5.1.1 User unknown"));
      return;
    case "softBounce":
      await inbox.arrive(report(person, "4.2.2", "452 4.2.2 Mailbox full"));
      return;
    case "confirm":
      await done(rest.post(`/campaigns/${recipient.campaignId}/sends/${send._id}/resolve`, { action: "markSent" }));
      return;
    case "outcome": {
      const revenue = choice > 1 ? { revenueAmount: null } : { revenueAmount: `${minutes}.5`, revenueCurrency: "EUR" };
      const told = {
        recipientId: recipient._id,
        meetingBooked: choice % 2 === 0,
        meetingBookedAt: at.toISOString(),
        ...revenue,
      };
      await done(rest.post(`/campaigns/${recipient.campaignId}/recipients`, { action: "updateOutcome", ...told }));
      return;
    }
    case "buy": {
      const bought = {
        event_name: "Purchase",
        user_data: { cid: recipient.cid },
        custom_data: { value: minutes, currency: "EUR" },
      };
      await receiveConversions([bought], "SERVER");
      return;
    }
    case "reclassify":
      await reclassifyPage(null, choice % 2 === 0 ? SCANNERS : NOWHERE);
      return;
    case "erase":
      // Rarely, since little happens to the person afterwards
      if (choice === 0) await done(rest.post("/leads/manage", { action: "delete", leadId: recipient.leadId }));
      return;
    case "rollUp":
      await rollUpAll(workspaceId);
      return;
    case "moveZone":
      await moveTo(inbox, ZONES[minutes % 3]);
  }
}

export async function begin(count: number): Promise<{ inbox: Inbox; written: Person[] }> {
  const inbox = await startInbox(world);
  await moveTo(inbox, "Europe/Berlin");
  const written = await people(inbox, count);
  await rollUpAll(inbox.workspaceId);
  return { inbox, written };
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld({ apart: true });
  });
  afterAll(() => world.close());
}
