import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { inspectDomain } from "../../connectors/dns/domain-facts.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { type DomainCheckName, finding } from "../../domain/deliverability/finding.ts";
import { type FakeDns, startDns, type Zone } from "../fakes/dns.ts";
import { including, keyOf, ORDERLY, setZone, withSpf } from "./zones.ts";

let dns: FakeDns;
let egress: Egress;

beforeAll(async () => {
  dns = await startDns();
  egress = createEgress({ allow: [], ownAddresses: [], dnsServers: [dns.server] });
});

afterAll(async () => {
  await egress.close();
  await dns.close();
});

const SENDER = {
  domain: "sender.test",
  organisation: "sender.test",
  servers: ["smtp.sender.test"],
  selectors: ["s2026"],
};

async function inspect(zone: Zone, sender: Partial<typeof SENDER> = {}) {
  setZone(dns, zone);
  const report = await inspectDomain(egress, { ...SENDER, ...sender }, []);
  const of = (check: DomainCheckName) => report.findings.find((found) => found.check === check);
  return { ...report, of };
}

test("a well-configured domain passes every required check, has ABSENT for optional checks, and gets no suggested records for passed checks", async () => {
  const { findings, isAligned, of } = await inspect(ORDERLY);
  const verdicts = Object.fromEntries(findings.map(({ check, verdict }) => [check, verdict]));
  expect(verdicts).toEqual({
    MX: "PASS",
    SPF: "PASS",
    DKIM: "PASS",
    DMARC: "PASS",
    PTR: "PASS",
    MTA_STS: "ABSENT",
    TLS_RPT: "ABSENT",
    BIMI: "ABSENT",
  });
  expect(isAligned).toBe(true);
  expect(findings.filter(({ verdict }) => verdict === "PASS").flatMap(({ publish }) => publish)).toEqual([]);
  expect(of("SPF")?.detail).toMatch(/takes 1 of 10 DNS lookups/);
});

const txt = (name: string, value: string) => ({ type: "TXT", name, value });
const google = { servers: ["smtp.gmail.com"] };
const key = (record: string, selector = "s2026") => ({
  ...ORDERLY,
  [`${selector}._domainkey.sender.test`]: { TXT: [record] },
});
const dmarc = (record: string) => ({ ...ORDERLY, "_dmarc.sender.test": { TXT: [record] } });
const sts = (record: string) => ({ ...ORDERLY, "_mta-sts.sender.test": { TXT: [record] } });

