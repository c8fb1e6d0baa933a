import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { sentimentOf } from "../../../domain/inbox/category.ts";
import { emptyThread, snippetOf, type ThreadMail, withMail } from "../../../domain/inbox/thread.ts";

const OWN = "ann@a.test";
const mail = (at: number, more: Partial<ThreadMail> = {}): ThreadMail => ({
  direction: "INBOUND",
  at: new Date(at),
  subject: "s",
  text: `at ${at}`,
  hasAttachments: false,
  news: null,
  people: [{ name: "Bob", address: "bob@b.test" }],
  ...more,
});
const threadOf = (mails: ThreadMail[]) =>
  mails.reduce((thread, one) => withMail(thread, one, OWN), emptyThread("Über Größe", new Date(0)));

test("in any order of arrival, a thread shows its latest email", () => {
  const times = fc.uniqueArray(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(times, (order) => {
      const last = Math.max(...order);
      expect(threadOf(order.map((at) => mail(at)))).toMatchObject({
        messageCount: order.length,
        lastMessageAt: new Date(last),
        snippet: `at ${last}`,
      });
    }),
  );
});

test("a person is listed once in a thread, under the first name given, and the mailbox itself is not listed", () => {
  const people = [
    { name: "", address: "bob@b.test" },
    { name: "Me", address: OWN },
    { name: "Cy", address: "cy@b.test" },
  ];
  const thread = threadOf([
    mail(1, { people }),
    mail(2, { people: [{ name: "Bob", address: "bob@b.test" }] }),
    mail(3, { people: [{ name: "Robert", address: "bob@b.test" }] }),
  ]);
  expect(thread.participants).toEqual([
    { name: "Bob", address: "bob@b.test" },
    { name: "Cy", address: "cy@b.test" },
  ]);
  expect(thread.searchWords).toEqual(
    expect.arrayContaining(["bob@b.test", "b.test", "bob", "cy", "uber", "grosse", "at", "3"]),
  );
});

test("many participants and a very long subject are cut to the stored limits", () => {
  const crowd = Array.from({ length: 500 }, (_, n) => ({ name: `N${n}`, address: `n${n}@b.test` }));
  const thread = withMail(
    emptyThread("word ".repeat(5_000), new Date(0)),
    mail(1, { people: crowd, text: "💥".repeat(10_000) }),
    OWN,
  );
  expect([thread.participants.length, thread.searchWords.length]).toEqual([50, 102]); // each has an address and a name
  expect(Array.from(thread.snippet)).toHaveLength(200);
  expect(thread.snippet.isWellFormed()).toBe(true);
});

test("a new email reopens a thread, our reply marks the thread read, and an old email does neither", () => {
  const put = { ...threadOf([mail(1)]), isArchived: true, isRead: true, unreadCount: 0 };
  expect(withMail(put, mail(2, { news: "NEW" }), OWN)).toMatchObject({
    isArchived: false,
    isRead: false,
    unreadCount: 1,
  });
  expect(withMail(put, mail(2), OWN)).toMatchObject({ isArchived: true, isRead: true, unreadCount: 0 });
  const unread = { ...put, isRead: false, unreadCount: 3 };
  expect(withMail(unread, mail(2, { direction: "OUTBOUND", news: "SEEN" }), OWN)).toMatchObject({
    isArchived: true,
    isRead: true,
    unreadCount: 0,
  });
});

test("a snippet is a single line", () => {
  expect(snippetOf("  Hello\n\n  there\t you ")).toBe("Hello there you");
});

test.each([
  [null, null],
  ["INTERESTED", "POSITIVE"],
  ["REFERRAL", "POSITIVE"],
  ["OUT_OF_OFFICE", "NEUTRAL"],
  ["my own", "NEUTRAL"],
  ["UNSUBSCRIBE", "NEGATIVE"],
])("a reply of the category %j has the sentiment %j", (category, sentiment) => {
  expect(sentimentOf(category)).toBe(sentiment);
});
