import { setTimeout as sleep } from "node:timers/promises";
import { simpleParser } from "mailparser";
import type { SentMail } from "../fakes/sent-mail.ts";
import { LETTERS, letterIn } from "./campaign.ts";
import { BROWSER, type Habit, habitOf, PRIVACY_PROXY, SCANNER } from "./habits.ts";
import type { Deed } from "./site.ts";
import type { Web } from "./web.ts";

/** People take a few seconds, drawn anew for each; robots look at once. Milliseconds. */
const [SOONEST_MS, LATEST_MS] = [2_500, 5_500];
/** A reader who follows a link while a scanner visits all of them is taken for the scanner (rules/tracking 3.4). */
const BEHIND_SCANNER_MS = 11_000;
/**
 * Hits that wait in memory are all that a crash of the service may lose (rules/tracking 2.1), and it stores them within
 * this time.
 */
const UNSTORED_MS = 2_000;

/** What people have done with the letters, each counted once. */
interface Read {
  opened: Set<string>;
  clicked: Set<string>;
  /** Letters that were opened, and letters with a link that was followed. */
  lettersOpened: Set<string>;
  lettersClicked: Set<string>;
  converted: Map<string, Deed>;
  /** Visits that were never answered as they should be. */
  failures: string[];
}

/** The readers of the letters and their programs, who ask for pictures and links as those do. */
export interface Readers {
  read: Readonly<Read>;
  take(mail: SentMail): void;
  /** Looks again at what was looked at just before the service died: no one could know whether that was stored. */
  lookAgain(diedAt: number): void;
  /** How many visits are still under way. */
  pending(): number;
}

export function startReaders(web: Web, signal: AbortSignal): Readers {
  const read: Read = {
    opened: new Set(),
    clicked: new Set(),
    lettersOpened: new Set(),
    lettersClicked: new Set(),
    converted: new Map(),
    failures: [],
  };
  const done: { at: number; again: () => Promise<void> }[] = [];
  let pending = 0;
  let visitors = 0;

  function run(visit: () => Promise<void>): void {
    pending++;
    visit()
      .catch((cause: unknown) => {
        if (!signal.aborted) read.failures.push(String(cause));
      })
      .finally(() => pending--);
  }

  /** A visit of a person: it is noted when it was answered, and can be made once more. */
  async function make(visit: () => Promise<void>): Promise<void> {
    await visit();
    done.push({ at: Date.now(), again: visit });
  }

  async function readLetter(mail: SentMail, to: string, habit: Habit): Promise<void> {
    const letter = letterIn(mail.raw);
    const { picture, links } = addressesIn((await simpleParser(mail.raw)).html || "");
    const address = `198.51.100.${(++visitors % 250) + 1}`;
    if (picture === null || links.length === 0) throw new Error(`The letter ${letter} to ${to} is not tracked`);
    if (habit.robot !== undefined) await sendRobot(web, habit.robot, picture, links);
    if ((habit.opensBy === null && habit.clicks !== true) || letter < (habit.from ?? 1)) return;
    const soonestMs = SOONEST_MS + (habit.robot === undefined ? 0 : BEHIND_SCANNER_MS);
    await sleep(soonestMs + Math.random() * (LATEST_MS - SOONEST_MS), undefined, { signal });
    if (habit.opensBy !== null) {
      const agent = habit.opensBy;
      await make(async () => void (await (await web.visit({ url: picture, agent, address })).body?.cancel()));
      read.opened.add(to);
      read.lettersOpened.add(`${to} ${letter}`);
    }
    const [link] = links;
    if (habit.clicks !== true || link === undefined) return;
    let page = "";
    await make(async () => {
      page = (await web.visit({ url: link, agent: BROWSER, address })).headers.get("location") ?? "";
    });
    read.clicked.add(to);
    read.lettersClicked.add(`${to} ${letter}`);
    if (habit.deed !== undefined && letter === LETTERS) await convert(to, habit.deed, page, address);
  }

  /**
   * The page keeps the cid of the link and posts it with its form. Another attempt has the same id, and counts once.
   */
  async function convert(to: string, deed: Deed, page: string, address: string): Promise<void> {
    const url = new URL(page);
    await (await web.visit({ url: page, agent: BROWSER, address })).body?.cancel();
    const thanks = await web.visit({
      url: url.origin,
      agent: BROWSER,
      address,
      form: { deed, svc: url.searchParams.get("svc") ?? "" },
    });
    const [, pixel] = /<img src="([^"]+)"/.exec(await thanks.text()) ?? [];
    if (pixel !== undefined) await (await web.visit({ url: pixel, agent: BROWSER, address })).body?.cancel();
    read.converted.set(to, deed);
  }

  return {
    read,
    take(mail) {
      if (letterIn(mail.raw) === 0) return;
      for (const to of mail.to.map((each) => each.toLowerCase())) {
        const habit = habitOf(to);
        if (habit !== null) run(() => readLetter(mail, to, habit));
      }
    },
    lookAgain(diedAt) {
      for (const { again } of done.filter(({ at }) => at > diedAt - UNSTORED_MS)) run(again);
    },
    pending: () => pending,
  };
}

/** A robot that finds no one does not come again. */
async function sendRobot(
  web: Web,
  robot: NonNullable<Habit["robot"]>,
  picture: string,
  links: string[],
): Promise<void> {
  const ask = async (url: string, agent: string, address: string, method = "GET") => {
    const headers = { "User-Agent": agent, "X-Forwarded-For": address };
    await (await web.fetch(url, { method, headers, redirect: "manual" }).catch(() => null))?.body?.cancel();
  };
  if (robot === "privacy-proxy") await ask(picture, PRIVACY_PROXY, "203.0.113.10");
  if (robot === "scanner") {
    for (const url of links) await ask(url, SCANNER, "203.0.113.20", "HEAD");
    await ask(picture, SCANNER, "203.0.113.20");
  }
  // Without a name of its own: it is known by what it does
  if (robot === "prefetch") await Promise.all(links.map((url) => ask(url, BROWSER, "203.0.113.30")));
}

function addressesIn(html: string): { picture: string | null; links: string[] } {
  const [, picture = null] = /<img[^>]+src="([^"]+\/t\/o\/[^"]+)"/.exec(html) ?? [];
  return { picture, links: [...html.matchAll(/<a[^>]+href="([^"]+\/t\/c\/[^"]+)"/g)].map(([, href = ""]) => href) };
}
