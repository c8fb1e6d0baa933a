import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { withFooter } from "../../../domain/templates/footer.ts";
import { checkContent, render } from "../../../domain/templates/template.ts";
import { BUILT_INS, sampleVariables, variablesOf } from "../../../domain/templates/variables.ts";

const seed = { recipientId: "rcp_1", stepId: "stp_1", variantId: "var_1" };
const values = {
  ...sampleVariables(),
  company: "A&B <x>",
  customFields: { deal_size: 12, colours: ["red", "blue"], budget: " " },
};
const html = (bodyHtml: string) => render({ subject: null, bodyHtml, bodyText: null }, values, seed, {});
const text = (bodyText: string) => render({ subject: null, bodyHtml: null, bodyText }, values, seed, {}).text;
const check = (part: Partial<Parameters<typeof checkContent>[0]>) => () =>
  checkContent({ subject: null, bodyHtml: null, bodyText: null, ...part }, "steps.0");

test.each([
  ["{{firstName}}", "Ada"],
  ["{{ FIRST_NAME }} {{first_name}}", "Ada Ada"],
  ["{{customFields.deal_size}} {{dealSize}} {{Deal_Size | plus: 1}}", "12 12 13"],
  ["{{colours}} {{colours | first}} {{colours.size}}", "red, blue red 2"],
  ["{% if company contains 'A' %}yes{% else %}no{% endif %}", "yes"],
  ["{% case city %}{% when 'London' %}UK{% else %}?{% endcase %}", "UK"],
  ["{% assign greet = firstName | upcase %}{{ Greet }}", "ADA"],
  ["{% unless nope %}a{% endunless %}{% comment %}b{% endcomment %}", "a"],
  ["{{ 'now' | date: '%B %-d, %Y' }} {{ today | date: '%A' }}", "January 15, 2026 Thursday"],
  ["{{ '2026-03-01T23:30:00' | date: '%d %H:%M' }}", "01 23:30"],
  ["{{ nope | default: 'there' }}", "there"],
  [
    "{{lead.source}} {{ Lead.Source | upcase }}",
    "an import of contacts.csv on 3 March 2026 AN IMPORT OF CONTACTS.CSV ON 3 MARCH 2026",
  ],
  ["{% assign lead = 'own' %}{{lead}}{{lead.source}}", "own"],
])("the template %s renders %s", (source, expected) => {
  expect(text(source)).toBe(expected);
});

test("values are escaped in HTML, but not in the subject or the plain text", () => {
  const rendered = render(
    { subject: "{{company}}", bodyHtml: "<p>{{company}}</p>", bodyText: "{{company}}" },
    values,
    seed,
    {},
  );
  expect(rendered).toMatchObject({ subject: "A&B <x>", html: "<p>A&amp;B &lt;x&gt;</p>", text: "A&B <x>" });
});

test("an explicitly escaped value, captured markup and the signature are not escaped twice", () => {
  expect(html("{{ company | escape }}").html).toBe("A&amp;B &lt;x&gt;");
  expect(html("{% capture hi %}<b>{{company}}</b>{% endcapture %}{{hi}}").html).toBe("<b>A&amp;B &lt;x&gt;</b>");
  expect(html("{{signature}}").html).toBe("<p>Grace Hopper</p>");
  expect(text("{{signature}}")).toBe("Grace Hopper");
});

test("a filter over captured markup returns a plain value that is escaped again", () => {
  expect(html("{% capture hi %}<b>{% endcapture %}{{hi | append: '<i>'}}").html).toBe("&lt;b&gt;&lt;i&gt;");
});

test.each([
  ["an unknown name", "{{nope}}", ["nope"]],
  ["a blank field under its full name", "{{ budget }}", ["customFields.budget"]],
  ["a value that is itself a placeholder", "{{ lastName }}", ["lastName"]],
  ["inside a branch that renders", "{% if firstName %}{{nope}}{% endif %}", ["nope"]],
  ["not inside a branch that does not", "{% if nope %}{{nope}}{% endif %}", []],
  ["not when a default stands in", "{{ nope | default: 'x' }}", []],
  ["not the signature or the link", "{{signature}}{{unsubscribe_link}}", []],
  ["not a text the author wrote blank", "{{ '' }}", []],
  [
    "no method or prototype of anything",
    "{{constructor}}{{size}}{{firstName.constructor}}",
    ["constructor", "size", "firstName.constructor"],
  ],
])("missing variables are reported only where the rendered text lacks a value: %s", (_what, bodyText, expected) => {
  const variables = { ...values, lastName: "{{last}}", signature: "", unsubscribeLink: "" };
  expect(render({ subject: null, bodyHtml: null, bodyText }, variables, seed, {}).missingVariables).toEqual(expected);
});

