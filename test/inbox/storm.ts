import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "@jest/globals";
import { programEnv, readConfig } from "../../config.ts";
import { signToken } from "../../domain/access/tokens.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { startTemporal } from "../../embedded/temporal.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { createLog } from "../../runtime/log.ts";
import { bundleWorkflows } from "../../worker/queues.ts";
import { complaint, deliveryFailure, outOfOffice, plainBounce, replyTo } from "../fakes/mails.ts";
import { QuickImap } from "../fakes/quick-imap.ts";
import { until } from "../fakes/wait.ts";
import {
  anotherMailbox,
  certificate,
  contacted,
  events,
  listening,
  newCampaign,
  PASSWORD,
  type Person,
  webhooks,
  workspaceId,
  world,
} from "../listening/listening.ts";
import { KilledWorker, randomFrom } from "../system/killed-worker.ts";

const SEED = 20_261_121;
/** In full size the real worker runs, and Temporal takes half a minute to notice a kill. */
const SIZES = {
  small: { mails: 120, mailboxes: 4, kills: 3, pauseMs: 0, isFull: false },
  full: { mails: 2_000, mailboxes: 20, kills: 10, pauseMs: 32_000, isFull: true },
};
let size = SIZES.small;
const KINDS = ["reply", "hard", "text", "away", "token", "words", "spam", "stranger", "reply", "reply"] as const;
type StormKind = (typeof KINDS)[number];

let folder: string | null = null;
let stopEngine = async () => {};
let worker: KilledWorker | null = null;

/** A worker with the addresses of its servers. In full size it has its own Temporal server. */
async function newWorker(): Promise<KilledWorker> {
  const secretKey = world.services.keyRing.current.key.toString("base64");
  const orders = {
    workspaceId,
    mongodbUri: world.mongodbUri,
    secretKey,
    certificate: certificate.cert,
    trackUrl: world.baseUrl,
    temporalAddress: "",
    codePath: "",
  };
  if (!size.isFull) return new KilledWorker(orders, new URL("../database/listener.ts", import.meta.url));
  folder = await mkdtemp(join(tmpdir(), "outreach-storm-"));
  const programs = { env: programEnv(), log: () => {}, binary: readConfig().TEMPORAL_BIN ?? undefined };
  const temporal = await startTemporal({ dataDir: folder, port: 0, pages: null, ...programs });
  stopEngine = () => temporal.stop();
  const codePath = join(folder, "workflows.js");
  await writeFile(codePath, (await bundleWorkflows(createLog("error"))).code);
  return new KilledWorker({ ...orders, temporalAddress: temporal.address, codePath });
}

function mailOf(kind: StormKind, { sent, send }: Person, to: string): Buffer {
  switch (kind) {
    case "reply":
      return replyTo(sent, { text: "Tell me more" });
    case "hard":
      return deliveryFailure(sent);
    case "text":
      return plainBounce(sent, "550 5.1.1 sorry, no mailbox here by that name");
    case "away":
      return outOfOffice(sent, { until: new Date(Date.now() + 5 * DAY_MS) });
    case "words":
      return replyTo(sent, { text: "Please remove me from your list" });
    case "spam":
      return complaint(sent);
    case "token": {
      const token = signToken(world.services.signing, "u", send._id);
      return Buffer.from(
        `From: someone@x.test\r\nTo: ${to}\r\nSubject: unsubscribe ${token}\r\nMessage-ID: <${randomUUID()}@x.test>\r\n\r\n\r\n`,
      );
    }
    case "stranger":
      return Buffer.from(
        `From: eve@x.test\r\nTo: ${to}\r\nSubject: Hello\r\nMessage-ID: <${randomUUID()}@x.test>\r\n\r\nHello\r\n`,
      );
  }
}

