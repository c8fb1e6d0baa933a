import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { routes } from "../../api/routes.ts";
import { policyIn } from "../../connectors/dns/domain-facts.ts";
import { ALERT_THRESHOLDS } from "../../domain/alert-thresholds.ts";
import {
  type AlertChange,
  type AlertCondition,
  alertChanges,
  domainConditions,
  googleConditions,
  rateConditions,
  type StandingAlert,
} from "../../domain/deliverability/alerts.ts";
import { consumerHostOf } from "../../domain/deliverability/consumer-mail.ts";
import { type FindingVerdict, finding } from "../../domain/deliverability/finding.ts";
import { judgeMtaSts } from "../../domain/deliverability/policies.ts";
import { daysToRead } from "../../domain/deliverability/postmaster.ts";
import { domainAdvice, lostAdvice, mailboxAdvice, sortAdvice } from "../../domain/deliverability/recommendations.ts";
import { type SenderFacts, senderRules } from "../../domain/deliverability/sender-rules.ts";
import { recordFor } from "../../domain/deliverability/spf.ts";
import { scoreOf } from "../../domain/mailboxes/score.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { tools } from "../../mcp/tools.ts";

const checked = (verdict: FindingVerdict) =>
  (["MX", "SPF", "DKIM", "DMARC", "PTR"] as const).map((check) =>
    finding(check, verdict, `${check}_${verdict}`, "As it is."),
  );
const facts = (more: Partial<SenderFacts> = {}): SenderFacts => ({
  findings: checked("PASS"),
  isAligned: true,
  usesTls: true,
  sent: 1_000,
  complained: 0,
  google: null,
  daily: { GOOGLE: 0, YAHOO: 0, MICROSOFT: 0 },
  ...more,
});
const verdictsOf = (of: Partial<SenderFacts>) =>
  Object.fromEntries(
    senderRules(facts(of)).map(({ host, rules }) => [
      host,
      Object.fromEntries(rules.map(({ rule, verdict }) => [rule, verdict])),
    ]),
  );

test("Google, Yahoo and Microsoft each have only the sender rules that they publish", () => {
  const all = {
    SPF: "PASS",
    DKIM: "PASS",
    DMARC: "PASS",
    PTR: "PASS",
    TLS: "PASS",
    ONE_CLICK: "PASS",
    COMPLAINTS: "PASS",
  };
  const { TLS: _tls, ...yahoo } = all;
  expect(verdictsOf({})).toEqual({
    GOOGLE: all,
    YAHOO: yahoo,
    MICROSOFT: { SPF: "PASS", DKIM: "PASS", DMARC: "PASS" },
  });
});

test.each([
  [999, 0, "PASS"],
  [10_000, 9, "PASS"],
  [10_000, 10, "WARN"],
  [10_000, 29, "WARN"],
  [10_000, 30, "FAIL"],
  [99, 50, "UNKNOWN"],
])(
  "the complaint rule for %i emails with %i complaints gives %s: below 0.1 %% passes, 0.3 %% fails",
  (sent, complained, verdict) => {
    expect(verdictsOf({ sent, complained })["GOOGLE"]).toMatchObject({ COMPLAINTS: verdict });
  },
);

test.each([
  [0.000_9, "PASS"],
  [0.001, "WARN"],
  [0.002_9, "WARN"],
  [0.003, "FAIL"],
])(
  "with Google's own complaint rate of %d the rule for Google gives %s, and the rule for Yahoo uses our count",
  (rate, verdict) => {
    const found = verdictsOf({ sent: 1_000, complained: 999, google: { day: "2026-11-20", rate } });
    expect([found["GOOGLE"]?.["COMPLAINTS"], found["YAHOO"]?.["COMPLAINTS"]]).toEqual([verdict, "FAIL"]);
  },
);

const NOON = Date.parse("2026-11-24T12:00:00Z");

test.each([
  ["2026-11-17", 0.001, "HOLDS", "WARNING"],
  ["2026-11-17", 0.003, "HOLDS", "CRITICAL"],
  ["2026-11-23", 0.000_99, "GONE", "WARNING"],
  ["2026-11-16", 0.003, "UNKNOWN", "CRITICAL"],
])(
  "a Google spam rate on %s of %d has the alert state %s and severity %s; a rate over a week old is UNKNOWN",
  (day, rate, state, severity) => {
    expect(googleConditions("acme.test", { day, rate }, NOON)).toMatchObject([
      { type: "GOOGLE_SPAM_RATE", state, severity },
    ]);
    expect(googleConditions("acme.test", null, NOON)).toEqual([]);
  },
);

