import type { WarmupWaits } from "../../domain/warmup/engagement.ts";
import { Mailbox } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup-mail.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import type { SentMail } from "../fakes/sent-mail.ts";
import { listened, mailboxIn } from "../inbox/mailbox-in.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World, type WorldOptions } from "../support/world.ts";

/** People who read within a second, so that a day of conversations takes a minute. */
export const HASTY: WarmupWaits = { readMedianMs: 400, longestReadMs: 2_000, answerMs: { least: 100, most: 1_000 }, tidyMs: 200 };

/** A mailbox of a sandbox in a workspace of its own or of others. */
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
  /** In place of the worker in this process. */
  worker?: WorldOptions["worker"];
  /** Whether somebody watches the mailboxes before the test begins. */
  isListening?: boolean;
}

/** A world whose mailboxes lie in a sandbox and write as fast as they can at any hour, with a worker of hasty people. */
export async function startWarmupWorld({ workspaces, filing, worker, isListening = true }: WarmupWorldOptions): Promise<WarmupWorld> {
  const certificate = await makeCertificate();
  const sandbox = await startSandbox({
    mailboxes: workspaces.flat(),
    certificate,
    reactionMs: { min: 20, max: 60 },
    ...(filing !== undefined && { filing }),
  });
  const world = await startWorld({
    worker: worker ?? realWorker({ extraCa: certificate.cert, warmupWaits: HASTY }),
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
  if (isListening) await Promise.all([...mailboxes.values()].map(({ workspaceId, mailboxId }) => listened(workspaceId, mailboxId)));
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

const ALL_DAY = { timezone: "UTC", days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" };

/** Presses the rest of the day's mails into the next milliseconds, in their order. */
export async function press(withinMs: number): Promise<void> {
  const planned = await WarmupMail.find({ state: "PLANNED" }).sort({ dueAt: 1 }).lean<WarmupMail[]>();
  for (const [index, { _id, fromWorkspaceId, sendId }] of planned.entries()) {
    const dueAt = new Date(Date.now() + Math.floor((index / planned.length) * withinMs));
    await WarmupMail.updateOne({ _id }, { $set: { dueAt } });
    await scoped(fromWorkspaceId).Send.updateOne({ _id: sendId }, { $set: { slotAt: dueAt } });
  }
}

export function allMails(): Promise<WarmupMail[]> {
  return WarmupMail.find({}).sort({ dueAt: 1 }).lean<WarmupMail[]>().exec();
}

export function loadedMailbox(mailboxId: string): Promise<Mailbox | null> {
  return Mailbox.findById(mailboxId, null, { acrossWorkspaces: true }).lean<Mailbox>().exec();
}
