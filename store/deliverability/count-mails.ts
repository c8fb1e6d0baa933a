import { HARD } from "../../domain/bounces/patterns.ts";
import { consumerHostOf } from "../../domain/deliverability/consumer-mail.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { providerOf } from "../../domain/mailboxes/mail-exchange.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { MailDomain } from "../../models/deliverability/mail-domain.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { OF_MAILBOX } from "../mailboxes/guard.ts";
import { addFigures, loadCountedDays, type MailSums, noFigures, saveDay } from "./figures.ts";
import { addPlaces, loadPlaces } from "./measured-places.ts";

const REASONS: ReadonlySet<string> = HARD;
const WENT_OUT = ["SENT", "BOUNCED", "UNKNOWN"];
const LONGEST_MS = 10 * MINUTE_MS;
const CHUNK = 1_000;
const BEAT_EVERY = 20_000;
const AT_HOST = { GOOGLE: "toGoogle", YAHOO: "toYahoo", MICROSOFT: "toMicrosoft" } as const;
const AT_PROVIDER = { PROVIDERA: "toProviderA", PROVIDERB: "toProviderB" } as const;

/** Figures by day and mailbox. */
type Days = Map<string, Map<string, MailSums>>;

/**
 * Counts the results of the campaign emails that were due on the UTC days from `since` until today
 * (rules/deliverability 4.2), and where measured emails landed (rules/deliverability 4.3). Stores the figures for each
 * mailbox, each sending domain and the workspace. A repeated count replaces the earlier one. `beat` is called from time
 * to time.
 */
export async function countMails(
  workspaceId: string,
  since: string,
  providers: MailProviders,
  beat: () => void,
): Promise<void> {
  const today = utcDay(Date.now());
  const from = new Date(`${since}T00:00:00Z`);
  const range = { $gte: from, $lt: new Date(Date.parse(`${today}T00:00:00Z`) + DAY_MS) };
  const days: Days = new Map([[today, new Map()]]);
  await countSends(workspaceId, range, providers, days, beat);
  await countReplies(workspaceId, range, days);
  await countComplaints(workspaceId, range, days);
  for (const { mailboxId, day, folder, receiver, count } of await loadPlaces(workspaceId, range))
    addPlaces(figuresOfDay(days, day, mailboxId), folder, receiver, count);
  const ids = [...new Set([...days.values()].flatMap((byMailbox) => [...byMailbox.keys()]))];
  const mailboxes = await inChunks(ids, (some) =>
    scoped(workspaceId).Mailbox.read({ _id: { $in: some } }, { select: { email: 1 } }),
  );
  const domainOfId = new Map(mailboxes.map(({ _id, email }) => [_id, domainOf(email)]));
  for (const day of await loadCountedDays(workspaceId, since)) if (!days.has(day)) days.set(day, new Map());
  for (const [day, byMailbox] of days) {
    const domains = new Map<string, MailSums>();
    const all = noFigures();
    for (const [mailboxId, figures] of byMailbox) {
      addFigures(all, figures);
      const domain = domainOfId.get(mailboxId);
      if (domain !== undefined) addFigures(figuresIn(domains, domain), figures);
    }
    await saveDay(workspaceId, day, { MAILBOX: byMailbox, DOMAIN: domains, WORKSPACE: new Map([[workspaceId, all]]) });
  }
}

type Counted = Pick<Send, "mailboxId" | "slotAt" | "to" | "state" | "failure" | "tracking" | "openedAt">;
type Range = { $gte: Date; $lt: Date };

