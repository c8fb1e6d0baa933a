import { expect, test } from "@jest/globals";
import { type Claim, isProvenReport } from "../../../domain/bounces/report-proof.ts";

const mailbox = { email: "me@ours.example", hosts: ["smtp.provider.example", "imap.provider.example"] };

function claim(from: string, more: Partial<Claim> & { domain?: string | null; isOwnServer?: boolean } = {}): boolean {
  const { domain = null, isOwnServer = false, ...rest } = more;
  const provenance = { domain, isOwnServer };
  return isProvenReport({
    from: { name: "", address: from },
    provenance,
    about: "bob@customer.example",
    to: [mailbox.email],
    mailbox,
    ...rest,
  });
}

test("the From address of a report alone proves nothing", () => {
  for (const from of ["mailer-daemon@customer.example", "mailer-daemon@ours.example", "postmaster@provider.example"]) {
    expect(claim(from)).toBe(false);
  }
});

test.each([
  ["mailer-daemon@customer.example", { domain: "customer.example" }],
  ["postmaster@mx3.customer.example", { domain: "mx3.customer.example" }],
  ["microsoftexchange329e71ec88ae4615bbc36ab6ce41109e@customer.example", { domain: "customer.example" }],
  ["mailer-daemon@provider.example", { domain: "provider.example" }],
  ["bounces+123@out.provider.example", { domain: "out.provider.example" }],
  ["postmaster@ours.example", { domain: "ours.example" }],
  ["mailer-daemon@ours.example", { isOwnServer: true }],
  ["mailer-daemon@provider.example", { domain: "provider.example", about: null }],
])(
  "a report from the recipient's domain, the mailbox's domain, the provider or the mailbox's own server is proven: %s",
  (from, more) => {
    expect(claim(from, more)).toBe(true);
  },
);

test.each([
  ["mailer-daemon@evil.example", { domain: "evil.example" }],
  ["mailer-daemon@customer.example", { domain: "customer.example", about: null }],
  ["mailer-daemon@customer.example", { domain: "customer.example", to: ["somebody@evil.example"] }],
  ["eve@customer.example", { domain: "customer.example" }],
  ["eve@ours.example", { isOwnServer: true }],
  ["reporter.eve@provider.example", { domain: "provider.example" }],
])("a report from another domain or a person, or addressed to someone else, is not proven: %s", (from, more) => {
  expect(claim(from, more)).toBe(false);
});

test("at a free email provider only reserved names such as postmaster prove a report", () => {
  const about = "bob@gmail.com";
  for (const name of ["mailer-daemon", "postmaster", "abuse"])
    expect(claim(`${name}@gmail.com`, { about, domain: "gmail.com" })).toBe(true);
  for (const name of ["mail.delivery.system", "bounces", "noreply", "feedback"]) {
    expect(claim(`${name}@gmail.com`, { about, domain: "gmail.com" })).toBe(false);
  }
  expect(claim("feedback@arf.mail.yahoo.com", { about: "bob@yahoo.com", domain: "arf.mail.yahoo.com" })).toBe(true);
});

test("a report from another known domain of the mailbox's provider is proven", () => {
  const at = (host: string) => ({
    mailbox: { email: "me@ours.example", hosts: [host] },
    about: "bob@customer.example",
  });
  expect(claim("mailer-daemon@googlemail.com", { domain: "googlemail.com", ...at("smtp.gmail.com") })).toBe(true);
  expect(claim("postmaster@outlook.com", { domain: "outlook.com", ...at("smtp.office365.com") })).toBe(true);
  expect(claim("mailer-daemon@googlemail.com", { domain: "googlemail.com", ...at("smtp.office365.com") })).toBe(false);
});

test("a report from another tenant of a shared host is not proven", () => {
  expect(claim("postmaster@evil.github.io", { about: "bob@customer.github.io", domain: "evil.github.io" })).toBe(false);
});
