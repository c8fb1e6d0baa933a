import { expect, test } from "@jest/globals";
import { DEFAULT_SETTINGS, type Settings } from "../../../domain/campaigns/settings.ts";
import { type MailSources, renderStep } from "../../../domain/sequences/rendered-mail.ts";

const variant = {
  variantId: "var_1",
  subject: "Hello {{firstName}}",
  bodyHtml: "<p>Hi {{firstName}}</p>",
  bodyText: null,
};

function mail({ settings = {}, ...more }: Omit<Partial<MailSources>, "settings"> & { settings?: Partial<Settings> }) {
  return renderStep({
    settings: { ...DEFAULT_SETTINGS, ...settings },
    step: { stepId: "stp_1", threadMode: "NEW_THREAD" },
    variant,
    lead: { _id: "led_1", firstName: "Ada", email: "ada@example.com", customFields: {} },
    recipient: { _id: "rcp_1", cid: "4fJ9sK2mQ7xB1c" },
    mailbox: { email: "grace@example.org", name: "Grace Hopper", signatureHtml: "<p>Grace</p>" },
    campaign: { name: "Spring" },
    workspace: { name: "Example Ltd", postalAddress: null },
    now: new Date("2026-01-15T12:00:00Z"),
    zone: "UTC",
    unsubscribeLink: "https://example.org/u/token",
    isFirst: true,
    openingSubject: null,
    ...more,
  });
}

test("a rendered email contains the lead's values and the mailbox's signature", () => {
  const rendered = mail({});
  expect(rendered).toMatchObject({
    subject: "Hello Ada",
    text: "Hi Ada\n\nGrace",
    missingVariables: [],
    usedVariables: ["firstName"],
  });
  expect(rendered.html).toContain("<div><p>Grace</p></div>");
});

test("a follow-up in the same thread has the subject of the first email, and the follow-up's own subject is ignored", () => {
  const step = { stepId: "stp_2", threadMode: "SAME_THREAD" } as const;
  const blank = { ...variant, subject: "{{nope}}" };
  expect(mail({ step, variant: blank, isFirst: false, openingSubject: "Hello Ada" })).toMatchObject({
    subject: "Re: Hello Ada",
    missingVariables: [],
  });
});

test("a fallback replaces a missing variable only if the campaign allows fallbacks", () => {
  const nameless = { lead: { _id: "led_1", email: "ada@example.com", customFields: { team: "" } } };
  const bodyHtml = "{{first_name}} of {{team}} and {{customFields.city_code}}";
  const fallbacks = { variableFallbacks: { firstName: "there", team: "the team", "customFields.cityCode": "LDN" } };
  const written = { ...nameless, variant: { ...variant, bodyHtml } };
  expect(mail({ ...written, settings: fallbacks }).missingVariables).toContain("firstName");
  const filled = mail({ ...written, settings: { ...fallbacks, missingVariablePolicy: "FALLBACK" } });
  expect(filled).toMatchObject({ subject: "Hello there", missingVariables: [] });
  expect(filled.html).toContain("there of the team and LDN");
});

test("a missing variable without a usable fallback is reported by name", () => {
  const settings = { missingVariablePolicy: "FALLBACK", variableFallbacks: { firstName: " " } } as const;
  expect(mail({ lead: { _id: "led_1" }, settings }).missingVariables).toEqual(["firstName"]);
});

test.each([
  ["every mail", { textOnly: true }, false, true],
  ["the first mail", { firstEmailTextOnly: true }, true, true],
  ["not a later mail", { firstEmailTextOnly: true }, false, false],
])("an email is plain text only as the campaign's settings say: %s", (_what, settings, isFirst, isText) => {
  expect(mail({ settings, isFirst }).html === null).toBe(isText);
});

test("the postal address and the unsubscribe link stand below the email text", () => {
  const workspace = { name: "Example Ltd", postalAddress: "1 Main Street" };
  const { html, text } = mail({ workspace, settings: { unsubscribeLink: true, signatureMode: "NONE" } });
  expect(text).toBe("Hi Ada\n\n1 Main Street\n\nUnsubscribe: https://example.org/u/token");
  expect(html).toContain('href="https://example.org/u/token"');
});

test("a preview without a lead uses the example values of the variables", () => {
  expect(mail({ lead: null, recipient: null, mailbox: null }).subject).toBe("Hello Ada");
});
