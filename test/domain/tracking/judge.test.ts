import { expect, test } from "@jest/globals";
import { networkOf } from "../../../domain/access/networks.ts";
import { MINUTE_MS } from "../../../domain/time/durations.ts";
import { agentKindOf, type Circumstances, judgeHit, type SeenHit } from "../../../domain/tracking/judge.ts";
import { isWithin, readNetworks } from "../../../domain/tracking/networks.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36";
const GOOGLE = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";
const SENT_AT = Date.UTC(2026, 4, 4, 9);

const open = (more: Partial<SeenHit> = {}): SeenHit => ({
  kind: "OPEN",
  linkIndex: null,
  at: SENT_AT + 5 * MINUTE_MS,
  method: "GET",
  agent: CHROME,
  address: "198.51.100.7",
  ...more,
});
const click = (linkIndex: number, more: Partial<SeenHit> = {}) => open({ kind: "CLICK", linkIndex, ...more });

const KNOWN: Circumstances = {
  sentAt: SENT_AT,
  links: 4,
  isMember: () => false,
  isScanner: () => false,
  isRelay: () => false,
};

function verdict(hit: SeenHit, others: SeenHit[] = [], known: Partial<Circumstances> = {}) {
  const { hitClass, evidence } = judgeHit(hit, [hit, ...others], { ...KNOWN, ...known });
  return `${hitClass} ${evidence.join(" ")}`.trim();
}

test("a visitor with a browser or an email program counts as a person", () => {
  expect(verdict(open())).toBe("HUMAN");
  expect(verdict(click(0), [open({ at: SENT_AT + 4 * MINUTE_MS })])).toBe("HUMAN");
  const outlook =
    "Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; Microsoft Outlook 16.0.17928)";
  expect(verdict(open({ agent: outlook }))).toBe("HUMAN");
});

test("one certain sign makes a visitor a bot", () => {
  expect(verdict(open({ method: "HEAD" }))).toBe("BOT METHOD");
  expect(verdict(click(0, { method: "POST" }))).toBe("BOT METHOD");
  expect(verdict(click(0, { agent: "Mozilla/5.0 (compatible; Mimecast URL Protect)" }))).toBe("BOT SCANNER_AGENT");
  expect(verdict(click(0), [], { isScanner: (address) => address === "198.51.100.7" })).toBe("BOT SCANNER_NETWORK");
});

test("a visitor that follows the invisible link is a bot, and so are the same visitor's other visits within a minute", () => {
  const at = SENT_AT + 5 * MINUTE_MS;
  const hidden = (more: Partial<SeenHit> = {}) => open({ kind: "HIDDEN", at, ...more });
  expect(verdict(hidden())).toBe("BOT HIDDEN_LINK");
  expect(verdict(hidden({ address: null }))).toBe("BOT HIDDEN_LINK");
  expect(verdict(hidden(), [], { isMember: () => true })).toBe("SELF MEMBER_ADDRESS");
  for (const apart of [-MINUTE_MS, 0, MINUTE_MS]) {
    expect(verdict(click(0, { at }), [hidden({ at: at + apart })])).toBe("BOT HIDDEN_LINK");
    expect(verdict(open({ at }), [hidden({ at: at + apart })])).toBe("BOT HIDDEN_LINK");
  }
  expect(verdict(open({ at, agent: GOOGLE }), [hidden({ agent: GOOGLE })])).toBe("BOT HIDDEN_LINK");
  // A person behind the same address, and the same scanner a while before, are judged by themselves
  expect(verdict(click(0, { at }), [hidden({ agent: "Mozilla/5.0 (Macintosh)" })])).toBe("HUMAN");
  expect(verdict(click(0, { at }), [hidden({ address: "198.51.100.8" })])).toBe("HUMAN");
  expect(verdict(click(0, { at, address: null }), [hidden({ address: null })])).toBe("HUMAN");
  expect(verdict(click(0, { at }), [hidden({ at: at + MINUTE_MS + 1 })])).toBe("HUMAN");
  // It is none of the mail's links
  expect(verdict(click(0, { at }), [hidden({ address: "198.51.100.8", at: at + 10 })], { links: 2 })).toBe("HUMAN");
});

test("two weak signs make a visitor a bot, and one weak sign alone leaves the verdict unknown", () => {
  expect(verdict(click(0, { at: SENT_AT + 1_999 }))).toBe("UNKNOWN SOON");
  expect(verdict(click(0, { at: SENT_AT + 2_000 }))).toBe("HUMAN");
  expect(verdict(click(0, { agent: "" }))).toBe("UNKNOWN AGENT");
  expect(verdict(click(0, { agent: "curl/8.5.0" }))).toBe("UNKNOWN AGENT");
  expect(verdict(click(0, { agent: "curl/8.5.0", at: SENT_AT + 500 }))).toBe("BOT SOON AGENT");
  expect(verdict(click(0, { at: SENT_AT + 500 }), [], { sentAt: null })).toBe("HUMAN");
});

