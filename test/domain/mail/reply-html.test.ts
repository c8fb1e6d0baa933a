import { expect, test } from "@jest/globals";
import { htmlText, replyOf } from "../../../connectors/mime/reply-text.ts";
import { ATTRIBUTIONS, HEADS } from "./mail-programs.ts";

const OWN = "<div>Thank you, that sounds good.</div><div><br></div><div>Does Tuesday suit you?</div>";
const WORDS = "Thank you, that sounds good. Does Tuesday suit you?";
const OLD =
  '<div>Hello Bob,</div><div>we help teams like yours.</div><p style="font-size:12px"><a href="https://ours.example/u/1">Unsubscribe</a></p>';
const ATTRIBUTION =
  "On Mon, Nov 2, 2026 at 9:05 AM Ann Lee &lt;<a href='mailto:ann@ours.example'>ann@ours.example</a>&gt; wrote:";
const HEAD =
  "<b>From:</b> Ann Lee &lt;ann@ours.example&gt;<br><b>Sent:</b> Monday, November 2, 2026 9:05 AM<br><b>To:</b> Bob &lt;bob@b.example&gt;<br><b>Subject:</b> Widgets";

const words = (html: string) => replyOf(null, html).replace(/\s+/g, " ");

// Replies as the programs write them, with our mail as the quote
const PROGRAMS: readonly (readonly [string, string])[] = [
  [
    "Gmail",
    `<div dir="ltr">${OWN}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${ATTRIBUTION}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${OLD}</blockquote></div>`,
  ],
  [
    "Gmail in a language nobody knows",
    `${OWN}<div class="gmail_quote"><div class="gmail_attr">Zzz 2 zzz Ann zzz<br></div><blockquote class="gmail_quote" style="border-left:1px #ccc solid">${OLD}</blockquote></div>`,
  ],
  ["Gmail, old", `${OWN}<div class="gmail_extra"><br><div class="gmail_quote">${ATTRIBUTION}<br>${OLD}</div></div>`],
  ["Gmail, the container lost", `${OWN}<div>${ATTRIBUTION}</div><blockquote class="gmail_quote">${OLD}</blockquote>`],
  [
    "Gmail, signed",
    `${OWN}<br><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">Bob Miller<br>B Ltd</div><div class="gmail_quote">${ATTRIBUTION}<blockquote class="gmail_quote">${OLD}</blockquote></div>`,
  ],
  [
    "Outlook on the web",
    `<div class="elementToProof">${OWN}</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">${HEAD}</font></div><div>${OLD}</div>`,
  ],
  ["Outlook, passed on", `${OWN}<hr><div id="x_x_divRplyFwdMsg" dir="ltr">${HEAD}</div>${OLD}`],
  ["Outlook, nothing but the mark", `${OWN}<div id="x_appendonsend"></div>${OLD}`],
  [
    "Outlook",
    `<div class="WordSection1"><p class="MsoNormal">Thank you, that sounds good.<o:p></o:p></p><p class="MsoNormal">Does Tuesday suit you?<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">${HEAD}<o:p></o:p></p></div>${OLD}</div>`,
  ],
  [
    "Outlook, a paragraph for each header",
    `${OWN}<p><b>From:</b> Ann Lee &lt;ann@ours.example&gt;</p><p><b>Sent:</b> Monday, November 2, 2026 9:05 AM</p><p><b>To:</b> Bob</p><p><b>Subject:</b> Widgets</p>${OLD}`,
  ],
  [
    "Outlook, headers in a row",
    `${OWN}<div><hr></div><div><b>From:</b> ann@ours.example <b>Date:</b> Mon, 2 Nov 2026 09:05:11 +0100</div>${OLD}`,
  ],
  [
    "Outlook on a phone",
    `${OWN}<div id="ms-outlook-mobile-signature">Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div><div id="mail-editor-reference-message-container"><hr><div>${HEAD}</div>${OLD}</div>`,
  ],
  [
    "Outlook.com",
    `<div dir="ltr">${OWN}<br><div><hr id="stopSpelling">Date: Mon, 2 Nov 2026 09:05:11 +0100<br>Subject: Widgets<br>From: ann@ours.example<br>To: bob@b.example<br><br>${OLD}</div></div>`,
  ],
  [
    "Windows Mail",
    `${OWN}<div data-signatureblock="true"><div>Bob</div></div><div style="padding-top: 5px; border-top-style: solid;"><div><b>Von:</b>&nbsp;Ann Lee<br><b>Gesendet:</b>&nbsp;‎Montag‎, ‎2‎. ‎November‎ ‎2026<br><b>An:</b>&nbsp;Bob</div></div>${OLD}`,
  ],
  [
    "Apple Mail",
    `${OWN}<div><br><blockquote type="cite"><div>On 2 Nov 2026, at 09:05, Ann Lee &lt;ann@ours.example&gt; wrote:</div><br>${OLD}</blockquote></div>`,
  ],
  [
    "iPhone",
    `<div>Thank you, that sounds good. Does Tuesday suit you?<br><br><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br><blockquote type="cite">${ATTRIBUTION}<br><br></blockquote></div><blockquote type="cite">${OLD}</blockquote></div>`,
  ],
  [
    "iPhone, attribution left behind",
    `${OWN}<div>On 2 Nov 2026, at 09:05, Ann Lee wrote:</div><blockquote type="cite">${OLD}</blockquote>`,
  ],
  [
    "Thunderbird",
    `${OWN}<br><div class="moz-cite-prefix">Am 02.11.26 um 09:05 schrieb Ann Lee:<br></div><blockquote type="cite" cite="mid:a@ours.example">${OLD}</blockquote>`,
  ],
  [
    "Thunderbird, signed",
    `${OWN}<pre class="moz-signature" cols="72">-- \nBob Miller</pre><div class="moz-cite-prefix">x</div><blockquote type="cite">${OLD}</blockquote>`,
  ],
  [
    "Thunderbird, forwarded",
    `${OWN}<div class="moz-forward-container"><br>-------- Forwarded Message --------<table><tr><th>Subject: </th><td>Widgets</td></tr></table>${OLD}</div>`,
  ],
  [
    "Yahoo",
    `<div class="ydp1">${OWN}</div><div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div>On Monday, Ann Lee wrote:</div>${OLD}</div>`,
  ],
  ["Yahoo, old", `${OWN}<div class="yahoo_quoted">${OLD}</div>`],
  [
    "ProtonMail",
    `${OWN}<div class="protonmail_signature_block">Sent with Proton Mail secure email.</div><div class="protonmail_quote">On Monday, November 2nd, 2026 at 9:05 AM, Ann Lee &lt;ann@ours.example&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">${OLD}</blockquote></div>`,
  ],
  [
    "GMX",
    `${OWN}<div name="quote" style="margin:10px 5px; border-left:2px solid #C3D9E5;"><div><b>Gesendet:</b> Montag, 02. November 2026</div><div name="quoted-content">${OLD}</div></div>`,
  ],
  [
    "mail.ru",
    `${OWN}<br>Понедельник, 2 ноября 2026, 9:05 +03:00 от Ann Lee &lt;ann@ours.example&gt;:<br><blockquote style="border-left:1px solid #0857A6;">${OLD}</blockquote>`,
  ],
  [
    "Yandex",
    `${OWN}<div>02.11.2026, 09:05, "Ann Lee" &lt;ann@ours.example&gt;:</div><blockquote><div>${OLD}</div></blockquote>`,
  ],
  [
    "Zoho",
    `${OWN}<div class="zmail_extra"><br>---- On Mon, 02 Nov 2026 09:05:11 +0100 <b>Ann Lee &lt;ann@ours.example&gt;</b> wrote ----<br><blockquote>${OLD}</blockquote></div>`,
  ],
  [
    "Tutanota",
    `${OWN}<div>2 Nov 2026, 09:05 by ann@ours.example:</div><blockquote class="tutanota_quote">${OLD}</blockquote>`,
  ],
  ["Missive", `${OWN}<div class="missive_quote">${ATTRIBUTION}<br>${OLD}</div>`],
  [
    "Front",
    `${OWN}<blockquote type="cite" class="front-blockquote">On November 2, 2026, 9:05 AM GMT+1 ann@ours.example wrote:${OLD}</blockquote>`,
  ],
  [
    "Spark",
    `${OWN}<div name="messageReplySection">${ATTRIBUTION}<br><blockquote type="cite">${OLD}</blockquote></div>`,
  ],
  [
    "Roundcube",
    `${OWN}<p id="reply-intro">On 2026-11-02 09:05, Ann Lee wrote:</p><blockquote type="cite">${OLD}</blockquote>`,
  ],
  [
    "Zimbra",
    `${OWN}<hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__">${HEAD}</div><div data-marker="__QUOTED_TEXT__">${OLD}</div>`,
  ],
  [
    "NetEase",
    `${OWN}<div id="isReplyContent">At 2026-11-02 09:05:11, "Ann Lee" &lt;ann@ours.example&gt; wrote:<br>${OLD}</div>`,
  ],
  [
    "QQ",
    `${OWN}<div>------------------&nbsp;原始邮件&nbsp;------------------</div><div><b>发件人:</b> "Ann Lee" &lt;ann@ours.example&gt;;<br><b>发送时间:</b> 2026年11月2日<br><b>收件人:</b> "Bob";<br><b>主题:</b> Widgets</div>${OLD}`,
  ],
  ["Lotus Notes", `${OWN}<br><font>Ann Lee/Ours wrote on 11/02/2026 09:05:11 AM:</font><br>${OLD}`],
  [
    "Samsung",
    `${OWN}<div id="composer_signature">Sent from my Galaxy</div><div>-------- Original message --------</div><div>From: Ann Lee &lt;ann@ours.example&gt; </div><div>Date: 02/11/2026  09:05  (GMT+01:00) </div><div>To: bob@b.example </div><div>Subject: Widgets </div>${OLD}`,
  ],
  ["Outlook for Mac", `${OWN}<span id="OLK_SRC_BODY_SECTION"><div>Ann Lee</div>${OLD}</span>`],
  ["nothing but a blockquote", `${OWN}<blockquote>${OLD}</blockquote>`],
  [
    "an old mail behind a ruler",
    `${OWN}<hr>From: <a href="mailto:ann@ours.example">ann@ours.example</a><br>Date: Mon, 2 Nov 2026 09:05:11 +0100<br>Subject: Widgets<br><br>${OLD}`,
  ],
];

