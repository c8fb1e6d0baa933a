import { expect, test } from "@jest/globals";
import { preferredHosts, providerOf } from "../../domain/mailboxes/mail-exchange.ts";
import { type MailProviders, NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";

const at = (a: string[], b: string[]): MailProviders => ({
  A: { ...NO_PROVIDERS.A, mx: a },
  B: { ...NO_PROVIDERS.B, mx: b },
});
const BOTH = at(["a-mail.test", "old.a.test"], ["in.b-mail.test"]);

test.each<[string, unknown[], string[]]>([
  ["none", [], []],
  [
    "the most preferred",
    [
      { exchange: "backup.x", priority: 20 },
      { exchange: "MX.A.test.", priority: 5 },
    ],
    ["mx.a.test"],
  ],
  [
    "several alike, each once",
    [
      { exchange: "one.x", priority: 1 },
      { exchange: "two.x", priority: 1 },
      { exchange: "ONE.x", priority: 1 },
    ],
    ["one.x", "two.x"],
  ],
  ["a null MX", [{ exchange: "", priority: 0 }], []],
  ["a null MX with its dot", [{ exchange: ".", priority: 0 }], []],
  ["what is no MX", ["mx.a.test", null, 7, { exchange: 1, priority: 1 }, { exchange: "mx.a.test" }], []],
])("the hosts with the best preference are read from an MX response: %s", (_, answers, hosts) => {
  expect(preferredHosts(answers)).toEqual(hosts);
});

test.each<[string, string[], MailProviders, string]>([
  ["a host of A", ["mx1.a-mail.test"], BOTH, "PROVIDERA"],
  ["the very name", ["old.a.test"], BOTH, "PROVIDERA"],
  ["a host of B", ["acme-com.in.b-mail.test"], BOTH, "PROVIDERB"],
  ["one of several", ["mx.own.test", "mx.a-mail.test"], BOTH, "PROVIDERA"],
  ["neither", ["mx.own.test"], BOTH, "OTHER"],
  ["a name that only ends alike", ["not-a-mail.test"], BOTH, "OTHER"],
  ["a name that begins alike", ["a-mail.test.evil.test"], BOTH, "OTHER"],
  ["more of B's name than B has", ["b-mail.test"], BOTH, "OTHER"],
  ["no host", [], BOTH, "UNKNOWN"],
  ["A alone is known, and it is A's", ["mx.a-mail.test"], at(["a-mail.test"], []), "PROVIDERA"],
  ["A alone is known, and it is not A's", ["mx.own.test"], at(["a-mail.test"], []), "UNKNOWN"],
  ["nothing is known", ["mx.a-mail.test"], NO_PROVIDERS, "UNKNOWN"],
])("the MX hosts of a domain identify the email provider: %s", (_, hosts, providers, provider) => {
  expect(providerOf(hosts, providers)).toBe(provider);
});
