import { expect, test } from "@jest/globals";
import { textOf } from "../../../domain/templates/body.ts";
import { warmupText } from "../../../domain/warmup/text.ts";

const to = { name: "Leo Roth", email: "leo@two.example", signatureHtml: null };
const signedBy = (signatureHtml: string | null) =>
  warmupText({
    openingId: "wml_1",
    turn: 1,
    language: "en",
    from: { name: "Ann Miller", email: "ann@one.example", signatureHtml },
    to,
  });
const plain = signedBy(null);

test("the mailbox's signature closes the text and the HTML in place of the sender's name", () => {
  const { text, html } = signedBy("<p><b>Ann Miller</b><br>Acme Ltd</p>");
  expect(text).toMatch(/,\n\nAnn Miller\nAcme Ltd$/);
  expect(html).toMatch(/,<\/p>\n<div><p><b>Ann Miller<\/b><br \/>Acme Ltd<\/p><\/div>$/);
  expect(textOf(html).split(/\s+/)).toEqual(text.split(/\s+/));
});

test("a signature that contains a closing phrase is not put below another closing phrase", () => {
  const { text } = signedBy("<p>Kind regards,<br>Ann Miller</p>");
  expect(text.match(/regards|wishes|sincerely|all the best/gi)).toEqual(["regards"]);
});

test("the variables in a signature are filled with the values of the mailbox", () => {
  expect(signedBy("<p>{{ senderFirstName }}, {{ senderEmail }}</p>").text).toMatch(/\n\nAnn, ann@one\.example$/);
});

test.each([
  ["<p>Ann <a href='https://acme.example/x' title='spy'>our site</a></p>", "<div><p>Ann our site</p></div>"],
  [
    "<p lang='en' title='id-7' style='color:red'>Ann https://www.acme.example/</p>",
    "<div><p>Ann acme.example/</p></div>",
  ],
  ["<p>Ann<img src='https://spy.example/p.gif'></p><script>alert(1)</script>", "<div><p>Ann</p></div>"],
])("only words and their structure are kept of the signature %j", (signatureHtml, end) => {
  const { html, text } = signedBy(signatureHtml);
  expect(html.slice(-end.length)).toBe(end);
  expect(`${html}\n${text}`).not.toMatch(/<a\b|<img|https?:|www\.|title=|style=/i);
});

test.each([
  ["nothing", "  "],
  ["an image alone", "<p><img src='https://acme.example/logo.png'></p>"],
  ["a variable that no warmup mail has", "<p>Ann, for {{ firstName }}</p>"],
  ["a link to unsubscribe", "<p>Ann <a href='{{ unsubscribeLink }}'>unsubscribe</a></p>"],
  ["more text than a mail", `<p>${"word ".repeat(500)}</p>`],
  ["an address hidden in an address", "<p>Ann hthttps://tps://acme.example</p>"],
  ["a template that cannot be read", "<p>{% if %}</p>"],
])("a signature with %s is replaced by the sender's name", (_what, signatureHtml) => {
  expect(signedBy(signatureHtml)).toEqual(plain);
});