test("a reading of Google's figures starts ten days before the last reading, at most 120 days ago", () => {
  const since = (readAt: Date | null) => daysToRead(readAt, NOON).since;
  const ago = (days: number) => new Date(NOON - days * DAY_MS);
  expect([null, ago(0.8), ago(1), ago(30), ago(300)].map(since)).toEqual(
    [120, 10, 11, 40, 120].map((days) => new Date(NOON - days * DAY_MS).toISOString().slice(0, 10)),
  );
  expect(daysToRead(null, NOON).until).toBe("2026-11-23");
});

test("a DMARC policy of none meets the rules; a missing record, unaligned mail and a server without TLS break them", () => {
  const none = [
    ...checked("PASS").filter(({ check }) => check !== "DMARC"),
    finding("DMARC", "WARN", "DMARC_POLICY_NONE", "None."),
  ];
  const absent = [
    ...checked("PASS").filter(({ check }) => check !== "DMARC"),
    finding("DMARC", "FAIL", "DMARC_ABSENT", "None."),
  ];
  expect(verdictsOf({ findings: none })["MICROSOFT"]).toMatchObject({ DMARC: "PASS" });
  expect(verdictsOf({ findings: absent })["MICROSOFT"]).toMatchObject({ DMARC: "FAIL" });
  expect(verdictsOf({ isAligned: false })["GOOGLE"]).toMatchObject({ DMARC: "FAIL" });
  expect(verdictsOf({ isAligned: null })["GOOGLE"]).toMatchObject({ DMARC: "UNKNOWN" });
  expect(verdictsOf({ usesTls: false })["GOOGLE"]).toMatchObject({ TLS: "FAIL" });
});

test.each([
  [4_999, false],
  [5_000, true],
])(
  "%i emails a day to consumer addresses: bulk sender is %p at Google and Microsoft, and false at Yahoo",
  (mails, isBulk) => {
    const rows = senderRules(facts({ daily: { GOOGLE: mails, YAHOO: mails, MICROSOFT: mails } }));
    expect(rows.map(({ host, isBulk, mailsADay }) => [host, isBulk, mailsADay])).toEqual([
      ["GOOGLE", isBulk, mails],
      ["YAHOO", false, mails],
      ["MICROSOFT", isBulk, mails],
    ]);
  },
);

test("only consumer domains count for Google, Yahoo or Microsoft, not company domains or lookalikes", () => {
  const hosts = [
    "gmail.com",
    "googlemail.com",
    "yahoo.co.uk",
    "aol.com",
    "hotmail.fr",
    "outlook.com",
    "live.co.uk",
    "msn.com",
  ].map(consumerHostOf);
  expect(hosts).toEqual(["GOOGLE", "GOOGLE", "YAHOO", "YAHOO", "MICROSOFT", "MICROSOFT", "MICROSOFT", "MICROSOFT"]);
  for (const domain of ["google.com", "acme.com", "gmail.com.evil.test", "notyahoo.com", "outlook.acme.com"])
    expect(consumerHostOf(domain)).toBeNull();
});

const mails = (sent: number, bounced = 0, complained = 0) => ({
  sent,
  bounced,
  complained,
  replied: 0,
  tracked: 0,
  opened: 0,
});

test.each([
  [mails(99, 50), undefined, null],
  [mails(100), undefined, 100],
  [mails(100, 5), undefined, 80],
  [mails(100, 100), undefined, 60],
  [mails(1_000, 0, 1), undefined, 90],
  [mails(1_000, 1_000, 1_000), { seen: 20, inSpam: 20 }, 0],
  [mails(0), { seen: 19, inSpam: 0 }, null],
  [mails(0), { seen: 20, inSpam: 5 }, 75],
])("the score of the figures %j with the placements %j is %p", (figures, places, score) => {
  expect(scoreOf(figures, places)).toBe(score);
});

test("a score is between 0 and 100 and never rises when bounces and complaints increase", () => {
  const count = fc.integer({ min: 0, max: 5_000 });
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 5_000 }), count, count, (sent, bounced, complained) => {
      const score = scoreOf(mails(sent, bounced, complained)) ?? -1;
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(100);
      expect(scoreOf(mails(sent, bounced + 1, complained + 1)) ?? -1).toBeLessThanOrEqual(score);
    }),
  );
});

