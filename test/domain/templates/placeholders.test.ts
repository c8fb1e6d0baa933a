// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are placeholders of other tools
import { expect, test } from "@jest/globals";
import { findBrokenPlaceholders, withoutBroken } from "../../../domain/templates/broken-placeholders.ts";
import { findForeignPlaceholders } from "../../../domain/templates/foreign-placeholders.ts";
import { viewSource } from "../../../domain/templates/source-view.ts";

const read = (source: string, kind: "html" | "text", custom: string[] = []) => {
  const view = viewSource(source, kind);
  return {
    foreign: findForeignPlaceholders(source, withoutBroken(view), new Set(custom)),
    broken: findBrokenPlaceholders(source, view),
  };
};

const FOREIGN = [
  ...[
    "{FIRST_NAME}",
    "{first_name}",
    "{firstName}",
    "{First Name}",
    "{name}",
    "{$name}",
    "{contact.FIRSTNAME}",
    "{first-name}",
    "{deal_stage}",
  ],
  ...[
    "{first_name|there}",
    "{FIRST_NAME|friend}",
    "{CUSTOM_1}",
    "{custom1}",
    "{Vorname}",
    "{@first_name}",
    "{{{x}}}",
    "{{#if name}}",
  ],
  ...[
    "%COMPANY%",
    "%first_name%",
    "%recipient.first_name%",
    "%first name%",
    "%%first%%",
    "%%=v(@name)=%%",
    "%deal_stage%",
    "%Vorname%",
  ],
  ...[
    "[[x]]",
    '[[data:firstname:"there"]]',
    "[[FIRST_NAME]]",
    "[First Name]",
    "[FNAME]",
    "[Your Name]",
    "[INSERT NAME HERE]",
    "[Prénom]",
  ],
  ...[
    "[COMPANY]",
    "[DEAL_STAGE]",
    "[first_name|there]",
    "[contact:first_name]",
    "<<x>>",
    "<<first_name>>",
    "<First Name>",
    "<first_name>",
  ],
  ...[
    "${x}",
    "${first_name|there}",
    "#{x}",
    "*|FNAME|*",
    "{!Contact.Name}",
    "<%= first_name %>",
    "@@x@@",
    "##FIRST_NAME##",
    "#FNAME#",
  ],
  ...[
    "$first_name$",
    "__FIRST_NAME__",
    "__first_name__",
    "((first name))",
    "«First_Name»",
    "-first_name-",
    "~first_name~",
  ],
];

test.each(FOREIGN)(
  "the foreign placeholder %s in plain text is found once, whole and at the right position",
  (placeholder) => {
    const { foreign, broken } = read(`Hi ${placeholder}, hello`, "text");
    expect(foreign.map(({ text, start }) => [text, start])).toEqual([[placeholder, 3]]);
    expect(broken).toEqual([]);
  },
);

test.each([
  ["written with entities", "<p>Hi &lt;&lt;x&gt;&gt;</p>", "<<x>>"],
  ["of the same kind with a field's name", "<p>&lt;&lt;name&gt;&gt;</p>", "<<name>>"],
  ["that a browser reads as a tag", "<p>Hi <first_name>,</p>", "<first_name>"],
  ["that a browser reads as a tag in a bracket", "<p>Hi <<company>>,</p>", "<<company>>"],
  ["with markup inside", "<p>[First <b>Name</b>] {FIRST</p>", "[First Name]"],
  ["over two lines of the source", "<p>[First\n   Name]</p>", "[First Name]"],
  ["in the address of a link", '<a href="https://x.test/?e=%EMAIL%">x</a>', "%EMAIL%"],
  ["whose braces an editor encoded", '<a href="https://x.test/?e=%7Bemail%7D">x</a>', "{email}"],
  ["in the text of an image", '<img src="https://x.test/a.png" alt="For [Company]">', "[Company]"],
  ["of a list of entities", "<p>&#91;&#91;city&#93;&#93;</p>", "[[city]]"],
])("a foreign placeholder %s is found in HTML", (_what, source, text) => {
  expect(read(source, "html").foreign.map((one) => one.text)).toEqual([text]);
});

test("a custom field of the workspace counts as a placeholder name, and other words in braces or brackets do not", () => {
  const source = "{head count} [Opener] %opener% {tagline} [tagline]";
  expect(read(source, "text").foreign.map(({ text }) => text)).toEqual(["%opener%"]);
  expect(read(source, "text", ["opener", "tagline"]).foreign.map(({ text }) => text)).toEqual([
    "[Opener]",
    "%opener%",
    "{tagline}",
    "[tagline]",
  ]);
});

test("code samples, escaped braces, comments and styles are not reported as foreign placeholders", () => {
  expect(read("`{first_name}` \\{first_name\\}", "text").foreign).toEqual([]);
  expect(
    read("<code>{first_name}</code><!-- %COMPANY% --><style>.a{name}</style><pre>[First Name]</pre>", "html").foreign,
  ).toEqual([]);
});

test.each([
  ["First Name", "firstName"],
  ["COMPANY_NAME", "company"],
  ["contact.email", "email"],
  ["Nachname", "lastName"],
])("our own variable is suggested for the foreign placeholder name %s", (name, meant) => {
  expect(read(`<p>{${name}}</p>`, "html").foreign).toMatchObject([{ meant }]);
});

test.each([
  ["{{&nbsp;firstName}}", "&nbsp;", "{{ firstName}}"],
  ["{{ first<b>Name</b> }}", "<b>", "{{ firstName }}"],
  ["{{firstName | default: &quot;there&quot;}}", "&quot;", '{{firstName | default: "there"}}'],
  ["{{ firstName | default: “there” }}", "“", '{{ firstName | default: "there" }}'],
  ["{{ firstName | default: ‘there’ }}", "‘", "{{ firstName | default: 'there' }}"],
  ["{{ firstName | default: 'R&amp;D' }}", "&amp;", "{{ firstName | default: 'R&D' }}"],
  ["{{first\u200bName}}", "\u200b", "{{firstName}}"],
  ["{{first\u00adName}}", "\u00ad", "{{firstName}}"],
  ["{% if firstName == &quot;Ada&quot; %}", "&quot;", '{% if firstName == "Ada" %}'],
])("%s is reported as broken, together with the corrected form", (token, sign, meant) => {
  const { broken, foreign } = read(`<p>Hi ${token},</p>`, "html");
  expect(broken).toEqual([{ text: token, sign, meant, start: 6 }]);
  expect(foreign).toEqual([]);
});

test.each([
  "<p>{<b>{firstName}</b>}</p>",
  "<p>&#123;&#123;firstName&#125;&#125;</p>",
  '<a href="https://x.test/?n=%7B%7BfirstName%7D%7D">x</a>',
])("a placeholder with markup or entities between the braces is reported as broken: %s", (source) => {
  expect(read(source, "html")).toMatchObject({ broken: [{ sign: null, meant: "{{firstName}}" }], foreign: [] });
});

test.each([
  '{{ firstName | default: "l’équipe “A”" }}',
  "{{\u00a0firstName\u00a0}}",
  "{% if size < 5 %}x{% endif %}",
  "{{ firstName | default: 'A & B; C' }}",
])("%s is valid in a template and not reported", (source) => {
  expect(read(`<p>${source}</p>`, "html")).toEqual({ foreign: [], broken: [] });
});