/** Delivers a storm of emails while the worker is killed. */
export function runStorm(which: keyof typeof SIZES): void {
  size = SIZES[which];
  listening();

  afterAll(async () => {
    await worker?.kill();
    await stopEngine();
    if (folder !== null) await rm(folder, { recursive: true, force: true });
  });

  test("however often the worker is killed, each email is read once and takes effect once", async () => {
    const db = scoped(workspaceId);
    const quick = await QuickImap.start({ certificate, password: PASSWORD });
    const campaignId = await newCampaign({ bounceGuard: { enabled: false } });
    await db.Mailbox.deleteMany({}); // the mailbox that the rig made
    const storm: { user: string; kind: StormKind; raw: Buffer }[] = [];
    for (let m = 0; m < size.mailboxes; m++) {
      const { email } = await anotherMailbox(quick);
      for (let n = m; n < size.mails; n += size.mailboxes) {
        const kind = KINDS[Math.floor(n / size.mailboxes) % KINDS.length] ?? "stranger";
        const person = await contacted(`${kind}${n}@company${n}.test`, campaignId);
        storm.push({ user: email, kind, raw: mailOf(kind, person, email) });
      }
    }
    const random = randomFrom(SEED);
    storm.sort(() => random() - 0.5);
    worker = await newWorker();
    worker.start();
    const noted = async () => (await db.MailboxCursor.count({ history: null })) === 4 * size.mailboxes;
    await until(noted, { deadlineMs: 60_000, what: "the first look into every mailbox" });

    const read = () => db.Message.count({ folder: trusted({ $ne: null }) });
    const slice = Math.ceil(size.mails / (size.kills + 1));
    const readAtKill: number[] = [];
    for (let kill = 0; kill <= size.kills; kill++) {
      const before = await read();
      for (const { user, kind, raw } of storm.slice(kill * slice, (kill + 1) * slice)) {
        quick.deliver(user, raw);
        if (kind === "reply" && random() < 0.2) quick.deliver(user, raw, "Archive"); // the same mail, a second time
      }
      if (kill === size.kills) break;
      const some = before + Math.ceil(slice * (0.1 + 0.7 * random()));
      await until(async () => (await read()) >= some, { deadlineMs: 300_000, what: "some of the mails to be read" });
      await worker.kill();
      readAtKill.push(await read());
      worker.start();
      await sleep(size.pauseMs * random());
    }
    await until(async () => (await read()) >= size.mails, { deadlineMs: 600_000, what: "every mail to be read" });
    await worker.kill();

    const of = (...kinds: StormKind[]) => storm.filter(({ kind }) => kinds.includes(kind)).length;
    const rows = await db.Message.aggregate<{ _id: string; count: number }>(
      { folder: { $ne: null } },
      { $group: { _id: "$kind", count: { $sum: 1 } } },
    );
    const found = {
      rows: Object.fromEntries(rows.map(({ _id, count }) => [_id, count])),
      REPLIED: (await webhooks("REPLIED")).length,
      BOUNCED: (await webhooks("BOUNCED")).length,
      UNSUBSCRIBE: (await webhooks("UNSUBSCRIBE")).length,
      repliedEvents: (await events("REPLIED")).length,
      suppressed: await db.AddressGuard.count({ reasons: trusted({ $ne: [] }) }),
      guardReasons: (await db.AddressGuard.find({})).reduce((sum, { reasons }) => sum + reasons.length, 0),
      stopped: await db.Recipient.count({ status: trusted({ $nin: ["IN_PROGRESS", "PAUSED"] }) }),
      paused: await db.Recipient.count({ status: "PAUSED" }),
    };
    if (size.isFull)
      console.log({ mails: size.mails, mailboxes: size.mailboxes, kills: size.kills, readAtKill, ...found });
    const hard = of("hard", "text");
    const gone = hard + of("token", "words", "spam");
    expect(found).toEqual({
      rows: {
        REPLY: of("reply", "words"),
        BOUNCE: hard,
        AUTO_REPLY: of("away"),
        UNSUBSCRIBE: of("token"),
        COMPLAINT: of("spam"),
        OTHER: of("stranger"),
      },
      REPLIED: of("reply", "words"),
      BOUNCED: hard,
      UNSUBSCRIBE: of("token", "words"),
      repliedEvents: of("reply", "words"),
      suppressed: gone,
      guardReasons: gone,
      stopped: gone + of("reply"),
      paused: of("away"),
    });
    const keys = await db.Message.find({}, { select: { contentKey: 1, mailboxId: 1 } });
    expect(new Set(keys.map(({ contentKey, mailboxId }) => `${mailboxId} ${contentKey}`)).size).toBe(keys.length);
    await quick.close();
  }, 1_800_000);
}