const rates = (figures: ReturnType<typeof mails>) => {
  const conditions = rateConditions(
    { subjectType: "MAILBOX", subjectId: "mbx_1", name: "ann@sender.test" },
    figures,
    ALERT_THRESHOLDS,
  );
  return conditions.map(({ type, state, severity }) => (state === "HOLDS" ? `${type} ${severity}` : state));
};

test.each([
  [mails(100, 2), ["GONE", "GONE"]],
  [mails(100, 3), ["BOUNCE_RATE WARNING", "GONE"]],
  [mails(100, 6), ["BOUNCE_RATE CRITICAL", "GONE"]],
  [mails(99, 99), ["GONE", "GONE"]],
  [mails(100, 0, 1), ["GONE", "GONE"]],
  [mails(2_000, 0, 2), ["GONE", "COMPLAINT_RATE WARNING"]],
  [mails(2_001, 0, 2), ["GONE", "GONE"]],
  [mails(1_000, 0, 3), ["GONE", "COMPLAINT_RATE CRITICAL"]],
])("the email figures %j give the alert conditions %j", (figures, expected) => {
  expect(rates(figures)).toEqual(expected);
});

const list = { zone: "bl.test", of: "ADDRESS" as const };
const domainState = (
  verdict: FindingVerdict,
  status: "CLEAR" | "LISTED" | "UNKNOWN",
  more: Partial<SenderFacts> = {},
) => ({
  domain: "sender.test",
  findings: checked(verdict),
  listings: [
    { list, subject: "203.0.113.7", status },
    { list: { ...list, zone: "b2.test" }, subject: "203.0.113.7", status: "CLEAR" as const },
  ],
  rules: senderRules(facts({ findings: checked(verdict), ...more })),
});
const statesOf = (conditions: readonly AlertCondition[]) =>
  Object.fromEntries(conditions.map(({ type, state }) => [type, state]));

test("domain alerts hold for failed checks, listings and broken bulk rules, end when these pass, and stay UNKNOWN without an answer", () => {
  expect(statesOf(domainConditions(domainState("PASS", "CLEAR")))).toEqual({
    MX_FAILED: "GONE",
    SPF_FAILED: "GONE",
    DKIM_FAILED: "GONE",
    DMARC_FAILED: "GONE",
    BLOCK_LISTED: "GONE",
    SENDER_RULES_BROKEN: "GONE",
  });
  expect(statesOf(domainConditions(domainState("FAIL", "LISTED")))).toMatchObject({
    SPF_FAILED: "HOLDS",
    BLOCK_LISTED: "HOLDS",
  });
  expect(statesOf(domainConditions(domainState("UNKNOWN", "UNKNOWN")))).toMatchObject({
    SPF_FAILED: "UNKNOWN",
    BLOCK_LISTED: "UNKNOWN",
  });
  const bulk = { daily: { GOOGLE: 6_000, YAHOO: 0, MICROSOFT: 0 } };
  expect(statesOf(domainConditions(domainState("FAIL", "CLEAR", bulk)))).toMatchObject({
    SENDER_RULES_BROKEN: "HOLDS",
  });
  expect(statesOf(domainConditions(domainState("PASS", "CLEAR", bulk)))).toMatchObject({ SENDER_RULES_BROKEN: "GONE" });
});

const CONDITION: AlertCondition = {
  type: "SPF_FAILED",
  subjectType: "DOMAIN",
  subjectId: "sender.test",
  state: "HOLDS",
  severity: "WARNING",
  message: "As it is.",
  numbers: null,
};
const STANDING: StandingAlert = { ...CONDITION, id: "alr_1", status: "ACKNOWLEDGED", severity: "WARNING" };

test.each<[string, AlertCondition[], StandingAlert[], Partial<AlertChange>[]]>([
  ["what is new opens", [CONDITION], [], [{ kind: "open" }]],
  ["what stands is told anew", [CONDITION], [STANDING], [{ kind: "update", id: "alr_1", isWorse: false }]],
  [
    "what got worse opens again",
    [{ ...CONDITION, severity: "CRITICAL" }],
    [STANDING],
    [{ kind: "update", isWorse: true }],
  ],
  ["what is gone resolves", [{ ...CONDITION, state: "GONE" }], [STANDING], [{ kind: "resolve", id: "alr_1" }]],
  ["what was not measured stays", [{ ...CONDITION, state: "UNKNOWN" }], [STANDING], []],
  ["what never was does not resolve", [{ ...CONDITION, state: "GONE" }], [], []],
  [
    "what has no subject any more resolves",
    [],
    [STANDING],
    [{ kind: "resolve", id: "alr_1", condition: null } as Partial<AlertChange>],
  ],
])("changes to alerts, by condition: %s", (_what, conditions, standing, changes) => {
  expect(alertChanges(conditions, standing)).toMatchObject(changes);
});

