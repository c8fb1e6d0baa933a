import { expect, test } from "@jest/globals";
import { sendErrorOf } from "../../../domain/sending/send-error.ts";

test.each([
  ["RECIPIENT_SUPPRESSED", "RECIPIENT_SUPPRESSED"],
  ["MAILBOX_DISCONNECTED", "NO_SENDING_MAILBOX"],
  ["MAILBOX_UNAVAILABLE", "NO_SENDING_MAILBOX"],
  ["BLOCKED", "NO_SENDING_MAILBOX"],
  ["DAILY_LIMIT", "LIMIT_EXCEEDED"],
  ["LIMIT_EXCEEDED", "LIMIT_EXCEEDED"],
  ["AUTH_FAILED", "SEND_FAILED"],
  ["WORKSPACE_SUSPENDED", "SEND_FAILED"],
])("a send that fails for the reason %s returns the error %s with status 422", (reason, code) => {
  expect(sendErrorOf({ reason, code: null })).toMatchObject({ code, status: 422 });
});

test.each(["DAILY_LIMIT", "WORKSPACE_LIMIT", "PROVIDER_LIMIT"])(
  "a send that fails for the daily limit %s says when the next day begins",
  (reason) => {
    const { message, details } = sendErrorOf({ reason, code: null }, new Date("2026-11-24T23:59:59.999Z"));
    expect(details).toMatchObject({ resetsAt: "2026-11-25T00:00:00.000Z" });
    expect(message).toMatch(/: it can send again at 2026-11-25T00:00:00\.000Z$/);
    expect(sendErrorOf({ reason, code: null }).details).not.toHaveProperty("resetsAt");
  },
);

test("a daily limit that was reached just before midnight starts anew at that midnight, also when the error is read later", () => {
  const resetsAt = new Date("2026-11-25T00:00:00.000Z");
  const read = sendErrorOf({ reason: "DAILY_LIMIT", code: null, resetsAt }, new Date("2026-11-25T00:00:00.200Z"));
  expect(read.details).toMatchObject({ resetsAt: "2026-11-25T00:00:00.000Z" });
});

test("a workspace limit of 0 does not reset, and the error says so", () => {
  const { message, details } = sendErrorOf({ reason: "WORKSPACE_LIMIT", code: null, resetsAt: null }, new Date());
  expect([message, details]).toEqual([
    "The workspace has reached its daily limit: it is 0 and does not reset",
    { limit: "workspace", resetsAt: null },
  ]);
});

test("the mail server's response and code are reported, cleaned and at most 200 characters long", () => {
  const said = `550 5.1.1 No\r\n such\u0007user ${"x".repeat(600)}`;
  const { message, details } = sendErrorOf({ reason: "REFUSED_BY_SERVER", code: "550", text: said });
  expect(details).toMatchObject({
    reason: "REFUSED_BY_SERVER",
    code: "550",
    text: expect.stringMatching(/^550 5\.1\.1 No such user x+$/),
  });
  expect(String(details?.["text"])).toHaveLength(200);
  expect(message).toMatch(/^The mail server refused the email: 550 5\.1\.1 No such user/);
});

test("an error text without an SMTP code comes from a library and is never shown", () => {
  const { message, details } = sendErrorOf({
    reason: "CONNECT_FAILED",
    code: null,
    text: "connect ECONNREFUSED 10.0.0.1:25",
  });
  expect(details).toEqual({ reason: "CONNECT_FAILED", code: null, text: null });
  expect(message).toMatch(/^The email was not sent\. The server could not be reached/);
});