test.each<[string, Zone, DomainCheckName, string, string, readonly object[], Partial<typeof SENDER>?]>([
  ["no MX and no address", { "sender.test": {} }, "MX", "FAIL", "MX_ABSENT", []],
  ["an address in place of MX", { "sender.test": { A: ["203.0.113.7"] } }, "MX", "WARN", "MX_ABSENT", []],
  [
    "no MX at a mail host",
    {},
    "MX",
    "FAIL",
    "MX_ABSENT",
    [{ type: "MX", name: "sender.test", value: "1 smtp.google.com" }],
    google,
  ],
  ["a null MX", { "sender.test": { MX: ["0 ."] } }, "MX", "FAIL", "NULL_MX", []],
  [
    "a null MX among others",
    { "sender.test": { MX: ["0 .", "10 mx.test"] } },
    "MX",
    "FAIL",
    "NULL_MX_AMONG_OTHERS",
    [],
  ],
  ["a name server that fails", { "sender.test": "servfail" }, "MX", "UNKNOWN", "NO_ANSWER", []],

  ["no SPF", withSpf(), "SPF", "FAIL", "SPF_ABSENT", [txt("sender.test", "v=spf1 a:smtp.sender.test ~all")]],
  [
    "no SPF at a mail host",
    withSpf(),
    "SPF",
    "FAIL",
    "SPF_ABSENT",
    [txt("sender.test", "v=spf1 include:_spf.google.com ~all")],
    google,
  ],
  [
    "two SPF records",
    withSpf("v=spf1 a:smtp.sender.test ~all", "v=spf1 include:_spf.google.com mx -all"),
    ...(["SPF", "FAIL", "SPF_SEVERAL"] as const),
    [txt("sender.test", "v=spf1 a:smtp.sender.test include:_spf.google.com mx -all")],
  ],
  [
    "SPF that lets everybody pass",
    withSpf("v=spf1 mx +all"),
    "SPF",
    "WARN",
    "SPF_OPEN",
    [txt("sender.test", "v=spf1 mx ~all")],
  ],
  ["SPF without an end", withSpf("v=spf1 mx"), "SPF", "WARN", "SPF_OPEN", [txt("sender.test", "v=spf1 mx ~all")]],
  ["SPF that is not well formed", withSpf("v=spf1 ipv4:203.0.113.7 ~all"), "SPF", "FAIL", "SPF_UNUSABLE", []],
  [
    "SPF that includes a domain without SPF",
    withSpf("v=spf1 include:none.test ~all"),
    "SPF",
    "FAIL",
    "SPF_UNUSABLE",
    [],
  ],
  ["SPF that redirects to nothing", withSpf("v=spf1 redirect=none.test"), "SPF", "FAIL", "SPF_UNUSABLE", []],
  [
    "SPF that redirects",
    { ...withSpf("v=spf1 redirect=_spf.sender.test"), "_spf.sender.test": { TXT: ["v=spf1 a:smtp.sender.test -all"] } },
    ...(["SPF", "PASS", "SPF_USABLE", []] as const),
  ],
  [
    "SPF with macros",
    { ...withSpf("v=spf1 exists:%{ir}.%{l}.spf.sender.test ~all") },
    ...(["SPF", "PASS", "SPF_USABLE", []] as const),
  ],
  ["SPF with nine includes", including(9), "SPF", "PASS", "SPF_USABLE", []],
  ["SPF with ten includes and a server", including(10), "SPF", "FAIL", "SPF_TOO_MANY_LOOKUPS", []],
  ["SPF with more lookups than are counted", including(28), "SPF", "FAIL", "SPF_TOO_MANY_LOOKUPS", []],
  ["SPF with two names that lead nowhere", withSpf("v=spf1 a:x1.test a:x2.test ~all"), "SPF", "PASS", "SPF_USABLE", []],
  [
    "three such names",
    withSpf("v=spf1 a:x1.test a:x2.test a:x3.test ~all"),
    "SPF",
    "FAIL",
    "SPF_TOO_MANY_VOID_LOOKUPS",
    [],
  ],
  [
    "SPF without the mail host",
    withSpf("v=spf1 mx ~all"),
    ...(["SPF", "WARN", "SPF_SERVER_NOT_NAMED"] as const),
    ...([[txt("sender.test", "v=spf1 include:_spf.google.com mx ~all")], google] as const),
  ],
  [
    "SPF that names the mail host in an include",
    {
      ...withSpf("v=spf1 include:all.sender.test ~all"),
      "all.sender.test": { TXT: ["v=spf1 include:_spf.google.com ~all"] },
      "_spf.google.com": { TXT: ["v=spf1 ip4:203.0.113.0/24 ~all"] },
    },
    ...(["SPF", "PASS", "SPF_USABLE", [], google] as const),
  ],
  [
    "an include whose server fails",
    { ...withSpf("v=spf1 include:x.test ~all"), "x.test": "servfail" },
    "SPF",
    "UNKNOWN",
    "NO_ANSWER",
    [],
  ],

  ["a key of 1,024 bits", key(`v=DKIM1; p=${keyOf(1_024)}`), "DKIM", "PASS", "DKIM_SIGNED", []],
  ["a key that is tried", key(`v=DKIM1; t=y; p=${keyOf(2_048)}`), "DKIM", "WARN", "DKIM_TESTING", []],
  ["a key of 512 bits", key(`v=DKIM1; p=${keyOf(512)}`), "DKIM", "FAIL", "DKIM_KEY_UNUSABLE", []],
  ["a revoked key", key("v=DKIM1; p="), "DKIM", "FAIL", "DKIM_KEY_UNUSABLE", []],
  ["a signature whose key is gone", ORDERLY, "DKIM", "FAIL", "DKIM_KEY_ABSENT", [], { selectors: ["gone"] }],
  [
    "a key that no mail was signed with",
    key(`p=${keyOf(2_048)}`, "default"),
    "DKIM",
    "WARN",
    "DKIM_KEY_PRESENT",
    [],
    { selectors: [] },
  ],
  [
    "no selector known, at a mail host",
    ORDERLY,
    ...(["DKIM", "UNKNOWN", "DKIM_SELECTOR_UNKNOWN"] as const),
    [txt("google._domainkey.sender.test", "v=DKIM1; k=rsa; p=<the key that your mail host shows>")],
    { ...google, selectors: [] },
  ],
  [
    "a key whose name server fails",
    { ...ORDERLY, "s2026._domainkey.sender.test": "servfail" },
    "DKIM",
    "UNKNOWN",
    "NO_ANSWER",
    [],
  ],

  [
    "no DMARC",
    { ...ORDERLY, "_dmarc.sender.test": {} },
    ...([
      "DMARC",
      "FAIL",
      "DMARC_ABSENT",
      [txt("_dmarc.sender.test", "v=DMARC1; p=none; rua=mailto:dmarc@sender.test")],
    ] as const),
  ],
  ["DMARC that is not well formed", dmarc("v=DMARC1 quarantine"), "DMARC", "FAIL", "DMARC_ABSENT", [expect.anything()]],
  [
    "DMARC of none",
    dmarc("v=DMARC1; p=none; rua=mailto:a@sender.test"),
    ...([
      "DMARC",
      "WARN",
      "DMARC_POLICY_NONE",
      [txt("_dmarc.sender.test", "v=DMARC1; p=quarantine; rua=mailto:a@sender.test")],
    ] as const),
  ],
  [
    "DMARC without reports",
    dmarc("v=DMARC1; p=reject"),
    ...([
      "DMARC",
      "PASS",
      "DMARC_WITHOUT_REPORTS",
      [txt("_dmarc.sender.test", "v=DMARC1; p=reject; rua=mailto:dmarc@sender.test")],
    ] as const),
  ],
  [
    "DMARC whose reports go to a stranger",
    dmarc("v=DMARC1; p=reject; rua=mailto:a@reports.test"),
    ...([
      "DMARC",
      "WARN",
      "DMARC_REPORTS_REFUSED",
      [txt("sender.test._report._dmarc.reports.test", "v=DMARC1")],
    ] as const),
  ],
  [
    "DMARC whose reports a stranger takes",
    {
      ...dmarc("v=DMARC1; p=reject; rua=mailto:a@reports.test!10m"),
      "sender.test._report._dmarc.reports.test": { TXT: ["v=DMARC1"] },
    },
    ...(["DMARC", "PASS", "DMARC_ENFORCED", []] as const),
  ],
  [
    "DMARC that nothing can pass",
    { ...ORDERLY, ...withSpf("v=spf1 -all extra"), "s2026._domainkey.sender.test": {} },
    ...(["DMARC", "FAIL", "DMARC_NOT_ALIGNED", []] as const),
  ],
  [
    "DMARC whose name server fails",
    { ...ORDERLY, "_dmarc.sender.test": "servfail" },
    "DMARC",
    "UNKNOWN",
    "NO_ANSWER",
    [],
  ],

  [
    "a server without a name",
    { ...ORDERLY, "7.113.0.203.in-addr.arpa": {} },
    ...(["PTR", "WARN", "PTR_ABSENT", [{ type: "PTR", name: "203.0.113.7", value: "smtp.sender.test" }]] as const),
  ],
  [
    "a server whose name leads elsewhere",
    { ...ORDERLY, "7.113.0.203.in-addr.arpa": { PTR: ["pool-7.isp.test"] } },
    ...(["PTR", "WARN", "PTR_NOT_CONFIRMED", [expect.anything()]] as const),
  ],
  [
    "a server whose names nobody tells",
    { ...ORDERLY, "7.113.0.203.in-addr.arpa": "servfail" },
    "PTR",
    "UNKNOWN",
    "NO_ANSWER",
    [],
  ],
  ["a mail host's server", ORDERLY, "PTR", "PASS", "PTR_OF_MAIL_HOST", [], google],

  ["MTA-STS without an id", sts("v=STSv1;"), "MTA_STS", "WARN", "MTA_STS_MALFORMED", [expect.anything()]],
  ["MTA-STS whose policy cannot be fetched", sts("v=STSv1; id=1"), "MTA_STS", "UNKNOWN", "MTA_STS_POLICY_UNREAD", []],
  [
    "TLS reports without an address",
    { ...ORDERLY, "_smtp._tls.sender.test": { TXT: ["v=TLSRPTv1;"] } },
    ...(["TLS_RPT", "WARN", "TLS_RPT_MALFORMED", [expect.anything()]] as const),
  ],
  [
    "TLS reports",
    { ...ORDERLY, "_smtp._tls.sender.test": { TXT: ["v=TLSRPTv1; rua=mailto:t@sender.test"] } },
    ...(["TLS_RPT", "PASS", "TLS_RPT_PRESENT", []] as const),
  ],
  [
    "a logo",
    { ...ORDERLY, "default._bimi.sender.test": { TXT: ["v=BIMI1; l=https://sender.test/logo.svg"] } },
    ...(["BIMI", "PASS", "BIMI_PRESENT", []] as const),
  ],
  [
    "a logo without an enforced policy",
    { ...dmarc("v=DMARC1; p=none"), "default._bimi.sender.test": { TXT: ["v=BIMI1; l=https://sender.test/logo.svg"] } },
    ...(["BIMI", "WARN", "BIMI_WITHOUT_POLICY", []] as const),
  ],
])(
  "the domain check reports the verdict, reason and records to publish for %s",
  async (_what, zone, check, verdict, reason, publish, sender) => {
    const { of } = await inspect(zone, sender);
    expect(of(check)).toMatchObject({ check, verdict, reason, publish });
  },
);

