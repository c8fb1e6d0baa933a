import { sumOfDecimals } from "../../domain/decimals.ts";
import { COUNTED_CLASSES } from "../../domain/hits.ts";
import { SECOND_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { Hit } from "../../models/tracking/hit.ts";
import type { Outage } from "../system/killed-api.ts";
import type { Attempt, Disturbances, Going, Reported, Scene } from "./crowd.ts";

export interface Circumstances extends Disturbances {
  outages: readonly Outage[];
  /** Visits whose hits were in the database before a kill. */
  surelyStored: readonly Going[];
  /** Whether times are looked at: what was lost, and what was disturbed, besides that it was honest. */
  isTimed: boolean;
}

export interface Proof {
  /** The findings, in words. */
  told: Record<string, string | number>;
  /** The promises that were not kept, with some examples. */
  broken: Record<string, unknown[]>;
}

/** The longest that a click waits to be stored before it leads on (rules/tracking 2.3). */
const PATIENCE_MS = 2 * SECOND_MS;
/** Hits that came in this shortly before a kill may be lost (rules/tracking 2.1). */
const LOSS_MS = 250;
const MOST_SHOWN = 5;

/**
 * Compares the answers that clients got with the content of the database: each promise of rules/tracking 2 and 5 for a
 * process that dies.
 */
export async function proofOf(scene: Scene, known: Circumstances): Promise<Proof> {
  const hits = await scoped(scene.workspaceId).Hit.find({});
  const visits = visitsOf(scene, hits, known);
  const conversions = await conversionsOf(scene);
  const effects = await effectsOf(scene, hits);
  const { outages, disturbed, wrong, isTimed } = known;
  const endedBy = (end: Attempt["end"]) => disturbed.filter((attempt) => attempt.end === end).length;
  const outside = disturbed.filter((attempt) => !outages.some((outage) => isWithin(attempt, outage)));
  const promises: Record<string, unknown[]> = {
    ...visits.promises,
    ...conversions.promises,
    ...effects.promises,
    "every answer is one that a reader expects": wrong,
    ...(isTimed && { "nobody is refused or cut off while the API serves": outside }),
  };
  const broken = Object.entries(promises).filter(([, against]) => against.length > 0);
  const down = outages.reduce((sum, { killedAt, servesAt }) => sum + servesAt - killedAt, 0);
  return {
    told: {
      ...visits.told,
      ...conversions.told,
      ...effects.told,
      "requests cut off": endedBy("CUT_OFF"),
      "requests that nobody took": endedBy("UNREACHABLE"),
      "requests refused with 503": endedBy(503),
      "seconds without an API": (down / SECOND_MS).toFixed(1),
      ...Object.fromEntries(
        Object.entries(promises).map(([promise, against]) => [`broken: ${promise}`, against.length]),
      ),
    },
    broken: Object.fromEntries(
      broken.map(([promise, against]) => [`${promise}: ${against.length}`, against.slice(0, MOST_SHOWN)]),
    ),
  };
}

function isWithin({ begunAt, endedAt }: Attempt, { killedAt, servesAt }: Outage): boolean {
  return begunAt <= servesAt && endedAt >= killedAt;
}

interface Part {
  told: Record<string, string | number>;
  promises: Record<string, unknown[]>;
}

function visitsOf({ goings }: Scene, hits: readonly Hit[], { outages, surelyStored, isTimed }: Circumstances): Part {
  const stored = Map.groupBy(hits, ({ address }) => address);
  const isStored = (going: Going) => stored.has(answerTo(going)?.address ?? null);
  const made = new Set(goings.flatMap(({ attempts }) => attempts.map(({ address }) => address)));
  const [converting, others] = [goings.filter(({ converts }) => converts), goings.filter(({ converts }) => !converts)];
  const patient = converting.filter((going) => tookOf(going) < PATIENCE_MS);
  const lost = others.filter((going) => !isStored(going));
  const lastStart = outages.at(-1)?.servesAt ?? 0;
  const ages = lost.map((going) => ageOf(going, outages));
  return {
    told: {
      "clicks that feed conversions, answered": converting.length,
      "of these led on without being stored, after 2 s": converting.length - patient.length,
      "other clicks and opens, answered": others.length,
      "of these lost": lost.length,
      "ms before a kill that the oldest of them was answered": Math.max(0, ...ages),
      "hits of requests that were cut off": hits.length - goings.filter(isStored).length,
    },
    promises: {
      "a click that feeds conversions is stored before its redirect": patient.filter((going) => !isStored(going)),
      "a request is stored once at most": [...stored.values()].filter(({ length }) => length > 1),
      "no hit is stored that nobody made": hits.filter(({ address }) => !made.has(address ?? "")),
      "a redirect leads to its target": goings.flatMap(({ misled }) => misled),
      "what was stored with a batch is not lost": surelyStored.filter((going) => !isStored(going)),
      "an orderly end stores what waits": lost.filter((going) => (answerTo(going)?.begunAt ?? 0) > lastStart),
      ...(isTimed && {
        "only what came in the last 250 ms before a kill is lost": ages.filter((age) => age > LOSS_MS),
      }),
    },
  };
}

function answerTo({ attempts }: Going): Attempt | undefined {
  return attempts.at(-1);
}

function tookOf(going: Going): number {
  const { begunAt = 0, endedAt = 0 } = answerTo(going) ?? {};
  return endedAt - begunAt;
}

/**
 * Milliseconds from the answer to the next kill: so long its hit was at least in memory. Infinite where no kill
 * followed.
 */
function ageOf(going: Going, outages: readonly Outage[]): number {
  const { begunAt = 0, endedAt = 0 } = answerTo(going) ?? {};
  const next = outages.find(({ servesAt }) => servesAt > begunAt);
  return next === undefined ? Number.POSITIVE_INFINITY : Math.max(0, next.killedAt - endedAt);
}

async function conversionsOf({ workspaceId, reported }: Scene): Promise<Part> {
  const rows = await scoped(workspaceId).Conversion.find({});
  const accepted = Map.groupBy(
    rows.filter(({ status }) => status === "accepted"),
    ({ eventId }) => eventId,
  );
  const answersOf = ({ answers }: Reported, answer: string) => answers.filter((one) => one === answer).length;
  /** How many requests with it may have been served. */
  const servedOf = ({ attempts }: Reported) => attempts.filter(({ end }) => end === 200 || end === "CUT_OFF").length;
  return {
    told: {
      "conversions reported": reported.length,
      "of these reported more than once": reported.filter((event) => servedOf(event) > 1).length,
      "of these answered as duplicates": reported.filter((event) => answersOf(event, "duplicate") > 0).length,
      "conversions recorded": accepted.size,
    },
    promises: {
      "a conversion that was answered is recorded once": reported.filter(
        ({ eventId }) => accepted.get(eventId)?.length !== 1,
      ),
      "a conversion is accepted once": reported.filter((event) => answersOf(event, "accepted") > 1),
      "a conversion is accepted or a duplicate": reported.filter(({ answers }) =>
        answers.some((answer) => answer !== "accepted" && answer !== "duplicate"),
      ),
      "what was reported once is no duplicate": reported.filter(
        (event) => servedOf(event) === 1 && event.pixels === 0 && answersOf(event, "accepted") !== 1,
      ),
      "a conversion is its recipient's": reported.filter(
        ({ eventId, recipientId, value }) =>
          accepted.get(eventId)?.some((row) => row.recipientId !== recipientId || row.value !== String(value)) ?? true,
      ),
    },
  };
}

async function effectsOf({ workspaceId, reported }: Scene, hits: readonly Hit[]): Promise<Part> {
  const { ActivityEvent, Recipient, Send } = scoped(workspaceId);
  const happenings = await ActivityEvent.find({});
  const of = (wanted: string) => happenings.filter(({ type }) => type === wanted);
  const converted = of("CONVERTED").map(({ recipientId, data }) => `${recipientId} ${data["value"]}`);
  const told = [
    ...of("OPEN").map(({ data }) => `${data["sendId"]}`),
    ...of("CLICK").map(({ data }) => `${data["sendId"]} ${data["url"]}`),
  ];
  const links = new Map(
    (await Send.find({}, { select: { tracking: 1 } })).map(({ _id, tracking }) => [_id, tracking?.links ?? []]),
  );
  const counted = hits.filter(({ hitClass }) => hitClass !== null && COUNTED_CLASSES.includes(hitClass));
  const due = new Set(
    counted.map(({ kind, sendId, linkIndex }) =>
      kind === "OPEN" ? sendId : `${sendId} ${links.get(sendId)?.[linkIndex ?? -1]?.url}`,
    ),
  );
  const recipients = await Recipient.find({});
  const byRecipient = Map.groupBy(reported, ({ recipientId }) => recipientId);
  return {
    told: {
      "CONVERTED in histories": converted.length,
      "recipients with revenue": recipients.filter(({ revenueAmount }) => revenueAmount !== null).length,
      "hits that count, of all": `${counted.length} of ${hits.length}`,
      "OPEN and CLICK told": told.length,
    },
    promises: {
      "a conversion is in the history once": differenceOf(
        converted,
        reported.map(({ recipientId, value }) => `${recipientId} ${value}`),
      ),
      "revenue is the sum of purchases": recipients.filter(
        ({ _id, revenueAmount }) => revenueAmount !== revenueOf(byRecipient.get(_id) ?? []),
      ),
      "who converted is ended, and nobody else": recipients.filter(
        ({ _id, status, stopReason }) =>
          (status === "COMPLETED" && stopReason === "CONVERTED") !== byRecipient.has(_id),
      ),
      "a mail's open, and each link's click, is told once": differenceOf(told, [...due]),
      "every hit is settled": hits.filter(({ hitClass, dueAt }) => hitClass === null || dueAt !== null),
    },
  };
}

function revenueOf(events: readonly Reported[]): string | null {
  return events.reduce<string | null>(
    (sum, { name, value }) => (name === "Purchase" ? sumOfDecimals(sum ?? "0", String(value)) : sum),
    null,
  );
}

/** The items that one list holds more often than the other. */
function differenceOf(found: readonly string[], expected: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const one of found) counts.set(one, (counts.get(one) ?? 0) + 1);
  for (const one of expected) counts.set(one, (counts.get(one) ?? 0) - 1);
  return [...counts].filter(([, count]) => count !== 0).map(([one, count]) => `${count > 0 ? "+" : ""}${count} ${one}`);
}
