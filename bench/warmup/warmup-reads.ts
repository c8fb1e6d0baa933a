import { randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { UNKNOWN_SENDER } from "../../connectors/mime/authentication.ts";
import { parseMail } from "../../connectors/mime/parse.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { localDate, utcDay } from "../../domain/time/schedule.ts";
import { dayBefore } from "../../domain/warmup/day.ts";
import { mix } from "../../domain/warmup/day-hash.ts";
import { DEFAULT_CONFIG } from "../../domain/warmup/enrolment.ts";
import { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupDay } from "../../models/warmup/warmup-day.ts";
import { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadPlaces } from "../../store/deliverability/measured-places.ts";
import { heedWarmup } from "../../store/warmup/arrival.ts";
import { closeDay } from "../../store/warmup/close-day.ts";
import { loadDue } from "../../store/warmup/engagements.ts";
import { loadGround, type WarmupGround } from "../../store/warmup/ground.ts";
import { planWarmupRound } from "../../store/warmup/plan-round.ts";
import { findNextTurn } from "../../store/warmup/turn.ts";
import type { Rest } from "../../test/support/rest.ts";
import { type BenchWorkspace, startRig } from "../rig.ts";
import { type Measured, median, ms, quantile, type Row } from "../table.ts";
import { TIRELESS } from "./warming.ts";

const WORKSPACES = 500;
const IN_WORKSPACE = 20;
const MAILBOXES = WORKSPACES * IN_WORKSPACE;
const MAILS = 1_000_000;
/** The days over which the emails are spread: as many as a plan looks back. */
const MAIL_DAYS = 7;
const DAYS = 90;
const PAGE = 5_000;
const TURNS = 60;
const GOAL_MS = 10;
const PLACES_MS = 14 * DAY_MS;

/** Measures the database reads of warmup in a large deployment, by the workers and by users. */
export async function run(): Promise<Row> {
  const how = `${MAILBOXES.toLocaleString("en")} mailboxes in ${WORKSPACES} workspaces, ${MAILS.toLocaleString("en")} warmup mails of ${MAIL_DAYS} days, ${DAYS} days of counts; each question ${TURNS} times.`;
  return { title: "Database reads of warmup", how, measured: await measureReads() };
}

async function measureReads(): Promise<Measured[]> {
  const rig = await startRig();
  try {
    const shown = await rig.workspace();
    const mailboxes = await fill(shown);
    await mongoose.connection.db?.command({ profile: 0 });
    const measured = await measureShown(await shown.another(), mailboxes.slice(0, IN_WORKSPACE));
    const grounds = await groundsOf(mailboxes);
    const found = await scanned(async () => {
      for (const [what, ask] of questions(grounds)) {
        const times = await timesOf(grounds, ask);
        measured.push({
          what: `${what}, p50`,
          goal: "",
          measured: `${median(times).toFixed(1)} ms (p95 ${quantile(times, 0.95).toFixed(1)})`,
          met: null,
        });
      }
      const [first] = grounds;
      if (first !== undefined) measured.push(await measureRound(first));
    });
    measured.push({
      what: "reads without an index",
      goal: "0",
      measured: found.length === 0 ? "0" : found.join("; "),
      met: found.length === 0,
    });
    return measured;
  } finally {
    await rig.close();
  }
}

async function measureShown(rest: Rest, mailboxes: readonly Mailbox[]): Promise<Measured[]> {
  const measured: Measured[] = [];
  for (const what of ["heatmap", "reputation"]) {
    const times: number[] = [];
    for (let turn = 0; turn < TURNS; turn++) {
      const path = `/warmup/enrolments/${mailboxes[turn % mailboxes.length]?._id}/${what}?days=${DAYS}`;
      const started = performance.now();
      const { status, body } = await rest.get(path);
      times.push(performance.now() - started);
      if (status !== 200 || body.length !== DAYS)
        throw new Error(`The API answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
    }
    const [p50, p95, first] = [median(times), quantile(times, 0.95), times[0] ?? 0];
    const answered = `${p50.toFixed(1)} ms (p95 ${p95.toFixed(1)}, the first ${first.toFixed(1)})`;
    measured.push({
      what: `GET ${what} of ${DAYS} days, p50`,
      goal: `under ${GOAL_MS} ms`,
      measured: answered,
      met: p50 < GOAL_MS,
    });
  }
  return measured;
}

type Ask = (ground: WarmupGround) => Promise<unknown>;

function questions(grounds: readonly WarmupGround[]): [string, Ask][] {
  const partner = (ground: WarmupGround) =>
    grounds[(grounds.indexOf(ground) + 1) % grounds.length]?.mailbox ?? ground.mailbox;
  const range = { $gte: new Date(Date.now() - PLACES_MS), $lt: new Date() };
  return [
    ["what a run does next", findNextTurn],
    ["what is due in a mailbox", ({ mailbox }) => loadDue(mailbox._id, new Date())],
    ["whether a mail that arrives is the warmup's, by all signs", (ground) => arrives(ground, partner(ground))],
    ["the end of a day", closeDay],
    [
      "where the mails of a workspace of 20 mailboxes landed in 14 days",
      ({ mailbox }) => loadPlaces(mailbox.workspaceId, range),
    ],
  ];
}

/** Handles an incoming email from a warmup partner that is not a warmup email. */
function arrives({ mailbox }: WarmupGround, from: Mailbox): Promise<boolean> {
  const lines = [
    `From: ${from.email}`,
    `To: ${mailbox.email}`,
    "Subject: Another matter",
    `Message-ID: <${randomUUID()}@a.test>`,
  ];
  const { message, to, cc } = parseMail(Buffer.from(`${lines.join("\r\n")}\r\n\r\nHello\r\n`));
  const place = { folder: "INBOX", uidValidity: "1", uid: 1, contentKey: randomUUID(), receivedAt: new Date() };
  const mail = {
    message,
    to,
    cc,
    attachments: [],
    unreadable: null,
    providerThreadId: null,
    folderUse: "INBOX" as const,
  };
  return inTransaction(() => heedWarmup({ ...place, ...mail, mailbox, ...UNKNOWN_SENDER, isSentFolder: false }));
}

/**
 * Measures planning when one mailbox starts, which also reads all other mailboxes, their previous partners, and their
 * plans for today.
 */
async function measureRound({ mailbox: { _id, workspaceId } }: WarmupGround): Promise<Measured> {
  await scoped(workspaceId).WarmupEnrolment.updateOne({ _id }, { $set: { replanAt: new Date() } });
  const started = performance.now();
  await planWarmupRound("WAITING", () => {});
  return {
    what: "planning the day of one mailbox that starts",
    goal: "",
    measured: ms(performance.now() - started),
    met: null,
  };
}

async function timesOf(grounds: readonly WarmupGround[], ask: Ask): Promise<number[]> {
  const times: number[] = [];
  for (const ground of grounds) {
    const started = performance.now();
    await ask(ground);
    times.push(performance.now() - started);
  }
  return times;
}

/** Runs `work` and returns the collections and filters of its reads that used no index. */
async function scanned(work: () => Promise<void>): Promise<string[]> {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error("There is no database");
  await db.command({ profile: 2 });
  await work();
  await db.command({ profile: 0 });
  const rows = await db
    .collection("system.profile")
    .find({ planSummary: /COLLSCAN/, ns: /warmup|mailbox|send|placement/ })
    .toArray();
  return [...new Set(rows.map(({ ns, command }) => `${ns} ${JSON.stringify(command?.filter ?? command?.q ?? {})}`))];
}

/** Some mailboxes of different workspaces. */
async function groundsOf(mailboxes: readonly Mailbox[]): Promise<WarmupGround[]> {
  const some = Array.from({ length: TURNS }, (_, turn) => mailboxes[(turn * 163) % mailboxes.length]);
  const grounds = await Promise.all(
    some.map((mailbox) => (mailbox === undefined ? null : loadGround(mailbox.workspaceId, mailbox._id))),
  );
  return grounds.filter((ground) => ground !== null);
}

/**
 * Stores mailboxes, their daily counts and their emails as warmup would. The requests are made for the first workspace.
 */
async function fill({ workspaceId }: BenchWorkspace): Promise<Mailbox[]> {
  await Promise.all([WarmupMail.collection.dropIndexes(), WarmupDay.collection.dropIndexes()]);
  const mailboxes = await fillMailboxes(workspaceId);
  await fillDays(mailboxes);
  await fillMails(mailboxes);
  await WarmupDay.createIndexes();
  await WarmupMail.createIndexes();
  return mailboxes;
}

async function fillMailboxes(workspaceId: string): Promise<Mailbox[]> {
  const server = { host: "localhost", port: 1, security: "SSL_TLS" as const };
  const servers = { smtp: server, imap: server, sealedPassword: null };
  const email = (index: number) => `ada@m${index}.test`;
  const pattern = await scoped(workspaceId).Mailbox.insert({
    _id: newId("mbx"),
    email: email(0),
    username: "ada",
    ...servers,
    ...TIRELESS,
  });
  const config = { ...DEFAULT_CONFIG, start: 20, max: 20 };
  const pools = [{ type: "SHARED", share: 1 }];
  const began = {
    dailyLimit: 20,
    startedAt: new Date(),
    closedDay: dayBefore(dayBefore(localDate(Date.now(), "UTC"))),
  };
  const enrolment = await scoped(workspaceId).WarmupEnrolment.insert({
    _id: pattern._id,
    email: pattern.email,
    config,
    pools,
    ...began,
  });
  const mailboxes = Array.from({ length: MAILBOXES }, (_, index): Mailbox => {
    if (index === 0) return pattern;
    const side = Math.floor(index / IN_WORKSPACE);
    return {
      ...pattern,
      _id: newId("mbx"),
      email: email(index),
      workspaceId: side === 0 ? workspaceId : `wsp_${side}`,
    };
  });
  const others = mailboxes.slice(1);
  await Mailbox.collection.insertMany(others as never[]); // their ids are texts
  await WarmupEnrolment.collection.insertMany(
    others.map((mailbox) => ({
      ...enrolment,
      _id: mailbox._id,
      email: mailbox.email,
      workspaceId: mailbox.workspaceId,
    })) as never[],
  );
  return mailboxes;
}

async function fillDays(mailboxes: readonly Mailbox[]): Promise<void> {
  const dates = Array.from({ length: DAYS }, (_, ago) => utcDay(Date.now() - ago * DAY_MS));
  const counts = {
    sent: 14,
    received: 14,
    replied: 4,
    engaged: 13,
    seen: 13,
    inSpam: 1,
    rescued: 1,
    missing: 0,
    bounced: 0,
    score: 90,
  };
  const stamps = { createdAt: new Date(), updatedAt: new Date() };
  for (let from = 0; from < mailboxes.length; from += PAGE / 50) {
    const rows = mailboxes
      .slice(from, from + PAGE / 50)
      .flatMap(({ _id, workspaceId }) =>
        dates.map((date) => ({ _id: `${_id}:${date}`, workspaceId, mailboxId: _id, date, ...counts, ...stamps })),
      );
    await WarmupDay.collection.insertMany(rows as never[], { ordered: false });
  }
}

async function fillMails(mailboxes: readonly Mailbox[]): Promise<void> {
  const perDay = MAILS / MAILBOXES / MAIL_DAYS;
  for (let from = 0; from < MAILS; from += PAGE) {
    const rows = Array.from({ length: PAGE }, (_, offset) => {
      const number = from + offset;
      const index = number % MAILBOXES;
      const turn = Math.floor(number / MAILBOXES);
      return mailOf(
        mailboxes,
        index,
        (index + 1 + (mix(index, turn) % (MAILBOXES - 1))) % MAILBOXES,
        turn,
        Math.floor(turn / perDay),
      );
    });
    await WarmupMail.collection.insertMany(rows as never[], { ordered: false });
  }
}

/**
 * An email between two mailboxes. Seven of ten start a conversation. Older emails are archived; half of today's are
 * still to be sent.
 */
function mailOf(mailboxes: readonly Mailbox[], from: number, to: number, turn: number, ago: number) {
  const [sender, receiver] = [mailboxes[from], mailboxes[to]];
  if (sender === undefined || receiver === undefined) throw new Error("No such mailbox");
  const at = new Date(Date.now() - ago * DAY_MS - (turn % 9) * MINUTE_MS);
  const isPlanned = ago === 0 && turn % 2 === 0;
  const landed = { folder: turn % 20 === 0 ? "SPAM" : "INBOX", provider: "SMTP", at };
  const _id = `wml_${from}_${turn}`;
  return {
    _id,
    day: utcDay(at.getTime()),
    kind: turn % 10 < 7 ? "OPENING" : "REPLY",
    answers: null,
    opening: _id,
    turn: 1,
    language: "en",
    fromWorkspaceId: sender.workspaceId,
    fromMailboxId: sender._id,
    fromAddress: sender.email,
    toWorkspaceId: receiver.workspaceId,
    toMailboxId: receiver._id,
    toAddress: receiver.email,
    dueAt: isPlanned ? new Date(Date.now() + DAY_MS / 2) : at,
    sendId: `snd_${_id}`,
    state: isPlanned ? "PLANNED" : "SENT",
    sentAt: isPlanned ? null : at,
    landed: isPlanned ? null : landed,
    place: null,
    wish: null,
    sentCopy: null,
    tidyAt: null,
    bouncedAt: null,
    engageAt: isPlanned ? null : new Date(at.getTime() + 30 * DAY_MS),
    engaged: { readAt: at, rescuedAt: null, importantAt: null, repliedAt: null, filedAt: isPlanned ? null : at },
    createdAt: at,
    updatedAt: at,
  };
}
