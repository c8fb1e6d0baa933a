import { isbot } from "isbot";
import type { HitClass, HitKind } from "../hits.ts";
import { MINUTE_MS, SECOND_MS } from "../time/durations.ts";

/** One hit with the facts for its verdict. `at` is in epoch milliseconds. */
export interface SeenHit {
  kind: HitKind;
  linkIndex: number | null;
  at: number;
  method: string;
  agent: string;
  address: string | null;
}

/** Facts about the tracked email, apart from its hits. */
export interface Circumstances {
  /** When the email was sent; null until it is known. */
  sentAt: number | null;
  /** How many of the email's links are tracked. */
  links: number;
  isMember(address: string, at: number): boolean;
  isScanner(address: string): boolean;
  isRelay(address: string): boolean;
}

const EVIDENCE = [
  "MEMBER_ADDRESS",
  "METHOD",
  "HIDDEN_LINK",
  "SCANNER_AGENT",
  "SCANNER_NETWORK",
  "SOON",
  "LINKS_TOGETHER",
  "ALL_LINKS",
  "AGENT",
  "BARE_AGENT",
  "RELAY_NETWORK",
  "IMAGE_PROXY",
] as const;
type Evidence = (typeof EVIDENCE)[number];

export interface HitVerdict {
  hitClass: HitClass;
  evidence: Evidence[];
}

const SOON_MS = 2 * SECOND_MS;
const TOGETHER_MS = 2 * SECOND_MS;
const ALL_LINKS_MS = 10 * SECOND_MS;
/** Visits with the same address and agent count as one visitor if they are at most this far apart. */
const ONE_VISITOR_MS = MINUTE_MS;
/** The number of signs that prove a bot. A single sign may be misleading. */
const ENOUGH_SIGNS = 2;

/** Decides who made a hit (rules/tracking 3.3 to 3.5). `all` are the hits of the email, including this one. */
export function judgeHit(hit: SeenHit, all: readonly SeenHit[], circumstances: Circumstances): HitVerdict {
  const { address, at } = hit;
  if (address !== null && circumstances.isMember(address, at))
    return { hitClass: "SELF", evidence: ["MEMBER_ADDRESS"] };
  const agent = agentKindOf(hit.agent);
  const sure = sureSigns(hit, all, agent, circumstances);
  if (sure.length > 0) return { hitClass: "BOT", evidence: sure };
  if (agent === "IMAGE_PROXY") return { hitClass: "UNKNOWN", evidence: ["IMAGE_PROXY"] };
  const proxy = hit.kind === "OPEN" ? proxySigns(address, agent, circumstances) : [];
  if (proxy.length > 0) return { hitClass: "PRIVACY_PROXY", evidence: proxy };
  const signs = misleadingSigns(hit, all, agent, circumstances);
  if (signs.length >= ENOUGH_SIGNS) return { hitClass: "BOT", evidence: signs };
  return { hitClass: signs.length > 0 ? "UNKNOWN" : "HUMAN", evidence: signs };
}

type AgentOf = ReturnType<typeof agentKindOf>;

function sureSigns(hit: SeenHit, all: readonly SeenHit[], agent: AgentOf, { isScanner }: Circumstances): Evidence[] {
  const { method, address } = hit;
  return [
    ...signIf(method !== "GET", "METHOD"),
    ...signIf(
      hit.kind === "HIDDEN" || all.some((other) => other.kind === "HIDDEN" && isOneVisitor(hit, other)),
      "HIDDEN_LINK",
    ),
    ...signIf(agent === "SCANNER", "SCANNER_AGENT"),
    ...signIf(address !== null && isScanner(address), "SCANNER_NETWORK"),
  ];
}

/**
 * Whether two hits come from the same visitor. An equal IP address alone does not prove that, because a scanner may use
 * the address of the office in which the email is read.
 */
function isOneVisitor(one: SeenHit, other: SeenHit): boolean {
  return (
    one.address !== null &&
    one.address === other.address &&
    one.agent === other.agent &&
    Math.abs(one.at - other.at) <= ONE_VISITOR_MS
  );
}

function proxySigns(address: string | null, agent: AgentOf, { isRelay }: Circumstances): Evidence[] {
  return [...signIf(agent === "BARE", "BARE_AGENT"), ...signIf(address !== null && isRelay(address), "RELAY_NETWORK")];
}

function misleadingSigns(
  hit: SeenHit,
  all: readonly SeenHit[],
  agent: AgentOf,
  { sentAt, links }: Circumstances,
): Evidence[] {
  const clicks = all.filter(
    (other) => other.kind === "CLICK" && (hit.kind === "CLICK" || other.address === hit.address),
  );
  const linksClickedBetween = (from: number, to: number) =>
    new Set(clicks.filter(({ at }) => at >= from && at <= to).map(({ linkIndex }) => linkIndex)).size;
  const { at } = hit;
  const isAmongAll = clicks.some(
    (first) =>
      first.at <= at &&
      at <= first.at + ALL_LINKS_MS &&
      linksClickedBetween(first.at, first.at + ALL_LINKS_MS) >= links,
  );
  return [
    ...signIf(sentAt !== null && at - sentAt < SOON_MS, "SOON"),
    ...signIf(
      linksClickedBetween(at - TOGETHER_MS, at) > 1 || linksClickedBetween(at, at + TOGETHER_MS) > 1,
      "LINKS_TOGETHER",
    ),
    ...signIf(links > 1 && isAmongAll, "ALL_LINKS"),
    ...signIf(agent === "PROGRAM" || agent === "BARE", "AGENT"),
  ];
}

function signIf(holds: boolean, sign: Evidence): Evidence[] {
  return holds ? [sign] : [];
}

/**
 * The kind of client that a user agent names. Image proxies, which fetch an image when a person opens the email, and
 * the bare `Mozilla/5.0` of a privacy proxy are checked first, because `isbot` classes both as bots. It classes an
 * empty user agent as no bot.
 */
type AgentKind = "SCANNER" | "IMAGE_PROXY" | "BARE" | "PROGRAM" | "BROWSER";

export function agentKindOf(agent: string): AgentKind {
  const text = agent.trim();
  if (SCANNERS.test(text)) return "SCANNER";
  if (IMAGE_PROXIES.test(text)) return "IMAGE_PROXY";
  if (text === "Mozilla/5.0") return "BARE";
  return text === "" || isbot(text) ? "PROGRAM" : "BROWSER";
}

/** Names of products that scan email before people read it. Most products do not name themselves. */
const SCANNERS =
  /mimecast|barracuda|proofpoint|urldefense|safelinks|fireeye|trellix|trend ?micro|forcepoint|websense|ironport|messagelabs|symantec|sophos|zscaler|area1|cloudmark|vade ?secure|hornetsecurity|bitdefender|kaspersky|checkpoint|cyren|mailguard|spamtitan|virustotal|urlscan/i;
const IMAGE_PROXIES =
  /GoogleImageProxy|YahooMailProxy|YahooCacheSystem|YandexImageResizer|Mail\.?Ru.?ImageProxy|NaverMailProxy/i;
