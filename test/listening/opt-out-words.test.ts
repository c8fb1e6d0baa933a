import { expect, test } from "@jest/globals";
import { withFooter } from "../../domain/templates/footer.ts";
import { scoped } from "../../models/scoped.ts";
import {
  contacted,
  imap,
  leadNow,
  listening,
  newCampaign,
  type Person,
  read,
  recipientNow,
  SUBJECT,
  watch,
  workspaceId,
} from "./listening.ts";
import { answered, mail, take } from "./reading.ts";

listening();

const LINK = "https://ours.test/u/v1.abc.def";
const { text: OURS, html: OUR_HTML } = withFooter(
  {
    subject: SUBJECT,
    text: "Hi Bob,\n\ndo you use widgets?",
    html: "<p>Hi Bob,</p><p>do you use widgets?</p>",
    usedVariables: [],
    missingVariables: [],
  },
  {
    postalAddress: "Ours Ltd, 1 Main Street, London",
    unsubscribeText: "Not interested? Unsubscribe here",
    unsubscribeLink: LINK,
    unsubscribeLinkWanted: true,
    signatureHtml: "<p>Ann Lee</p>",
    signatureMode: "MAILBOX",
  },
);
const MARKED = OURS.replace(/^/gm, "> ");
const HEAD = `Von: Ann Lee <ann@a.test>\nGesendet: Montag, 2. November 2026 09:05\nAn: bob@b.test\nBetreff: ${SUBJECT}`;
const QUOTES: readonly (readonly [string, string])[] = [
  ["marked", `Ann Lee <ann@a.test> schrieb:\n${MARKED}`],
  ["below an attribution", `On Mon, Nov 2, 2026 at 9:05 AM Ann Lee <ann@a.test> wrote:\n\n${OURS}`],
  ["below a head", `${HEAD}\n\n${OURS}`],
  ["below a ruler", `________________________________\n${HEAD}\n\n${OURS}`],
  ["forwarded", `-------- Weitergeleitete Nachricht --------\n${HEAD}\n\n${OURS}`],
  ["without any mark", OURS],
  ["without any mark, its lines joined", OURS.replace(/\s+/g, " ")],
  ["without any mark, as a HTML editor pastes it", OURS.replace(LINK, "").replace(/: ?$/m, "")],
];

const sent = () => ({ send: { content: { text: OURS, html: OUR_HTML } } });
const replyOf = ({ sent: { messageId } }: Person, text: string) =>
  mail({ Subject: `Re: ${SUBJECT}`, "In-Reply-To": messageId, References: messageId }, text);
const approvals = () => scoped(workspaceId).Approval.find();

test.each(QUOTES)("the opt-out words of our own quoted footer, %s, do not count as an opt-out", async (_, quote) => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }), sent());
  expect(await take(replyOf(person, `Thank you, tell me more about the price.\n\n${quote}`))).toMatchObject({
    kind: "REPLY",
    category: null,
  });
  expect(await approvals()).toEqual([]);
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS" });
  expect(await leadNow(person)).toMatchObject({ suppressed: false });
});

test.each(QUOTES)("a reply that contains only our quoted email, %s, does not count as an opt-out", async (_, quote) => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }), sent());
  await take(replyOf(person, quote));
  expect(await approvals()).toEqual([]);
  expect(await leadNow(person)).toMatchObject({ suppressed: false });
});

test.each(QUOTES)("a reply that opts out above our quoted footer, %s, suppresses the person", async (_, quote) => {
  const person = await contacted("bob@b.test", await newCampaign(), sent());
  const message = await take(replyOf(person, `Please remove me from your list.\n\n${quote}`));
  expect(message).toMatchObject({ kind: "REPLY", category: "UNSUBSCRIBE" });
  expect(await recipientNow(person)).toMatchObject({ status: "UNSUBSCRIBED" });
  expect(await leadNow(person)).toMatchObject({ suppressed: true, suppressionReason: "OPT_OUT_REPLY" });
  expect(await approvals()).toEqual([]);
});

test("opt-out words that a user wrote to the person do not count as an opt-out when the person quotes them", async () => {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  const first = await take(replyOf(person, "Hi"));
  const threadId = (await scoped(workspaceId).Message.get(first._id))?.threadId ?? null;
  const text = "If our mails are too many for you then say so, and I will of course unsubscribe you at any time.";
  const reply = await answered(person, threadId, { content: { text, html: null } });
  await scoped(workspaceId).Message.insert({
    _id: "msg_by_hand",
    mailboxId: first.mailboxId,
    contentKey: "by hand",
    direction: "OUTBOUND",
    kind: "MANUAL",
    recipientId: person.recipient._id,
    bodyText: text,
  });
  await take(mail({ "In-Reply-To": reply.messageId }, `No, that is fine, go on.\n\n${text}`));
  expect(await approvals()).toEqual([]);
});

test("a footer quoted in an HTML reply over IMAP does not count as an opt-out, and an opt-out above the quote does", async () => {
  const campaignId = await newCampaign();
  const [bob, eve] = [
    await contacted("bob@b.test", campaignId, sent()),
    await contacted("eve@b.test", campaignId, sent()),
  ];
  const html = ({ sent: { messageId, to } }: Person, words: string) =>
    mail(
      {
        From: to[0] ?? "",
        Subject: `Re: ${SUBJECT}`,
        "In-Reply-To": messageId,
        "Content-Type": "text/html; charset=utf-8",
      },
      `<div>${words}</div><hr><div><b>Von:</b> Ann Lee<br><b>Gesendet:</b> Montag<br><b>An:</b> Bob<br><b>Betreff:</b> ${SUBJECT}</div>${OUR_HTML}`,
    );
  await watch();
  imap.deliver(html(bob, "Tell me more."));
  imap.deliver(html(eve, "Unsubscribe"));
  expect((await read(2)).map(({ kind, category, replyText }) => [kind, category, replyText])).toEqual([
    ["REPLY", null, "Tell me more."],
    ["REPLY", "UNSUBSCRIBE", "Unsubscribe"],
  ]);
  expect(await recipientNow(bob)).toMatchObject({ status: "REPLIED" });
  expect(await recipientNow(eve)).toMatchObject({ status: "UNSUBSCRIBED" });
  expect(await approvals()).toEqual([]);
});
