import { DAY_MS } from "../../domain/time/durations.ts";
import type { WarmupWaits } from "../../domain/warmup/engagement.ts";
import { scoped } from "../../models/scoped.ts";
import { Send } from "../../models/sending/send.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { nudge } from "../../store/outbox.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import type { SentMail } from "../fakes/sent-mail.ts";
import { until } from "../fakes/wait.ts";
import { listened, mailboxIn } from "../inbox/mailbox-in.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

/** People who read within a second, so that a day of conversations takes a minute. */
export const HASTY: WarmupWaits = {
  readMedianMs: 400,
  longestReadMs: 2_000,
  answerMs: { least: 100, most: 1_000 },
  tidyMs: 200,
};

/** Folders besides the inbox are read so often that a test need not wait. */
export const WATCHING = { resyncMs: 2_000 };

/** A mailbox of a sandbox, in a new workspace or in one with others. */
export interface Warming {
  workspaceId: string;
  rest: Rest;
  mailboxId: string;
  email: string;
}

export interface WarmupWorld {
  world: World;
  sandbox: Sandbox;
  /** By address. */
  mailboxes: Map<string, Warming>;
  of(email: string): Warming;
  close(): Promise<void>;
}

export interface WarmupWorldOptions {
  /** The addresses of each workspace. */
  workspaces: string[][];
  filing?: (recipient: string, mail: SentMail) => string | null;
  /**
   * Whether there is a worker in this process, which watches the mailboxes before the test begins; true unless said.
   */
  isWorked?: boolean;
}

/**
 * A world whose mailboxes lie in a sandbox and write as fast as they can at any hour, with a worker of hasty people.
 */
export async function startWarmupWorld({
  workspaces,
  filing,
  isWorked = true,
}: WarmupWorldOptions): Promise<WarmupWorld> {
  const certificate = await makeCertificate();
  const sandbox = await startSandbox({
    mailboxes: workspaces.flat(),
    certificate,
    reactionMs: { min: 20, max: 60 },
    ...(filing !== undefined && { filing }),
  });
  const world = await startWorld({
    ...(isWorked
      ? { worker: realWorker({ extraCa: certificate.cert, warmupWaits: HASTY, watching: WATCHING }) }
      : { temporal: true }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
  });
  const mailboxes = new Map<string, Warming>();
  for (const addresses of workspaces) {
    const { workspaceId, rest } = await world.workspace();
    for (const email of addresses) {
      const mailboxId = await mailboxIn(world, workspaceId, email, sandbox);
      await scoped(workspaceId).Mailbox.updateOne(
        { _id: mailboxId },
        { $set: { minGapSeconds: 0, maxGapSeconds: 0, warmupDailyLimit: 100, workday: ALL_DAY } },
      );
      mailboxes.set(email, { workspaceId, rest, mailboxId, email });
    }
  }
  if (isWorked)
    await Promise.all([...mailboxes.values()].map(({ workspaceId, mailboxId }) => listened(workspaceId, mailboxId)));
  return {
    world,
    sandbox,
    mailboxes,
    of(email) {
      const found = mailboxes.get(email);
      if (found === undefined) throw new Error(`No mailbox ${email}`);
      return found;
    },
    async close() {
      await world.close();
      await sandbox.close();
    },
  };
}

export const ALL_DAY = { timezone: "UTC", days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" };

/** Moves the rest of the day's emails into the next milliseconds, in their order, and signals the warmups. */
export async function press(
  mailboxes: Iterable<Pick<Warming, "workspaceId" | "mailboxId">>,
  withinMs: number,
): Promise<void> {
  const planned = await WarmupMail.find({ state: "PLANNED" }).sort({ dueAt: 1 }).lean<WarmupMail[]>();
  for (const [index, { _id, fromWorkspaceId, sendId }] of planned.entries()) {
    const dueAt = new Date(Date.now() + Math.floor((index / planned.length) * withinMs));
    await WarmupMail.updateOne({ _id }, { $set: { dueAt } });
    await scoped(fromWorkspaceId).Send.updateOne({ _id: sendId }, { $set: { slotAt: dueAt } });
  }
  for (const { workspaceId, mailboxId } of mailboxes)
    await nudge(workspaceId, "WARMUP", { mailboxId, signal: "changed" });
}

/** Waits until every email of today came to its end, and no one has anything to do with any before tomorrow. */
export async function untilQuiet(here: Pick<WarmupWorld, "sandbox">, deadlineMs: number): Promise<void> {
  const isQuiet = async () => (await openMails(here)) === 0;
  await until(isQuiet, { deadlineMs, what: "every mail to be read and put away" }).catch(async (error) => {
    const sends = await Send.find({ kind: "WARMUP" }, null, { acrossWorkspaces: true }).lean<Send[]>();
    const open = (await allMails()).filter((mail) => isToday(mail) && !isDone(mail));
    throw new Error(JSON.stringify(open.map((mail) => [mail, sends.find(({ _id }) => _id === mail.sendId)])), {
      cause: error,
    });
  });
}

async function openMails({ sandbox }: Pick<WarmupWorld, "sandbox">): Promise<number> {
  const mails = (await allMails()).filter(isToday);
  const open = mails.filter((mail) => !isDone(mail));
  return mails.length === 0 ? 1 : open.length - (await countLost(open, sandbox)) + sandbox.pending();
}

/**
 * Emails whose sender was killed before their last line: no server took them, so no one will ever find them, and they
 * stay UNKNOWN.
 */
async function countLost(open: readonly WarmupMail[], { ledger }: Sandbox): Promise<number> {
  const sendIds = open.filter(({ state }) => state === "UNKNOWN").map(({ sendId }) => sendId);
  const sends = await Send.find({ _id: trusted({ $in: sendIds }) }, null, { acrossWorkspaces: true }).lean<Send[]>();
  const taken = new Set(ledger.map(({ messageId }) => messageId));
  return sends.filter(({ messageIds }) => !messageIds.some((id) => taken.has(id))).length;
}

/** Answers beyond a mailbox's share of today are tomorrow's. */
function isToday({ state, dueAt }: WarmupMail): boolean {
  return state !== "MISSED" && (state !== "PLANNED" || dueAt.getTime() < endOfToday());
}

function isDone({ state, landed, engageAt, tidyAt }: WarmupMail): boolean {
  return (
    state === "SENT" &&
    landed !== null &&
    (tidyAt === null || tidyAt.getTime() > endOfToday()) &&
    (engageAt === null || engageAt.getTime() > endOfToday())
  );
}

function endOfToday(): number {
  return Math.ceil(Date.now() / DAY_MS) * DAY_MS;
}

export function allMails(): Promise<WarmupMail[]> {
  return WarmupMail.find({}).sort({ dueAt: 1 }).lean<WarmupMail[]>().exec();
}