test("used variables are listed by catalogue name, including those in conditions, without variables that the author assigns", () => {
  const source = "{% if first_name %}{% assign mine = DealSize %}{{mine}}{% endif %}";
  expect(html(source).usedVariables).toEqual(["firstName", "customFields.deal_size"]);
});

test("a lead's value is never expanded or rendered as a template", () => {
  fc.assert(
    fc.property(fc.constantFrom("{a|b}", "{{email}}", "{% if x %}", "\\{", "{{'a'|upcase}}"), (value) => {
      expect(
        render({ subject: null, bodyHtml: null, bodyText: "{{company}}" }, { company: value }, seed, {}).text,
      ).toBe(value);
    }),
  );
});

test("a missing HTML or text body is derived from the other body, and a text-only email has no HTML", () => {
  expect(html('<h1>Hi</h1><p>See <a href="https://x.example">this</a></p>').text).toContain(
    "See this (https://x.example)",
  );
  expect(render({ subject: null, bodyHtml: null, bodyText: "a <b>\nc\n\nd" }, values, seed, {}).html).toBe(
    "<p>a &lt;b&gt;<br>\nc</p>\n<p>d</p>",
  );
  expect(
    render({ subject: null, bodyHtml: "<p>x</p>", bodyText: null }, values, seed, { textOnly: true }),
  ).toMatchObject({
    html: null,
    text: "x",
  });
});

test("an empty HTML or text body counts as missing", () => {
  expect(render({ subject: null, bodyHtml: " ", bodyText: "a" }, values, seed, {}).html).toBe("<p>a</p>");
  expect(render({ subject: null, bodyHtml: "<p>a</p>", bodyText: "" }, values, seed, {}).text).toBe("a");
});

test("the HTML and the text of one email choose the same spintax options", () => {
  for (let n = 0; n < 30; n++) {
    const body = "{a|b|c} {d|e}";
    const rendered = render(
      { subject: "{x|y}", bodyHtml: body, bodyText: body },
      values,
      { ...seed, recipientId: `${n}` },
      {},
    );
    expect(rendered.html).toBe(rendered.text);
  }
});

test("a rendered subject is one clean line of at most 255 characters, whatever the values contain", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (company) => {
      const { subject } = render({ subject: "Hi {{company}}", bodyHtml: null, bodyText: "" }, { company }, seed, {});
      expect(subject).not.toMatch(/[\x00-\x1f\x7f\u0085\u2028-\u202e\u2066-\u2069]/);
      expect([...subject].length).toBeLessThanOrEqual(255);
      expect(subject.isWellFormed()).toBe(true);
    }),
  );
});

test.each([
  ["{% for a in b %}{% endfor %}", 1, 1],
  ["{% raw %}x{% endraw %}", 1, 1],
  ["{% include 'x' %}", 1, 1],
  ["{% render 'x' %}", 1, 1],
  ["{% liquid echo x %}", 1, 1],
  ["ab\n {{ x | raw }}", 2, 2],
  ["{{ x | json }}", 1, 1],
  ["{{ x | upcasee }}", 1, 1],
  ["a {{ x", 1, 3],
  ["{% if x %}", 1, 1],
  ["x\n\n  {% endif %}", 3, 3],
  ["{Hi {{ x | bad }}|Hey}", 1, 5],
  ["{a {% if x %}|b{% endif %}}", 1, 2],
])("the invalid template %j is refused with the line and column of the error", (bodyText, line, column) => {
  expect(check({ bodyText })).toThrow(
    expect.objectContaining({ code: "TEMPLATE_INVALID", details: { line, column, path: "steps.0.bodyText" } }),
  );
});

test("a template body over 100 kB is refused, and escaped braces count at their expanded length", () => {
  expect(check({ bodyText: "\\{".repeat(15_000) })).toThrow(expect.objectContaining({ code: "TEMPLATE_INVALID" }));
  expect(check({ bodyHtml: "ä".repeat(50_001) })).toThrow(expect.objectContaining({ code: "TEMPLATE_INVALID" }));
});

test("line breaks and control characters in a subject are refused", () => {
  for (const subject of ["a\nb", "a\rb", "a\tb", "a\u0085b", "a\u2028b"])
    expect(check({ subject })).toThrow(
      expect.objectContaining({
        code: "VALIDATION_FAILED",
        details: { issues: [expect.objectContaining({ path: "steps.0.subject" })] },
      }),
    );
});

