import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { parseInbound } from "../../connectors/mime/parse.ts";
import { readCalendarReply } from "../../domain/inbox/calendar-reply.ts";
import { scoped } from "../../models/scoped.ts";
import { startWorld, type World } from "../support/world.ts";
import { answerOf, type Inbox, type Person, startInbox } from "./inbox-parts.ts";

let world: World;
let inbox: Inbox;
beforeAll(async () => {
  world = await startWorld();
});
beforeEach(async () => {
  inbox = await startInbox(world);
});
afterAll(() => world.close());

const answer = ({
  method = "REPLY",
  attendee = "bob@b.test",
  organizer = "ann@a.test",
  partstat = "ACCEPTED",
  more = "",
} = {}) =>
  [
    "BEGIN:VCALENDAR",
    `METHOD:${method}`,
    "BEGIN:VEVENT",
    "UID:1@a.test",
    `ORGANIZER;CN="Ann: us":mailto:${organizer}`,
    `ATTENDEE;CN="B;PARTSTAT=ACCEPTED";PARTSTAT=${partstat};CUTYPE=INDIVI`,
    ` DUAL:MAILTO:${attendee.toUpperCase()}`,
    more,
    "END:VEVENT",
    "END:VCALENDAR",
  ].join("\r\n");
const recipientNow = ({ recipient }: Person) => scoped(inbox.workspaceId).Recipient.get(recipient._id);

test("an answer to an invitation is parsed with folded lines and quoted parameters, and other calendar data is ignored", () => {
  expect(readCalendarReply(answer())).toEqual({ organizer: "ann@a.test", attendee: "bob@b.test", isAccepted: true });
  expect(readCalendarReply(answer({ partstat: "DECLINED" }))?.isAccepted).toBe(false);
  expect(readCalendarReply(answer({ method: "REQUEST" }))).toBeNull();
  expect(readCalendarReply(answer({ more: "ATTENDEE;PARTSTAT=ACCEPTED:mailto:eva@b.test" }))).toBeNull();
  expect(readCalendarReply(answer({ attendee: "nobody" }))).toBeNull();
  for (const text of ["", "METHOD:REPLY", "\n".repeat(70_000)]) expect(readCalendarReply(text)).toBeNull();
});

test("the calendar part of an email is found beside a text and as an attachment", () => {
  const mail = (type: string) => `From: bob@b.test\r\nContent-Type: ${type}\r\n\r\n${answer()}`;
  expect(parseInbound(Buffer.from(mail("text/calendar; method=REPLY"))).calendar).toContain("METHOD:REPLY");
  expect(parseInbound(Buffer.from(mail("text/plain"))).calendar).toBeUndefined();
});

test("a person who accepts an invitation in a reply has booked a meeting, once, and the sequence ends", async () => {
  const person = await inbox.contacted("bob@b.test");
  const stored = await inbox.arrive({ ...answerOf(person, "Accepted"), calendar: answer() });
  expect(stored.category).toBe("MEETING_BOOKED");
  const after = await recipientNow(person);
  expect(after).toMatchObject({ meetingBooked: true, meetingBookedAt: expect.any(Date) });
  await inbox.arrive({ ...answerOf(person, "Accepted again"), calendar: answer() });
  expect((await recipientNow(person))?.meetingBookedAt).toEqual(after?.meetingBookedAt);
  expect(await scoped(inbox.workspaceId).Lead.get(person.recipient.leadId)).toMatchObject({ status: "MEETING_BOOKED" });
});

test("an answer by someone else, a forged answer and a declined invitation book nothing", async () => {
  const person = await inbox.contacted("bob@b.test");
  await inbox.arrive({ ...answerOf(person, "No"), calendar: answer({ partstat: "DECLINED" }) });
  await inbox.arrive({ ...answerOf(person, "Hm"), calendar: answer({ partstat: "TENTATIVE" }) });
  await inbox.arrive({ ...answerOf(person, "Yes"), calendar: answer({ attendee: "eva@b.test" }) });
  await inbox.arrive({ ...answerOf(person, "Yes"), calendar: answer() }, { authentication: "FAIL" });
  expect((await recipientNow(person))?.meetingBooked).toBe(false);
});

test("a person who accepts an invitation from the mailbox has booked a meeting, if the sender's address is authenticated", async () => {
  const person = await inbox.contacted("bob@b.test");
  const invited = {
    from: "bob@b.test",
    subject: "Accepted: Widgets",
    calendar: answer({ organizer: inbox.mailbox.email }),
  };
  await inbox.arrive(invited, { authentication: "NONE" });
  expect((await recipientNow(person))?.meetingBooked).toBe(false);
  await inbox.arrive({ ...invited, calendar: answer({ organizer: "eva@else.test" }) }, { authentication: "PASS" });
  expect((await recipientNow(person))?.meetingBooked).toBe(false);
  await inbox.arrive(invited, { authentication: "PASS" });
  expect((await recipientNow(person))?.meetingBooked).toBe(true);
});