test("a domain that fails SPF or DMARC passes once the suggested records are published", async () => {
  for (const zone of [
    withSpf(),
    withSpf("v=spf1 mx +all"),
    withSpf("v=spf1 mx ~all", "v=spf1 a:smtp.sender.test -all"),
    dmarc("v=DMARC1; p=none"),
  ]) {
    const { findings } = await inspect(zone);
    const wrong = findings.filter(({ check, verdict }) => ["SPF", "DMARC"].includes(check) && verdict !== "PASS");
    expect(wrong).not.toEqual([]);
    const cured: Zone = { ...zone };
    for (const { name, value } of wrong.flatMap(({ publish }) => publish))
      cured[name] = { MX: ["10 mx.sender.test"], TXT: [value] };
    const after = await inspect(cured);
    expect(wrong.map(({ check }) => after.of(check)?.verdict)).toEqual(wrong.map(() => "PASS"));
  }
});

test("all DNS lookups of an SPF record over the limit are counted and listed by term, the most expensive first", async () => {
  const deep: Zone = {
    ...withSpf("v=spf1 a:smtp.sender.test include:small.test include:large.test ~all"),
    "small.test": { TXT: ["v=spf1 ip4:203.0.113.1 -all"] },
    "large.test": { TXT: [`v=spf1 ${Array.from({ length: 9 }, (_, n) => `a:h${n}.sender.test`).join(" ")} -all`] },
    ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`h${n}.sender.test`, { A: ["203.0.113.2"] }])),
  };
  const { of } = await inspect(deep);
  expect(of("SPF")).toMatchObject({ reason: "SPF_TOO_MANY_LOOKUPS" });
  expect(of("SPF")?.detail).toMatch(
    /takes 12 DNS lookups.*include:large\.test 10, a:smtp\.sender\.test 1, include:small\.test 1/,
  );
});