test.each([
  "<script>x</script>",
  "<form><p>x</p></form>",
  "<svg><script>x</script></svg>",
  "<img src=x OnError=alert(1)>",
  '<a href="java&#10;script:alert(1)">x</a>',
  '<a href=" JavaScript:x">x</a>',
  "<template><iframe></iframe></template>",
  '<meta http-equiv="refresh" content="0">',
])("active HTML is refused: %s", (bodyHtml) => {
  expect(check({ bodyHtml })).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
});

test("a template with styles, spintax, Liquid and an image is accepted", () => {
  const bodyHtml =
    "<style>a{color:red}</style><p>{Hi|Hey {{firstName}}}, {% if city %}{a|b}{% endif %} <img src='https://x.example/i.png'></p>";
  expect(check({ subject: "{Quick|Short} question, {{firstName}}", bodyHtml, bodyText: "\\{x\\}" })).not.toThrow();
});

test.each([
  ["doubling by append", `{% assign a = 'xxxxxxxxxx' %}${"{% assign a = a | append: a %}".repeat(30)}`],
  [
    "doubling by capture",
    `{% capture a %}xxxxxxxxxx{% endcapture %}${"{% capture a %}{{a}}{{a}}{% endcapture %}".repeat(24)}`,
  ],
  [
    "a filter chain that grows",
    "{{ 'aaaaaaaaaa' | replace: 'a', 'bbbbbbbbbbbbbbbbbbbb' | replace: 'b', 'cccccccccccccccccccc' | replace: 'c', 'dddddddddddddddddddddddddddddddddddddddddddddddddddddddddddd' | replace: 'd', 'eeeeeeeeee' }}",
  ],
  [
    "printing one large value again and again",
    `{% capture a %}${"x".repeat(30_000)}{% endcapture %}${"{{a}}".repeat(8)}`,
  ],
])("%s stops with the error RENDER_LIMIT", (_what, bodyHtml) => {
  expect(() => html(bodyHtml)).toThrow(expect.objectContaining({ code: "RENDER_LIMIT" }));
});

test("a filter that throws on a lead's value returns the error TEMPLATE_INVALID", () => {
  const content = { subject: null, bodyHtml: null, bodyText: "{{ company | url_encode }}" };
  expect(() => render(content, { company: "\ud800" }, seed, {})).toThrow(
    expect.objectContaining({ code: "TEMPLATE_INVALID" }),
  );
});

test("dates are in the recipient's time zone, and every built-in variable has a value", () => {
  const variables = variablesOf({
    lead: { firstName: "Ada", lastName: "Lovelace", customFields: { a: 1 } },
    mailbox: { email: "g@example.org", name: "Grace Hopper", signatureHtml: null },
    campaign: { name: "Spring" },
    workspace: { name: "Example Ltd" },
    now: new Date("2026-01-15T23:30:00Z"),
    zone: "Asia/Tokyo",
    unsubscribeLink: "https://x.example/u/t",
    cid: "abc",
  });
  expect(variables).toMatchObject({
    today: "2026-01-16",
    weekday: "Friday",
    senderFirstName: "Grace",
    fullName: "Ada Lovelace",
  });
  expect(Object.keys(variables)).toEqual(expect.arrayContaining(BUILT_INS.map(({ key }) => key)));
});

const footer = {
  postalAddress: "1 Road\nTown",
  unsubscribeText: null,
  unsubscribeLink: "https://x.example/u/t?a=1&b=2",
  unsubscribeLinkWanted: true,
  signatureHtml: "<p>Grace</p>",
  signatureMode: "MAILBOX" as const,
};

test("the signature, the postal address and the unsubscribe link end the HTML inside the body element, and end the text", () => {
  const done = withFooter(html("<html><body><p>x</p></body></html>"), footer);
  expect(done.html).toMatch(
    /<p>x<\/p>\s*<div><p>Grace<\/p><\/div>[\s\S]*1 Road<br>Town[\s\S]*a=1&amp;b=2[\s\S]*<\/body><\/html>$/,
  );
  expect(done.text).toBe("x\n\nGrace\n\n1 Road\nTown\n\nUnsubscribe: https://x.example/u/t?a=1&b=2");
});

test("a signature or link that the author placed is not added again, and nothing is added when switched off", () => {
  const variables = { ...values, unsubscribeLink: footer.unsubscribeLink, signature: footer.signatureHtml };
  const body = { subject: null, bodyHtml: '{{signature}}<a href="{{unsubscribeLink}}">bye</a>', bodyText: null };
  const done = withFooter(render(body, variables, seed, {}), { ...footer, postalAddress: null });
  expect(done.html?.match(/Grace|u\/t/g)).toHaveLength(2);
  const bare = html("<p>x</p>");
  const none = { ...footer, postalAddress: null, unsubscribeLinkWanted: false, signatureMode: "NONE" as const };
  expect(withFooter(bare, none)).toEqual(bare);
});