test("clicks on two links within 2 s, and on every link within 10 s, are signs of a scanner despite a browser's user agent", () => {
  const at = SENT_AT + 5 * MINUTE_MS;
  expect(verdict(click(0), [click(1, { at: at + 2_000 })])).toBe("UNKNOWN LINKS_TOGETHER");
  expect(verdict(click(0), [click(1, { at: at + 2_001 })])).toBe("HUMAN");
  expect(verdict(click(0), [click(0, { at: at + 10 })])).toBe("HUMAN");
  const four = [0, 1, 2, 3].map((index) => click(index, { at: at + index * 1_500 }));
  for (const [index, hit] of four.entries())
    expect(
      verdict(
        hit,
        four.filter((_, other) => other !== index),
      ),
    ).toBe("BOT LINKS_TOGETHER ALL_LINKS");
  const slowly = [0, 1, 2, 3].map((index) => click(index, { at: at + index * 3_000 }));
  expect(verdict(click(0, { at }), slowly.slice(1))).toBe("UNKNOWN ALL_LINKS");
  const slower = [0, 1, 2, 3].map((index) => click(index, { at: at + index * 3_400 }));
  expect(verdict(click(0, { at }), slower.slice(1))).toBe("HUMAN");
});

test("a click in an email with a single link does not count as a click on every link", () => {
  expect(verdict(click(0), [], { links: 1 })).toBe("HUMAN");
});

test("a pixel request from the address of a scanner's clicks counts as the scanner's, and one from another address does not", () => {
  const at = SENT_AT + 5 * MINUTE_MS;
  const clicks = [0, 1, 2, 3].map((index) => click(index, { at: at + index * 100 }));
  expect(verdict(open(), clicks)).toBe("BOT LINKS_TOGETHER ALL_LINKS");
  expect(verdict(open({ address: "203.0.113.9" }), clicks)).toBe("HUMAN");
});

test("an open through a privacy proxy is counted separately, and an open through an image proxy has an unknown verdict", () => {
  expect(verdict(open({ agent: "Mozilla/5.0" }))).toBe("PRIVACY_PROXY BARE_AGENT");
  expect(verdict(open(), [], { isRelay: () => true })).toBe("PRIVACY_PROXY RELAY_NETWORK");
  expect(verdict(click(0), [], { isRelay: () => true })).toBe("HUMAN");
  expect(verdict(click(0, { agent: "Mozilla/5.0" }))).toBe("UNKNOWN AGENT");
  expect(verdict(open({ agent: GOOGLE }))).toBe("UNKNOWN IMAGE_PROXY");
  expect(verdict(open({ agent: GOOGLE, at: SENT_AT + 100 }))).toBe("UNKNOWN IMAGE_PROXY");
});

test("a visit from a workspace member's address never counts, whatever the visit looks like", () => {
  expect(verdict(open({ method: "HEAD" }), [], { isMember: (address) => address === "198.51.100.7" })).toBe(
    "SELF MEMBER_ADDRESS",
  );
});

test.each([
  ["YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html", "IMAGE_PROXY"],
  [GOOGLE, "IMAGE_PROXY"],
  ["Mozilla/5.0", "BARE"],
  ["", "PROGRAM"],
  ["   ", "PROGRAM"],
  ["python-requests/2.32.3", "PROGRAM"],
  ["Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)", "PROGRAM"],
  [
    "Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/138.0.0.0 Safari/537.36",
    "PROGRAM",
  ],
  ["BarracudaCentral.org/1.0", "SCANNER"],
  ["Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)", "BROWSER"],
])("the user agent %j is of the kind %s", (agent, kind) => {
  expect(agentKindOf(agent)).toBe(kind);
});

test("a network list has one network per line with comments, and an invalid line is reported with the line number", () => {
  const networks = readNetworks("# scanners\n192.0.2.0/24\r\n\n2001:db8:5::/48 # theirs\n");
  expect(isWithin(networks, "192.0.2.200")).toBe(true);
  expect(isWithin(networks, "::ffff:192.0.2.1")).toBe(true);
  expect(isWithin(networks, "192.0.3.1")).toBe(false);
  expect(isWithin(networks, "2001:db8:5::9")).toBe(true);
  expect(isWithin(networks, "192.0.2.0/24")).toBe(true);
  expect(isWithin(networks, null)).toBe(false);
  expect(isWithin(networks, "nonsense")).toBe(false);
  expect(() => readNetworks("192.0.2.0/24\n192.0.2.1\n")).toThrow("line 2");
});

test("an anonymised visitor address keeps only the network", () => {
  expect(networkOf("198.51.100.77")).toBe("198.51.100.0/24");
  expect(networkOf("2001:db8:1:2:3::4")).toBe("2001:db8:1::/48");
  expect(networkOf("::ffff:198.51.100.77")).toBe("198.51.100.0/24");
  expect(networkOf("unknown")).toBeNull();
});
