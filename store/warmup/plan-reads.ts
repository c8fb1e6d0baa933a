import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { MetBefore } from "../../domain/warmup/pair-counts.ts";
import { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { groundOf, loadZones, type WarmupGround } from "./ground.ts";

/** How many days of exchanged emails count, including the planned day. */
const MEETING_DAYS = 7;
/**
 * For up to this many senders, the partners of each are looked up. For more, the exchanges of all mailboxes are read.
 */
const LOOKED_UP = 500;
const CHUNK = 1_000;
const ACROSS = { acrossWorkspaces: true };

/** All participants, in every workspace. */
export async function loadGrounds(beat: () => void): Promise<WarmupGround[]> {
  const enrolments = await WarmupEnrolment.find({ status: "ACTIVE" }, null, ACROSS)
    .sort({ _id: 1 })
    .lean<WarmupEnrolment[]>();
  const grounds: WarmupGround[] = [];
  for (const some of chunksOf(enrolments)) {
    const ids = some.map(({ _id }) => _id);
    const mailboxes = await Mailbox.find({ _id: trusted({ $in: ids }), status: "CONNECTED" }, null, ACROSS).lean<
      Mailbox[]
    >();
    const mailboxOf = new Map(mailboxes.map((mailbox) => [mailbox._id, mailbox]));
    const zones = await loadZones(some.map(({ workspaceId }) => workspaceId));
    for (const enrolment of some) {
      const [mailbox, zone] = [mailboxOf.get(enrolment._id), zones.get(enrolment.workspaceId)];
      if (mailbox !== undefined) grounds.push(groundOf(enrolment, mailbox, zone ?? "UTC"));
    }
    beat();
  }
  return grounds;
}

export interface CountsOfDay {
  /** By sender: how many numbers are used up, and how many openings were not missed or failed. */
  used: Map<string, number>;
  opened: Map<string, number>;
  received: Map<string, number>;
  fromWeak: Map<string, number>;
}

/**
 * Counts the planned emails of a day. The database groups them by sender, so that the amount of data grows only with
 * the number of mailboxes.
 */
export async function countToday(day: string, bands: ReadonlyMap<string, string>): Promise<CountsOfDay> {
  const counts: CountsOfDay = { used: new Map(), opened: new Map(), received: new Map(), fromWeak: new Map() };
  const add = (map: Map<string, number>, key: string, many = 1) => map.set(key, (map.get(key) ?? 0) + many);
  const isOff = { $in: ["$state", ["MISSED", "FAILED"]] };
  const senders = WarmupMail.aggregate<{ _id: string; used: number; to: string[] }>([
    { $match: { kind: "OPENING", day } },
    {
      $group: {
        _id: "$fromMailboxId",
        used: { $sum: 1 },
        to: { $push: { $cond: [isOff, "$$REMOVE", "$toMailboxId"] } },
      },
    },
  ]);
  for await (const { _id: from, used, to } of senders.cursor({ batchSize: CHUNK })) {
    add(counts.used, from, used);
    add(counts.opened, from, to.length);
    const isWeak = bands.get(from) === "THROTTLED" || bands.get(from) === "QUARANTINED";
    for (const receiver of to) {
      add(counts.received, receiver);
      if (isWeak) add(counts.fromWeak, receiver);
    }
  }
  return counts;
}

/**
 * The mailboxes with which these senders exchanged email in the last seven days, in either direction. A plan needs
 * nothing else about possible pairs. For a few senders it is looked up; for many it is read for all mailboxes, from an
 * index alone. A missed email counts too, since it was planned for the pair.
 */
export async function loadMeetings(dayStart: number, writers: readonly string[], beat: () => void): Promise<MetBefore> {
  const met = new MetBefore();
  const recent = { kind: "OPENING" as const, day: trusted({ $gte: utcDay(dayStart - (MEETING_DAYS - 1) * DAY_MS) }) };
  if (writers.length > LOOKED_UP) {
    await addMeetings(met, recent, "meetings", beat);
    return met;
  }
  const own = trusted({ $in: [...writers] });
  await addMeetings(met, { ...recent, fromMailboxId: own }, null, beat);
  // Pairs of two senders were already counted
  await addMeetings(met, { ...recent, toMailboxId: own, fromMailboxId: trusted({ $nin: [...writers] }) }, null, beat);
  return met;
}

async function addMeetings(
  met: MetBefore,
  match: Record<string, unknown>,
  hint: string | null,
  beat: () => void,
): Promise<void> {
  const senders = WarmupMail.aggregate<{ _id: string; to: string[] }>([
    { $match: match },
    { $group: { _id: "$fromMailboxId", to: { $push: "$toMailboxId" } } },
  ]).allowDiskUse(true);
  if (hint !== null) senders.hint(hint);
  for await (const { _id: from, to } of senders.cursor({ batchSize: CHUNK })) {
    for (const receiver of to) met.add({ from, to: receiver });
    beat();
  }
}

export async function loadAddresses(mailboxIds: readonly string[]): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const some of chunksOf([...new Set(mailboxIds)])) {
    const mailboxes = Mailbox.find({ _id: trusted({ $in: some }) }, { email: 1 }, ACROSS).lean<
      Pick<Mailbox, "_id" | "email">[]
    >();
    for (const { _id, email } of await mailboxes) found.set(_id, email);
  }
  return found;
}

export function* chunksOf<T>(all: readonly T[]): Generator<T[]> {
  for (let first = 0; first < all.length; first += CHUNK) yield all.slice(first, first + CHUNK);
}