test.each(PROGRAMS)("%s: the quoted text of an HTML reply is left out", (_, html) => {
  expect(words(html)).toBe(WORDS);
  expect(words(`<html><head><style>p { margin: 0 }</style></head><body>${html}<br></body></html>`)).toBe(WORDS);
  expect(htmlText(html)).toMatch(/Unsubscribe$/m);
});

test.each(ATTRIBUTIONS)("%s: an attribution line that remains when the quote is cut is removed too", (_, line) => {
  const escaped = line.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/</g, "&lt;").replace(/>/g, "&gt;");
  expect(words(`${OWN}<br><div>${escaped}</div><blockquote type="cite">${OLD}</blockquote>`)).toBe(WORDS);
  expect(words(`${OWN}<br>${escaped}<br>${OLD}`)).toBe(WORDS);
});

test.each(HEADS)(
  "%s: a quoted email in Outlook HTML is recognised by the header lines alone and left out",
  (_, from, sent, to, subject) => {
    const head = `<b>${from}:</b> Ann Lee &lt;ann@ours.example&gt;<br><b>${sent}:</b> 2. November 2026 09:05<br><b>${to}:</b> Bob<br><b>${subject}:</b> Widgets`;
    expect(words(`${OWN}<div style="border-top:solid"><p>${head}</p></div>${OLD}`)).toBe(WORDS);
    expect(words(`${OWN}<hr><div>${head}</div>${OLD}`)).toBe(WORDS);
  },
);