test("a subdomain is checked against the DMARC policy of its organizational domain, and the suggested record is for that domain", async () => {
  const zone: Zone = {
    ...ORDERLY,
    "mail.sender.test": { MX: ["10 mx.sender.test"], TXT: ["v=spf1 a:smtp.sender.test -all"] },
    "_dmarc.sender.test": { TXT: ["v=DMARC1; p=none; rua=mailto:a@sender.test"] },
  };
  const { of, isAligned } = await inspect(zone, { domain: "mail.sender.test", selectors: [] });
  expect(of("DMARC")).toMatchObject({ reason: "DMARC_POLICY_NONE", publish: [{ name: "_dmarc.sender.test" }] });
  expect(isAligned).toBe(true);
});

test("when a name server never answers, the domain check still ends, and every verdict is UNKNOWN", async () => {
  const { findings, isAligned } = await inspect(
    Object.fromEntries(Object.keys(ORDERLY).map((name) => [name, "silence"])),
  );
  const told = findings.filter(({ check }) => ["MX", "SPF", "DKIM", "PTR", "DMARC"].includes(check));
  expect(told.map(({ verdict }) => verdict)).toEqual(told.map(() => "UNKNOWN"));
  expect(isAligned).toBeNull();
}, 60_000);

test("hostile records are shortened in the report and do not break the check", async () => {
  const { of } = await inspect(withSpf(`v=spf1 ${"a".repeat(300)}\u0000 {$ne:1} ~all`));
  expect(of("SPF")).toMatchObject({ verdict: "FAIL" });
  const { found } = finding("SPF", "FAIL", "SPF_SEVERAL", "", {
    found: Array.from({ length: 50 }, () => "x".repeat(5_000)),
  });
  expect([found.length, ...found.map((text) => text.length)]).toEqual([10, ...Array.from({ length: 10 }, () => 500)]);
});