async function countSends(
  workspaceId: string,
  slotAt: Range,
  providers: MailProviders,
  days: Days,
  beat: () => void,
): Promise<void> {
  let counted = 0;
  /**
   * The figures that emails to each domain belong to, with the number of emails, so that the mail hosts of a domain are
   * looked up only once.
   */
  const byDomain = new Map<string, Map<MailSums, number>>();
  const match = {
    slotAt,
    kind: "CAMPAIGN",
    $or: [{ state: { $in: WENT_OUT } }, { state: "FAILED", "failure.reason": "HARD_BOUNCE" }],
  };
  const select = {
    $project: { mailboxId: 1, slotAt: 1, to: 1, state: 1, "failure.reason": 1, "tracking.opens": 1, openedAt: 1 },
  };
  for await (const send of scoped(workspaceId).Send.walk<Counted>(match, [select], LONGEST_MS, { hint: "calendar" })) {
    const { mailboxId, slotAt, to, state, failure, tracking, openedAt } = send;
    counted += 1;
    if (counted % BEAT_EVERY === 0) beat();
    if (mailboxId === null || slotAt === null) continue;
    const figures = figuresOn(days, slotAt, mailboxId);
    figures.sent += 1;
    if (state === "FAILED" || (state === "BOUNCED" && REASONS.has(failure?.reason ?? ""))) figures.bounced += 1;
    if (tracking?.opens === true) {
      figures.tracked += 1;
      if (openedAt !== null) figures.opened += 1;
    }
    const domain = domainOf(to);
    const host = consumerHostOf(domain);
    if (host !== null) figures[AT_HOST[host]] += 1;
    const mails = byDomain.get(domain) ?? new Map<MailSums, number>();
    mails.set(figures, (mails.get(figures) ?? 0) + 1);
    byDomain.set(domain, mails);
  }
  const domainRows = await inChunks([...byDomain.keys()], (some) =>
    MailDomain.find({ _id: trusted({ $in: some }) })
      .lean<MailDomain[]>()
      .exec(),
  );
  for (const { _id: domain, hosts } of domainRows) {
    const provider = providerOf(hosts ?? [], providers);
    if (provider !== "PROVIDERA" && provider !== "PROVIDERB") continue;
    for (const [figures, mails] of byDomain.get(domain) ?? []) figures[AT_PROVIDER[provider]] += mails;
  }
}

/** Counts replies on the day they arrived. Automatic replies do not count. */
async function countReplies(workspaceId: string, at: Range, days: Days): Promise<void> {
  const { ActivityEvent, Recipient } = scoped(workspaceId);
  const events = await ActivityEvent.read(
    { type: "REPLIED", at },
    { select: { recipientId: 1, at: 1 }, maxTimeMs: LONGEST_MS },
  );
  const ids = [...new Set(events.flatMap(({ recipientId }) => recipientId ?? []))];
  const recipients = await inChunks(ids, (some) =>
    Recipient.read({ _id: { $in: some } }, { select: { mailboxId: 1 } }),
  );
  const mailboxOf = new Map(recipients.map(({ _id, mailboxId }) => [_id, mailboxId]));
  for (const { at, recipientId } of events) {
    const mailboxId = recipientId === null ? null : mailboxOf.get(recipientId);
    if (mailboxId) figuresOn(days, at, mailboxId).replied += 1;
  }
}

/** Counts the complaints that count against a mailbox, on the day they arrived (rules/sending 10.6). */
async function countComplaints(workspaceId: string, createdAt: Range, days: Days): Promise<void> {
  const { Mailbox, Message } = scoped(workspaceId);
  const ids = (await Mailbox.read({}, { select: { _id: 1 } })).map(({ _id }) => _id);
  const counted = { $or: [{ recipientId: { $ne: null } }, { "evidence.rule": OF_MAILBOX }] };
  const complaints = await inChunks(ids, (some) =>
    Message.read(
      { mailboxId: { $in: some }, kind: "COMPLAINT", createdAt, ...counted },
      { select: { mailboxId: 1, createdAt: 1 }, hint: "reports" },
    ),
  );
  for (const { mailboxId, createdAt } of complaints) figuresOn(days, createdAt, mailboxId).complained += 1;
}

function figuresOn(days: Days, at: Date, mailboxId: string): MailSums {
  return figuresOfDay(days, utcDay(at.getTime()), mailboxId);
}

function figuresOfDay(days: Days, day: string, mailboxId: string): MailSums {
  const byMailbox = days.get(day) ?? new Map<string, MailSums>();
  days.set(day, byMailbox);
  return figuresIn(byMailbox, mailboxId);
}

function figuresIn(map: Map<string, MailSums>, key: string): MailSums {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const fresh = noFigures();
  map.set(key, fresh);
  return fresh;
}

async function inChunks<T>(ids: readonly string[], read: (some: string[]) => Promise<T[]>): Promise<T[]> {
  const found: T[] = [];
  for (let first = 0; first < ids.length; first += CHUNK) found.push(...(await read(ids.slice(first, first + CHUNK))));
  return found;
}
