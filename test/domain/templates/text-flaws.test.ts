// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are placeholders of other tools
import { expect, test } from "@jest/globals";
import { type CheckedText, MOST_OF_A_CODE, textWarnings } from "../../../domain/sequences/text-check.ts";
import { findCodeGroups } from "../../../domain/templates/code-as-spintax.ts";
import { findEmptyGreetings } from "../../../domain/templates/empty-greetings.ts";
import { findForeignUnsubscribeLinks, findLinksWithoutScheme } from "../../../domain/templates/link-flaws.ts";
import { viewSource } from "../../../domain/templates/source-view.ts";
import { CLEAN } from "./clean-emails.ts";

const NONE: ReadonlySet<string> = new Set();
const textOf = (source: string, kind: "html" | "text"): CheckedText => ({
  source,
  kind,
  field: kind === "html" ? "bodyHtml" : "bodyText",
  path: "steps.0.variants.0.bodyHtml",
  where: "Step 1",
  of: { stepId: "stp_1", step: 1, variantId: "var_1", variant: "A" },
});
const found = (source: string, kind: "html" | "text") =>
  textWarnings([textOf(source, kind)], NONE).map(({ code, details }) => [code, details["text"]]);

const CLEAN_TEXTS: ["html" | "text", string][] = [
  ...CLEAN.text.map((source): ["text", string] => ["text", source]),
  ...CLEAN.html.map((source): ["html", string] => ["html", source]),
];

test.each(CLEAN_TEXTS)("a clean %s body has no warnings: %s", (kind, source) => {
  expect(found(source, kind)).toEqual([]);
});

test.each([
  '{"a":1|2}',
  "{'key': 'x|y'}",
  "p {color:red|blue}",
  "{background-color: #fff|#000}",
  "{x => x | 1}",
  "const t = {a | b}",
  "${a || b}",
  "{ id: string | null }",
  "{x | x > 0}",
  "@media screen {a|b}",
  "{if (a || b) return 1;}",
  "<code>grep {a|b} file</code>",
])("%s is reported as code that spintax would change", (source) => {
  expect(findCodeGroups(source)).toHaveLength(1);
});

test.each([
  "<style>a{b|c}</style>",
  "{a || b",
  '\\{"a":1\\|2\\}',
  "{{ a | default: 'x|y' }}",
  "{Hi&nbsp;|Hello&nbsp;}",
  '{"Yes"|"No"}',
])("%s is not reported as code that spintax would change", (source) => {
  expect(findCodeGroups(source)).toEqual([]);
});

test.each([
  ...[
    "www.acme.com",
    "acme.com/x",
    "//acme.com",
    "http:/acme.com",
    "https:acme.com",
    "http//acme.com",
    "htps://acme.com",
    "hhtp://acme.com",
  ],
  ...[
    "/pricing",
    "../x.html",
    "?a=1",
    "grace@acme.com",
    "acme.com:8080/x",
    "{https://a.test|www.b.test}",
    "www.acme.com/{{firstName}}",
  ],
])("a link to %s is reported for a missing or broken scheme", (href) => {
  expect(findLinksWithoutScheme(viewSource(`<p><a class=x href="${href}">x</a></p>`, "html"))).toHaveLength(1);
});

test.each([
  ...[
    "https://acme.com",
    "HTTP://acme.com",
    "mailto:a@b.test",
    "tel:+49 1",
    "sms:1",
    "#top",
    "",
    "{{website}}",
    "https://{{website}}",
  ],
  ...[
    "slack://open",
    "{https://a.test|https://b.test}",
    "{% if a %}https://a.test{% endif %}",
    " https://acme.com ",
    "%LINK%",
    "*|URL|*",
  ],
])("a link to %s is not reported for a missing scheme", (href) => {
  expect(findLinksWithoutScheme(viewSource(`<a href="${href}">x</a><link href="x.css">`, "html"))).toEqual([]);
});

test.each([
  ["*|UNSUB|*", "*|UNSUB|*"],
  ["%unsubscribe%", "%unsubscribe%"],
  ["[unsubscribe]", "[unsubscribe]"],
  ["{unsubscribe}", "{unsubscribe}"],
  ["[[UNSUB_LINK_EN]]", "[[UNSUB_LINK_EN]]"],
  ["{{unsubscribe_url}}", "unsubscribe_url"],
  ["{{ unsubscribe }}", "unsubscribe"],
  ["{{contact.unsubscribeLink}}", "contact.unsubscribeLink"],
  ["https://acme.us1.list-manage.com/unsubscribe?u=1", "https://acme.us1.list-manage.com/unsubscribe?u=1"],
  ["https://u1.ct.sendgrid.net/asm/unsubscribe/?x=1", "https://u1.ct.sendgrid.net/asm/unsubscribe/?x=1"],
])("%s is reported once as another tool's unsubscribe link", (source, text) => {
  expect(found(`Bye ${source}`, "text")).toEqual([["FOREIGN_UNSUBSCRIBE_LINK", text]]);
});

