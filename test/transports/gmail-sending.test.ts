import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { BearerAccess } from "../../connectors/bearer-call.ts";
import { NO_LIMITS } from "../../connectors/bearer-call.ts";
import { readHeaders } from "../../connectors/gmail/messages.ts";
import { createDraft, deleteDraft, lookAtDraft, sendDraft } from "../../connectors/gmail/send.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { answerWith, loseAnswer } from "../fakes/gmail/faults.ts";
import {
  accessNotConfigured,
  badGateway,
  dailyLimitExceeded,
  domainPolicy,
  failedPrecondition,
  retryAfter,
  userRateLimitExceeded,
} from "../fakes/gmail/refusals.ts";
import { type FakeGmail, startGmail } from "../fakes/gmail/server.ts";

const egress = createEgress({ allow: parseAllow("127.0.0.1:*"), ownAddresses: [] });
let gmail: FakeGmail;
let ann: string;
let users = 0;

beforeAll(async () => {
  gmail = await startGmail({ knows: (token) => (token.includes("@") ? token : null) });
});
beforeEach(() => {
  ann = `ann${++users}@a.test`;
  gmail.sent.length = 0;
});
afterAll(async () => {
  await gmail.close();
  await egress.close();
});

const access = (token = ann): BearerAccess => ({
  egress,
  url: gmail.url,
  token,
  signal: new AbortController().signal,
  quota: NO_LIMITS,
});

