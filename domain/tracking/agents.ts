import { isbot } from "isbot";

/**
 * What an agent text says of itself. Caching proxies that fetch an image when a person looks, and the bare `Mozilla/5.0` of a privacy proxy,
 * are asked for first: `isbot` calls both programs, and says no of an empty text.
 */
export type AgentKind = "SCANNER" | "IMAGE_PROXY" | "BARE" | "PROGRAM" | "BROWSER";

export function agentKindOf(agent: string): AgentKind {
  const text = agent.trim();
  if (SCANNERS.test(text)) return "SCANNER";
  if (IMAGE_PROXIES.test(text)) return "IMAGE_PROXY";
  if (text === "Mozilla/5.0") return "BARE";
  return text === "" || isbot(text) ? "PROGRAM" : "BROWSER";
}

/** Products that look into mail before people do, by the names that they give. Most give none. */
const SCANNERS =
  /mimecast|barracuda|proofpoint|urldefense|safelinks|fireeye|trellix|trend ?micro|forcepoint|websense|ironport|messagelabs|symantec|sophos|zscaler|area1|cloudmark|vade ?secure|hornetsecurity|bitdefender|kaspersky|checkpoint|cyren|mailguard|spamtitan|virustotal|urlscan/i;
const IMAGE_PROXIES = /GoogleImageProxy|YahooMailProxy|YahooCacheSystem|YandexImageResizer|Mail\.?Ru.?ImageProxy|NaverMailProxy/i;