test("an answer between the quoted lines of HTML is kept, in every kind of quote container", () => {
  const inline = (quote: (part: string) => string) =>
    `${quote("What does it do?")}<div>It counts.</div>${quote("How much is it?")}<div>Ten a month.</div>`;
  const cite = (part: string) => `<blockquote type="cite">${part}</blockquote>`;
  const gmail = (part: string) => `<blockquote class="gmail_quote" style="border-left:1px solid">${part}</blockquote>`;
  expect(words(`<div class="moz-cite-prefix">On x wrote:</div>${inline(cite)}`)).toBe("It counts. Ten a month.");
  expect(words(`<div class="gmail_quote"><div class="gmail_attr">${ATTRIBUTION}</div>${inline(gmail)}</div>`)).toBe(
    "It counts. Ten a month.",
  );
});

test("the HTML part reveals a quote that the plain text does not mark, and an indented block is not taken for a quote", () => {
  const text =
    "Thank you, that sounds good.\n\nDoes Tuesday suit you?\n\nZzz Ann zzz 2 zzz\n\nHello Bob,\n\nUnsubscribe";
  const quote = `<div class="gmail_quote gmail_quote_container"><div class="gmail_attr">Zzz Ann zzz 2 zzz</div><blockquote type="cite">${OLD}</blockquote></div>`;
  expect(replyOf(text, `${OWN}${quote}`).replace(/\s+/g, " ")).toBe(WORDS);
  expect(
    replyOf(
      "We have:\n\nten people\n\nEnough?",
      "<div>We have:</div><blockquote>ten people</blockquote><div>Enough?</div>",
    ),
  ).toBe("We have:\n\nten people\n\nEnough?");
  expect(replyOf("Yes.", `<div></div>${quote}`)).toBe("Yes.");
});

test("text that the sender indented in Gmail is kept as the sender's own words", () => {
  const style = 'class="gmail_quote" style="margin:0px 0px 0px 40px;border:none;padding:0px"';
  expect(words(`<div>We have:</div><blockquote ${style}><div>ten people</div></blockquote><div>Enough?</div>`)).toBe(
    "We have: ten people Enough?",
  );
});

test("an HTML email that contains only a signature or a quote is read whole", () => {
  expect(words('<div class="gmail_signature">Yes, typed into the wrong place.</div>')).toBe(
    "Yes, typed into the wrong place.",
  );
  expect(words(`<blockquote type="cite">${OLD}</blockquote>`)).toContain("we help teams");
});

test("HTML with up to 10,000 nested quotes is read without the quotes", () => {
  expect(words(`${OWN}${"<blockquote>".repeat(1_000)}x`)).toBe(WORDS);
  expect(words(`${OWN}${'<blockquote class="gmail_quote">'.repeat(5_000)}x`)).toBe(WORDS);
  expect(words(`${OWN}${'<div class="gmail_quote">'.repeat(10_000)}`)).toBe(WORDS);
});
