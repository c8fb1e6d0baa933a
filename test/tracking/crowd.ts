import { type IncomingHttpHeaders, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { signToken } from "../../domain/access/tokens.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId, randomBase62 } from "../../mongo/ids.ts";
import type { World } from "../support/world.ts";
import { CHROME, SENT_AT } from "./tracked.ts";

/** One request, its times in epoch milliseconds. It is known in the database by its address. */
export interface Attempt {
  address: string;
  begunAt: number;
  endedAt: number;
  /**
   * The status of its answer. CUT_OFF: it was on its way, or even served. UNREACHABLE: no one took it. Null while it is
   * on its way.
   */
  end: number | "CUT_OFF" | "UNREACHABLE" | null;
}

/** A person's visit to a link or a pixel, tried again until it was answered. */
export interface Going {
  kind: "OPEN" | "CLICK";
  converts: boolean;
  path: string;
  /** Where it must lead; null for a pixel. */
  target: string | null;
  attempts: Attempt[];
  /** Where it led instead. */
  misled: string[];
}

/**
 * A conversion with all the answers to it. No other one has its value, so its effects can be told from all others.
 */
export interface Reported {
  eventId: string;
  recipientId: string;
  cid: string;
  name: "Purchase" | "CompleteRegistration";
  value: number;
  /** What each answer of a server event said. */
  answers: string[];
  /** How often one of its pixels was answered. */
  pixels: number;
  /** Every request that named the conversion. */
  attempts: Attempt[];
}

type Report = { by: "BATCH"; events: Reported[] } | { by: "PIXEL"; event: Reported };
export type Job = { going: Going } | { report: Report };

const LINKS = 24;
/** Shares of visits to pixels, and to links that feed conversions. */
const [OPENS, CONVERTING] = [0.15, 0.5];
const [BY_PIXEL, BY_BOTH] = [0.2, 0.1];
const PAUSE_MS = 25;

export interface Scene {
  workspaceId: string;
  campaignId: string;
  goings: Going[];
  reported: Reported[];
  /** All jobs, in a random order. */
  jobs: Job[];
  /** A further click of a link that feeds no conversions. */
  aClick(): Going;
}

export interface Size {
  people: number;
  visits: number;
  conversions: number;
  /** Events of a batch. */
  mostInBatch: number;
}

/** People that were sent an email with many links, and what they will do: so many visits and conversions. */
export async function sceneOf(
  world: World,
  random: () => number,
  { people, visits, conversions, mostInBatch }: Size,
): Promise<Scene> {
  const { rest, workspaceId } = await world.workspace();
  const campaignId: string = (await rest.post("/campaigns", { name: "Spring" })).body.id;
  const { Recipient, Send } = scoped(workspaceId);
  const rows = Array.from({ length: people }, (_, index) => ({
    _id: newId("rcp"),
    campaignId,
    leadId: newId("led"),
    email: `reader${index}@reader.test`,
    cid: randomBase62(14),
    shard: 0,
    status: "IN_PROGRESS" as const,
    lastSentAt: new Date(Date.now() - DAY_MS),
    sentCount: 1,
  }));
  const links = Array.from({ length: LINKS }, (_, index) => ({
    url: `https://shop.test/${index}`,
    converts: index % 2 === 1,
  }));
  const mails = rows.map(({ _id: recipientId, leadId, email: to }) => ({
    _id: newId("snd"),
    kind: "CAMPAIGN" as const,
    campaignId,
    recipientId,
    leadId,
    to,
    stepId: "stp_a",
    variantId: "var_a",
    state: "SENT" as const,
    sentAt: SENT_AT,
    tracking: { opens: true, clicks: true, links },
  }));
  await Recipient.insertMany(rows);
  await Send.insertMany(mails);
  const anyOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] ?? missing();
  const going = (link: number | null): Going => {
    const { _id } = anyOf(mails);
    const token = signToken(world.services.signing, link === null ? "o" : "c", _id, link ?? undefined);
    const { converts = false, url = null } = link === null ? {} : (links[link] ?? missing());
    const kind = link === null ? "OPEN" : "CLICK";
    return { kind, converts, path: `/t/${link === null ? "o" : "c"}/${token}`, target: url, attempts: [], misled: [] };
  };
  const anyLink = (converts: boolean) => 2 * Math.floor((random() * LINKS) / 2) + (converts ? 1 : 0);
  const goings = Array.from({ length: visits }, () => going(random() < OPENS ? null : anyLink(random() < CONVERTING)));
  const reported = Array.from({ length: conversions }, (_, index): Reported => {
    const { _id: recipientId, cid } = anyOf(rows);
    const name = random() < 0.7 ? "Purchase" : "CompleteRegistration";
    return {
      eventId: `order-${index}`,
      recipientId,
      cid,
      name,
      value: index + 1,
      answers: [],
      pixels: 0,
      attempts: [],
    };
  });
  const jobs: Job[] = [
    ...goings.map((one) => ({ going: one })),
    ...reportsOf(reported, mostInBatch, random).map((report) => ({ report })),
  ];
  for (let left = jobs.length - 1; left > 0; left--) {
    const other = Math.floor(random() * (left + 1));
    [jobs[left], jobs[other]] = [jobs[other] ?? missing(), jobs[left] ?? missing()];
  }
  const aClick = () => {
    const one = going(anyLink(false));
    goings.push(one);
    return one;
  };
  return { workspaceId, campaignId, goings, reported, jobs, aClick };
}

