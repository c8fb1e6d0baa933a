import { expect, test } from "@jest/globals";
import { type LeadSource, sentencePartOf } from "../../domain/lead-source.ts";
import { render } from "../../domain/templates/template.ts";
import { variablesOf } from "../../domain/templates/variables.ts";

const source: LeadSource = {
  kind: "IMPORT",
  at: new Date("2026-03-03T23:30:00Z"),
  actor: { kind: "CONSOLE", id: "usr_1" },
  name: "contacts.csv",
  id: null,
};

test.each<[Partial<LeadSource>, string]>([
  [{}, "an import of contacts.csv on 3 March 2026"],
  [{ name: null }, "an import on 3 March 2026"],
  [{ name: "C:\\Users\\ada\\Lists\\my\u202e list\u0000.xlsx" }, "an import of my list.xlsx on 3 March 2026"],
  [{ name: "/home/ada/\u200b" }, "an import on 3 March 2026"],
  [{ name: `${"x".repeat(200)}.csv` }, `an import of ${"x".repeat(99)}… on 3 March 2026`],
  [{ kind: "CRM", name: "HubSpot" }, "an import from HubSpot on 3 March 2026"],
  [{ kind: "CRM", name: null }, "an import from our CRM on 3 March 2026"],
  [{ kind: "PROSPECT", name: "Weak prospects" }, "a search of a lead database on 3 March 2026"],
  [{ kind: "CAMPAIGN", name: "Losers, second try" }, "an entry by hand on 3 March 2026"],
  [{ kind: "MANUAL", name: null }, "an entry by hand on 3 March 2026"],
  [{ kind: "API", actor: { kind: "API_KEY", id: "key_1" } }, "an entry by one of our systems on 3 March 2026"],
  [{ kind: "REFERRAL", name: null, id: "thr_1" }, "a referral in an email to us on 3 March 2026"],
])("the source %j reads as a part of a sentence without internal names", (change, expected) => {
  expect(sentencePartOf({ ...source, ...change }, "UTC")).toBe(expected);
});

test("the day of a source is the day in the time zone", () => {
  expect(sentencePartOf(source, "Asia/Tokyo")).toBe("an import of contacts.csv on 4 March 2026");
});

const rendered = (bodyText: string, createdFrom: LeadSource | null, customFields = {}) =>
  render(
    { subject: null, bodyHtml: `<p>${bodyText}</p>`, bodyText },
    variablesOf({
      lead: { firstName: "Ada", customFields, createdFrom },
      mailbox: { email: "g@example.org", name: null, signatureHtml: null },
      campaign: { name: "Spring" },
      workspace: { name: "Example Ltd" },
      now: new Date(),
      zone: "Asia/Tokyo",
      unsubscribeLink: "",
      cid: "",
    }),
    { recipientId: "rcp_1", stepId: "stp_1", variantId: "var_1" },
    {},
  );

test("an email shows the source of its lead in the recipient's time zone, escaped in HTML", () => {
  const { text, html, missingVariables, usedVariables } = rendered("We know you from {{ lead.source }}.", {
    ...source,
    name: "<b>.csv",
  });
  expect(text).toBe("We know you from an import of <b>.csv on 4 March 2026.");
  expect(html).toContain("an import of &lt;b&gt;.csv on 4 March 2026.");
  expect([missingVariables, usedVariables]).toEqual([[], ["lead.source"]]);
});

test("an unknown source is a missing variable, and a default replaces it", () => {
  expect(rendered("From {{lead.source}}", null).missingVariables).toEqual(["lead.source"]);
  expect(rendered('From {{lead.source | default: "a list"}}', null)).toMatchObject({
    text: "From a list",
    missingVariables: [],
  });
});

test("a file name that contains a placeholder is never sent", () => {
  expect(rendered("From {{lead.source}}", { ...source, name: "{{firstName}}.csv" }).missingVariables).toEqual([
    "lead.source",
  ]);
});

test("a custom field with the name lead keeps its own value", () => {
  expect(rendered("{{lead}}: {{ lead.source }}", source, { lead: "Hot" }).text).toBe(
    "Hot: an import of contacts.csv on 4 March 2026",
  );
});