function mail(fields: Record<string, string> = {}, text = "Hello\r\n"): Buffer {
  const all = { From: ann, To: "bob@b.test", Subject: "A talk", "Message-ID": "<1@ours.test>", ...fields };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`);
}

test("an email is sent from its draft, and the Message-ID that Gmail assigned is read back", async () => {
  const draft = await createDraft(access(), mail(), null);
  expect(gmail.sent).toEqual([]);
  expect(await lookAtDraft(access(), draft)).toEqual({ kind: "draft" });
  const sent = await sendDraft(access(), draft);
  const [{ messageId, session } = { messageId: "", session: "" }] = gmail.sent;
  expect(sent).toEqual({ kind: "sent", messageId: session, threadId: draft.threadId });
  const headers = await readHeaders(access(), session, ["Message-ID"]);
  expect(headers.get("message-id")).toBe(messageId);
  expect(messageId).not.toBe("<1@ours.test>");
});

test("a follow-up joins the thread of the first email, even when its size requires an upload", async () => {
  const first = await createDraft(access(), mail(), null);
  const sent = await sendDraft(access(), first);
  const [{ messageId } = { messageId: "" }] = gmail.sent;
  const reply = { Subject: "Re: A talk", References: messageId, "In-Reply-To": messageId };
  for (const text of ["Again\r\n", `${"a".repeat(76)}\r\n`.repeat(50_000)]) {
    const draft = await createDraft(access(), mail(reply, text), first.threadId);
    expect(await sendDraft(access(), draft)).toMatchObject({ kind: "sent", threadId: first.threadId });
  }
  expect(sent.kind).toBe("sent");
  expect(gmail.sent).toHaveLength(3);
}, 30_000);

test.each(["without effect", "after the effect"] as const)(
  "when the response to a send is lost %s, the mailbox shows whether the email was sent",
  async (effect) => {
    const draft = await createDraft(access(), mail(), null);
    gmail.fault("drafts.send", loseAnswer(effect));
    expect(await sendDraft(access(), draft)).toMatchObject({ kind: "lost" });
    const left = effect === "after the effect";
    expect(gmail.sent).toHaveLength(left ? 1 : 0);
    expect(await lookAtDraft(access(), draft)).toEqual(
      left ? { kind: "gone", sent: [{ id: gmail.sent[0]?.session, threadId: draft.threadId }] } : { kind: "draft" },
    );
    expect(gmail.asked.filter(({ method, address }) => method === "drafts.send" && address === ann)).toHaveLength(1);
  },
);

test("a 5xx response to a send counts as lost, because the email may have been sent", async () => {
  const draft = await createDraft(access(), mail(), null);
  gmail.fault("drafts.send", answerWith(badGateway, "after the effect"));
  expect(await sendDraft(access(), draft)).toMatchObject({ kind: "lost" });
  expect(await lookAtDraft(access(), draft)).toMatchObject({
    kind: "gone",
    sent: [{ threadId: draft.threadId }],
  });
});

test("a follow-up whose thread the owner has deleted leaves in a new thread", async () => {
  const first = await createDraft(access(), mail(), null);
  await sendDraft(access(), first);
  const [{ messageId, session } = { messageId: "", session: "" }] = gmail.sent;
  gmail.mailbox(ann).remove(session);
  const reply = { Subject: "Re: A talk", References: messageId, "In-Reply-To": messageId };
  const draft = await createDraft(access(), mail(reply), first.threadId);
  expect(draft.threadId).not.toBe(first.threadId);
  expect(await sendDraft(access(), draft)).toMatchObject({ kind: "sent", threadId: draft.threadId });
});

test("a deleted draft has the outcome unknown, and no email of its thread or of another thread is mistaken for the draft", async () => {
  const first = await createDraft(access(), mail(), null);
  await sendDraft(access(), first);
  const [{ messageId, session } = { messageId: "", session: "" }] = gmail.sent;
  const reply = { Subject: "Re: A talk", References: messageId, "In-Reply-To": messageId };
  const draft = await createDraft(access(), mail(reply), first.threadId);
  gmail.mailbox(ann).relabel(session, { addLabelIds: ["STARRED"] });
  await deleteDraft(access(), draft);
  await deleteDraft(access(), draft);
  const other = await createDraft(access(), mail({ Subject: "Another talk" }), null);
  await sendDraft(access(), other);
  expect(await lookAtDraft(access(), draft)).toEqual({
    kind: "gone",
    sent: [{ id: expect.any(String), threadId: other.threadId }],
  });
  expect(await sendDraft(access(), draft)).toMatchObject({ kind: "lost", trouble: { kind: "gone" } });
});

test.each([
  ["a rate limit", () => userRateLimitExceeded(), "rate"],
  ["the project's daily limit", () => dailyLimitExceeded(), "project"],
  ["an admin's policy", () => domainPolicy(), "policy"],
  ["an API that is switched off", () => accessNotConfigured(), "off"],
  ["an account without Gmail", () => failedPrecondition(), "off"],
] as const)("a send refused for %s is reported as refused, and the email is not sent", async (_why, refusal, kind) => {
  const draft = await createDraft(access(), mail(), null);
  gmail.fault("drafts.send", answerWith(refusal));
  expect(await sendDraft(access(), draft)).toMatchObject({ kind: "refused", trouble: { kind } });
  expect(gmail.sent).toEqual([]);
  expect(await lookAtDraft(access(), draft)).toEqual({ kind: "draft" });
});

test("a send to a blocked host is refused", async () => {
  const draft = await createDraft(access(), mail(), null);
  const elsewhere = { ...access(), url: "http://10.0.0.1" };
  expect(await sendDraft(elsewhere, draft)).toMatchObject({ kind: "refused", trouble: { kind: "away" } });
});

test("a refusal's retry time is used, and a retry time more than a day ahead is ignored", async () => {
  const at = Date.now() + 900_000;
  gmail.fault(
    "drafts.create",
    answerWith(() => retryAfter(new Date(at))),
  );
  await expect(createDraft(access(), mail(), null)).rejects.toMatchObject({ kind: "rate", retryAt: at });
  gmail.fault(
    "drafts.create",
    answerWith(() => retryAfter(new Date(at + 7 * DAY_MS))),
  );
  await expect(createDraft(access(), mail(), null)).rejects.toMatchObject({ kind: "rate", retryAt: null });
});

test("a send that may no longer begin is not written, and the email has not left", async () => {
  const draft = await createDraft(access(), mail(), null);
  const asked = gmail.asked.length;
  let isAsked = 0;
  const sent = await sendDraft(access(), draft, () => ++isAsked > 99);
  expect(sent).toMatchObject({ kind: "refused", trouble: { kind: "away" } });
  expect(isAsked).toBe(1);
  expect(gmail.asked).toHaveLength(asked);
  expect(await lookAtDraft(access(), draft)).toEqual({ kind: "draft" });
  expect(await sendDraft(access(), draft, () => true)).toMatchObject({ kind: "sent" });
});

test("an expired token and a missing scope are reported as different errors", async () => {
  await expect(createDraft(access("none"), mail(), null)).rejects.toMatchObject({ kind: "expired" });
  gmail.mailbox(ann).scopes.length = 0;
  await expect(createDraft(access(), mail(), null)).rejects.toMatchObject({ kind: "scope" });
});
