import { expect, test } from "@jest/globals";
import { asksApproval, contentHash } from "../../../domain/campaigns/approval.ts";

test.each([
  ["NONE", 0, false],
  ["NONE", 3, false],
  ["FIRST_SEND", 0, true],
  ["FIRST_SEND", 1, false],
  ["ALL", 0, true],
  ["ALL", 3, true],
] as const)(
  "under %s the next email to a recipient that has had %d emails needs an approval: %s",
  (approvalMode, sentCount, isAsked) => {
    expect(asksApproval({ approvalMode }, sentCount)).toBe(isAsked);
  },
);

const LINK = "https://a.test/u/1";
const mail = { subject: "Hi", text: `Hello\n${LINK}`, html: `<p>Hello <a href="${LINK}">stop</a></p>` };

test("an approval covers subject, text and HTML, but not the address of the unsubscribe link", () => {
  const approved = contentHash(mail, LINK);
  expect(
    contentHash(JSON.parse(JSON.stringify(mail).replaceAll(LINK, "https://b.test/u/22")), "https://b.test/u/22"),
  ).toBe(approved);
  const others = [
    { ...mail, subject: "Hi!" },
    { ...mail, text: `${mail.text}.` },
    { ...mail, html: null },
    { ...mail, html: mail.html.replace("stop", "go on") },
    { ...mail, subject: `Hi${mail.text}`, text: "" },
  ];
  expect(new Set([approved, ...others.map((other) => contentHash(other, LINK))]).size).toBe(others.length + 1);
});
