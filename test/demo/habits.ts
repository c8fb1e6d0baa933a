import { kindOf } from "../fakes/sandbox-report.ts";
import type { Deed } from "./site.ts";

const CHROME =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36";
const THUNDERBIRD = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148";
const GMAIL = "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)";

/** What a person does with a letter, and which robots look at it first. */
export interface Habit {
  /** The mail program that fetches the picture when the person looks; null where pictures are switched off. */
  opensBy: string | null;
  /** Whether the person follows the first link. */
  clicks?: boolean;
  /** The first letter that the person looks at; the first of all unless said. */
  from?: number;
  /** What the person does on the site after the last letter. */
  deed?: Deed;
  /**
   * `scanner` asks by HEAD and says its name; `prefetch` follows every link at once as a browser would; `privacy-proxy`
   * fetches all pictures.
   */
  robot?: "scanner" | "prefetch" | "privacy-proxy";
}

const HABITS: Record<string, Habit> = {
  "anna.berg@lumen-optik.test": { opensBy: THUNDERBIRD, clicks: true, deed: "purchase" },
  "b.castillo@sol-y-sal.example": { opensBy: IPHONE, clicks: true, from: 3, deed: "purchase" },
  "chidi.okafor@palmroot.test": { opensBy: GMAIL, clicks: true, deed: "signup" },
  "d.novak@bridge-and-beam.example": { opensBy: CHROME, clicks: true, deed: "meeting" },
  "ella.murphy@peatland.test": { opensBy: IPHONE, clicks: true, robot: "scanner" },
  "f.kowalczyk@amberline.example": { opensBy: GMAIL, from: 2 },
  "giulia.rossi@carta-nova.test": { opensBy: THUNDERBIRD, from: 3 },
  "hugo.lemaire@vent-du-large.example": { opensBy: null, robot: "privacy-proxy" },
  "ines.duarte@cortica.test": { opensBy: null, robot: "scanner" },
  "jakub.hora@pilsen-cycles.example": { opensBy: null, robot: "prefetch" },
  "k.oconnor@slateroof.test": { opensBy: null, clicks: true, from: 2 },
};

/** A reader who replies or unsubscribes has opened the letter. A reader without a habit leaves it unread. */
export function habitOf(address: string): Habit | null {
  const kind = kindOf(address);
  return HABITS[address] ?? (kind === "reply" || kind === "unsub" ? { opensBy: IPHONE } : null);
}

/** The program with which a person follows a link. */
export const BROWSER = CHROME;
export const SCANNER = "Barracuda Sentinel (EE)";
export const PRIVACY_PROXY = "Mozilla/5.0";