function missing(): never {
  throw new Error("There is none");
}

/** Most in batches of a server, some by the pixel of a page, a few by both. */
function reportsOf(reported: readonly Reported[], mostInBatch: number, random: () => number): Report[] {
  const reports: Report[] = [];
  const byServer = reported.filter((event) => {
    const draw = random();
    if (draw < BY_PIXEL) reports.push({ by: "PIXEL", event });
    return draw < BY_BOTH || draw >= BY_PIXEL;
  });
  for (let from = 0; from < byServer.length; ) {
    const events = byServer.slice(from, from + 1 + Math.floor(random() * mostInBatch));
    reports.push({ by: "BATCH", events });
    from += events.length;
  }
  return reports;
}

/** Requests that were not answered or refused with 503, and answers that no request may get. */
export interface Disturbances {
  disturbed: Attempt[];
  wrong: string[];
}

/** All clients of the service. Each repeats a request that was cut off or refused until it is answered. */
export class Crowd {
  readonly disturbances: Disturbances = { disturbed: [], wrong: [] };
  /** Jobs that are done, and batches that are on their way now. */
  done = 0;
  batches = 0;
  readonly #url: string;
  #attempts = 0;

  constructor(url: string) {
    this.#url = url;
  }

  /** Does all jobs: `atOnce` of them together, and at most `aSecond` in a second. */
  async does(jobs: readonly Job[], { atOnce, aSecond }: { atOnce: number; aSecond: number }): Promise<void> {
    const begunAt = Date.now();
    let next = 0;
    const client = async () => {
      for (let job = jobs[next++]; job !== undefined; job = jobs[next++]) {
        await sleep(Math.max(0, begunAt + (next * 1_000) / aSecond - Date.now()));
        if ("going" in job) await this.goes(job.going);
        else await this.#reports(job.report);
        this.done++;
      }
    };
    await Promise.all(Array.from({ length: atOnce }, client));
  }

  /** Goes to a link or a pixel until an answer comes. */
  async goes(going: Going): Promise<void> {
    const { status, headers } = await this.#untilAnswered(going.path, null, going);
    const { location = null } = headers;
    if (location !== going.target) going.misled.push(`${going.target} > ${location}`);
    const expected = going.kind === "CLICK" ? 302 : 200;
    if (status !== expected) this.disturbances.wrong.push(`${status} of ${going.path}`);
  }

  async #reports(report: Report): Promise<void> {
    if (report.by === "PIXEL") {
      const { eventId: eid, cid, name: ev, value } = report.event;
      const query = new URLSearchParams({ ev, eid, cid, value: String(value), currency: "EUR" });
      const { status } = await this.#untilAnswered(`/capi/p?${query}`, null, report.event);
      if (status === 200) report.event.pixels++;
      else this.disturbances.wrong.push(`${status} of a conversion's pixel`);
      return;
    }
    const events = report.events.map(({ eventId, cid, name, value }) => ({
      event_name: name,
      event_id: eventId,
      user_data: { cid },
      custom_data: { value, currency: "EUR" },
    }));
    this.batches++;
    const { status, body } = await this.#untilAnswered("/capi/v1/events", JSON.stringify({ events }), ...report.events);
    this.batches--;
    if (status !== 200) {
      this.disturbances.wrong.push(`${status} of a batch: ${body}`);
      return;
    }
    const { results } = JSON.parse(body) as { results: { event_id: string; status: string }[] }; // what the API promises
    for (const [index, event] of report.events.entries()) {
      const { event_id, status: became = "none" } = results[index] ?? {};
      event.answers.push(event_id === event.eventId ? became : `the answer of ${event_id}`);
    }
  }

  async #untilAnswered(path: string, body: string | null, ...of: { attempts: Attempt[] }[]): Promise<Answered> {
    for (;;) {
      const number = ++this.#attempts;
      const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`;
      const attempt: Attempt = { address, begunAt: Date.now(), endedAt: 0, end: null };
      for (const { attempts } of of) attempts.push(attempt);
      const answered = await ask(`${this.#url}${path}`, address, body).catch((error: unknown) => error);
      attempt.endedAt = Date.now();
      if (isAnswer(answered)) attempt.end = answered.status;
      else
        attempt.end =
          answered instanceof Error && "code" in answered && answered.code === "ECONNREFUSED"
            ? "UNREACHABLE"
            : "CUT_OFF";
      if (isAnswer(answered) && answered.status !== 503) return answered;
      this.disturbances.disturbed.push(attempt);
      await sleep(PAUSE_MS);
    }
  }
}

function isAnswer(answered: unknown): answered is Answered {
  return typeof answered === "object" && answered !== null && "body" in answered;
}

interface Answered {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/**
 * On a connection of its own, so that nothing below tries again by itself. Rejects when the answer does not come whole.
 */
function ask(url: string, address: string, body: string | null): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  const headers = {
    "X-Forwarded-For": address,
    "User-Agent": CHROME,
    ...(body !== null && { "Content-Type": "application/json" }),
  };
  const asking = request(url, { method: body === null ? "GET" : "POST", headers, agent: false }, (answer) => {
    let text = "";
    answer.setEncoding("utf8");
    answer.on("data", (part: string) => {
      text += part;
    });
    answer.on("error", reject);
    answer.on("end", () => {
      if (answer.complete) resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text });
      else reject(new Error("The answer was cut off"));
    });
  });
  asking.on("error", reject);
  asking.end(body ?? undefined);
  return promise;
}