test("every recommendation names an existing tool and endpoint and has a unique id, and recommendations are sorted by priority", () => {
  const near = { daily: { GOOGLE: 4_000, YAHOO: 0, MICROSOFT: 4_999 } };
  const all = (["PASS", "WARN", "FAIL"] as const).flatMap((verdict) =>
    domainAdvice(domainState(verdict, "LISTED", near)),
  );
  const unsigned = {
    ...domainState("PASS", "CLEAR"),
    findings: [finding("DKIM", "UNKNOWN", "DKIM_SELECTOR_UNKNOWN", "Unknown.")],
  };
  const advice = sortAdvice([
    ...domainAdvice(unsigned),
    ...domainAdvice(domainState("PASS", "CLEAR", { usesTls: false })),
    lostAdvice({ mailboxId: "mbx_1", email: "ann@sender.test", statusReason: null }),
    ...all,
    ...mailboxAdvice(
      { mailboxId: "mbx_1", email: "ann@sender.test" },
      { ...mails(1_000, 100, 10), seen: 40, inSpam: 4 },
      ALERT_THRESHOLDS,
    ),
  ]);
  const names = new Set(tools.map(({ name }) => name));
  const paths = new Set(
    routes.map(([method, path]) => `${method.toUpperCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`),
  );
  expect(advice.length).toBeGreaterThan(8);
  for (const { relatedTool, relatedEndpoint } of advice)
    expect([relatedTool, names.has(relatedTool ?? ""), relatedEndpoint, paths.has(relatedEndpoint ?? "")]).toEqual([
      relatedTool,
      true,
      relatedEndpoint,
      true,
    ]);
  expect(advice.map(({ priority }) => priority)).toEqual(
    [...advice].map(({ priority }) => priority).sort((a, b) => "HML".indexOf(a.charAt(0)) - "HML".indexOf(b.charAt(0))),
  );
  const ids = domainAdvice(domainState("FAIL", "LISTED", near)).map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test("the suggested SPF record names the servers of all mailboxes of the domain, each once", () => {
  expect(recordFor(["smtp.gmail.com", "smtp.office365.com", "mail.sender.test", "smtp.gmail.com"])).toBe(
    "v=spf1 include:_spf.google.com include:spf.protection.outlook.com a:mail.sender.test ~all",
  );
});

const served = (text: string, more: object = {}) => ({
  statusCode: 200,
  headers: {},
  bodyExcerpt: Buffer.from(text),
  isBodyComplete: true,
  ...more,
});
const policy = (mode: string, ...hosts: string[]) =>
  served(["version: STSv1", `mode: ${mode}`, "max_age: 86400", ...hosts.map((host) => `mx: ${host}`)].join("\n"));

test.each([
  ["enforced", policy("enforce", "*.sender.test"), "PASS", "MTA_STS_ENFORCED"],
  ["enforced for another exchange", policy("enforce", "mx.other.test"), "FAIL", "MTA_STS_EXCHANGE_NOT_NAMED"],
  ["tried", policy("testing", "mx.sender.test"), "WARN", "MTA_STS_NOT_ENFORCED"],
  ["not there", served("", { statusCode: 404 }), "WARN", "MTA_STS_POLICY_UNUSABLE"],
  ["cut off", { ...policy("enforce", "mx.sender.test"), isBodyComplete: false }, "WARN", "MTA_STS_POLICY_UNUSABLE"],
  ["no policy at all", served("<html>"), "WARN", "MTA_STS_POLICY_UNUSABLE"],
])("an MTA-STS policy that is %s gets the right verdict and reason", (_what, response, verdict, reason) => {
  const found = judgeMtaSts(
    "sender.test",
    { records: ["v=STSv1; id=20261124"] },
    policyIn(response, ["mx.sender.test"]),
  );
  expect(found).toMatchObject({ verdict, reason });
});