test.each([
  "https://acme.com/unsubscribe",
  "https://list-manage.com/subscribe",
  "https://notlist-manage.com/unsubscribe",
  "https://x.test/#list-manage.com/unsubscribe",
])("%s is not reported as another tool's unsubscribe link", (href) => {
  expect(findForeignUnsubscribeLinks(viewSource(`<a href="${href}">x</a>`, "html"))).toEqual([]);
});

test.each([
  ...[
    "Hi ,",
    "Hello  !",
    "Dear ,",
    "Dear,",
    "Hey , how are you",
    "Good morning ,",
    "Hi Mr.,",
    "Dear Mrs ,",
    "Sehr geehrter Herr ,",
    "Liebe ,",
  ],
  ...[
    "Hallo ,",
    "Guten Tag ,",
    "Bonjour ,",
    "Cher ,",
    "Hola ,",
    "Estimado ,",
    "Ciao ,",
    "Gentile ,",
    "Beste ,",
    "Dzień dobry ,",
    "Szanowny ,",
  ],
  ...[
    "Olá ,",
    "Hej ,",
    "Привет ,",
    "Уважаемый ,",
    "Sayın ,",
    "Dobrý den ,",
    "Hi\u00a0,",
    "Bom dia , tudo bem",
    ", I saw your page",
  ],
])("the greeting “%s” is reported for a missing name", (greeting) => {
  expect(findEmptyGreetings(`${greeting}\n\nI saw your page`)).toHaveLength(1);
});

test.each([
  ...[
    "Hi,",
    "Hello!",
    "Hi there,",
    "Dear Ada,",
    "Dear Sir,",
    "Bonjour !",
    "Hi :)",
    "Hello ...",
    "Hi - a question",
    "Hallo zusammen,",
    "Beste,",
  ],
  ...["Sehr geehrte Damen und Herren,", "Dear Mr Hopper,", "Hi 👋,", "Dearest readers,", "Cara,", "Hints , tips"],
])("the greeting “%s” is not reported for a missing name", (greeting) => {
  expect(findEmptyGreetings(`${greeting}\n\nI saw your page`)).toEqual([]);
});

test("a text warning says where the problem is, what the problem is and what to do", () => {
  const [finding] = textWarnings([textOf("<p>Hi there</p>\n<p>at %COMPANY% and %COMPANY%</p>", "html")], NONE);
  expect(finding).toEqual({
    code: "FOREIGN_PLACEHOLDER",
    message: expect.stringMatching(
      /^Step 1: recipients would not see a value for “%COMPANY%”.*Write \{\{company\}\} instead$/,
    ),
    path: "steps.0.variants.0.bodyHtml",
    details: {
      stepId: "stp_1",
      step: 1,
      variantId: "var_1",
      variant: "A",
      field: "bodyHtml",
      text: "%COMPANY%",
      count: 2,
      line: 2,
      column: 7,
      excerpt: "<p>Hi there</p> <p>at %COMPANY% and %COMPANY%</p>",
    },
  });
});

test("one of our placeholders that an editor broke is reported once, and not as another tool's placeholder", () => {
  expect(found("<p>{<b>{firstName}</b>}</p>", "html")).toEqual([["ENTITY_IN_PLACEHOLDER", "{{firstName}}"]]);
});

test("a text check lists a limited number of findings per warning code", () => {
  const many = Array.from({ length: MOST_OF_A_CODE + 5 }, (_, index) => `%FIELD_${index}%`).join(" ");
  expect(found(`${many} *|UNSUB|*`, "text")).toHaveLength(MOST_OF_A_CODE + 1);
});

test.each([
  "{",
  "{{",
  "{%",
  "[",
  "<<",
  "%",
  "{a|b}",
  "&lt;",
  "*|",
  "${",
  "__",
  "((",
  "«",
  "'{{\"",
  "Hi ,\n",
  "{{{",
  '{"a":',
  "<a href={",
])("a text of 200 kB that repeats %s is checked to the end with fewer than 100 warnings", (piece) => {
  const source = piece.repeat(Math.ceil(200_000 / piece.length));
  for (const kind of ["text", "html"] as const)
    expect(textWarnings([textOf(source, kind)], NONE).length).toBeLessThan(100);
});
