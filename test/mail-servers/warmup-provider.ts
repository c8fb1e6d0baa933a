import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { newId } from "../../mongo/ids.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { dayGoesOn, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";
import { WATCHING, type Warming } from "../warmup/warmup-world.ts";
import { type Provider, startProvider } from "./provider.ts";
import { ABSENT, hold } from "./warmup-clock.ts";

const PASSWORD = "mail-servers";
export const DEADLINE = { deadlineMs: 90_000 };
/** A day of a hundred emails, so that a test has as many as it wants. */
const RAMP = { start: 20, increment: 10, max: 100 };
const NINTH_DAY = 9;
/** Milliseconds that the UTC day must still last: every plan is for this day. */
const STORY_MS = HOUR_MS / 6;

export interface Member {
  email: string;
  name: string;
  replyRate: number;
  signatureHtml?: string;
}

/**
 * Mailboxes of a real provider that warm each other up, each in a workspace of its own. The first starts last, so that
 * the others have planned to write to each other. Nothing goes out before a test releases it.
 */
export interface WarmupProvider {
  provider: Provider;
  world: World;
  mailboxes: Warming[];
  /** The hourly round that judges mailboxes. */
  judge(): Promise<void>;
  close(): Promise<void>;
}

export async function startWarmupProvider(
  members: readonly Member[],
  others: { copied: string[]; users: string[] },
): Promise<WarmupProvider> {
  const certificate = await makeCertificate();
  const users = [...members.map(({ email }) => email), ...others.users];
  const provider = await startProvider({ certificate, password: PASSWORD }, { users, copied: others.copied });
  const worker = realWorker({ extraCa: certificate.cert, warmupWaits: ABSENT, watching: WATCHING });
  const world = await startWorld({ worker, settings: { egressAllow: "localhost:*,127.0.0.1:*" } });
  const { temporal } = world;
  if (temporal === null) throw new Error("There is no engine");
  const { workflow } = temporal.client;
  await dayGoesOn(STORY_MS);
  const mailboxes: Warming[] = [];
  for (const member of members) mailboxes.push(await connectMailbox(world, provider, member));
  const [first, ...rest] = mailboxes.map((one, index) => ({ one, replyRate: members[index]?.replyRate ?? 0 }));
  for (const { one, replyRate } of rest) await startWarmup(one, replyRate);
  for (const { one } of rest) await untilPlanned(one);
  if (first !== undefined) {
    await startWarmup(first.one, first.replyRate);
    await untilPlanned(first.one);
  }
  await hold(mailboxes);
  return {
    provider,
    world,
    mailboxes,
    async judge() {
      await workflow.execute("judgeMailboxes", { taskQueue: "engine", workflowId: newId("tst"), args: [] });
    },
    async close() {
      await world.close();
      await provider.stop();
    },
  };
}

async function connectMailbox(
  world: World,
  provider: Provider,
  { email, name, signatureHtml = "" }: Member,
): Promise<Warming> {
  const { rest, workspaceId } = await world.workspace();
  const servers = {
    smtpHost: "localhost",
    smtpPort: provider.submission,
    imapHost: "localhost",
    imapPort: provider.dovecot.port,
  };
  const credentials = { email, password: PASSWORD, name, security: "SSL_TLS", ...servers };
  const { status, body } = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
  if (status !== 200) throw new Error(`${JSON.stringify(body)} ${await provider.postfix.log()}`);
  const mailboxId: string = body.id;
  const { Mailbox, MailboxCursor } = scoped(workspaceId);
  const workday = { timezone: "UTC", days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" };
  const quick = { minGapSeconds: 0, maxGapSeconds: 0, warmupDailyLimit: 100, dailySendLimit: 400, workday };
  await Mailbox.updateOne({ _id: mailboxId }, { $set: { ...quick, ...(signatureHtml !== "" && { signatureHtml }) } });
  await until(async () => (await MailboxCursor.count({ mailboxId })) === 4, {
    ...DEADLINE,
    what: "the first look into every folder",
  });
  return { workspaceId, rest, mailboxId, email };
}

async function startWarmup({ rest, workspaceId, mailboxId }: Warming, replyRate: number): Promise<void> {
  const { status, body } = await rest.post("/warmup/manage", {
    action: "start",
    mailboxId,
    config: { ...RAMP, replyRate },
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  await scoped(workspaceId).WarmupEnrolment.updateOne(
    { _id: mailboxId },
    { $set: { dayNumber: NINTH_DAY, replanAt: new Date() } },
  );
}

/** Waits until a mailbox has emails enough to let go. */
export async function untilPlanned({ mailboxId }: Warming, least = 40): Promise<void> {
  const planned = () => WarmupMail.countDocuments({ fromMailboxId: mailboxId, state: "PLANNED", kind: "OPENING" });
  await until(async () => (await planned()) >= least, { ...DEADLINE, what: `the plan of ${mailboxId}` });
}
