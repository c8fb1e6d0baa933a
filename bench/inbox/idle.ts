import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { makeCertificate } from "../../test/fakes/certificate.ts";
import { until } from "../../test/fakes/wait.ts";
import { startRig } from "../rig.ts";
import { cpuMsOf, memoryOf, Part } from "../system/processes.ts";
import type { Row } from "../table.ts";
import type { ImapFarOrders } from "./imap-far.ts";
import { listeningWorker, PASSWORD, storeInboxes } from "./listening.ts";

const MAILBOXES = 200;
const SETTLE_MS = 30_000;
const IDLE_MS = 45_000;

/** Measures one worker process that watches two hundred mailboxes while no email arrives. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  const certificate = await makeCertificate();
  const far = await Part.start(new URL("./imap-far.ts", import.meta.url), {
    certificate,
    password: PASSWORD,
  } satisfies ImapFarOrders);
  let worker: Part | null = null;
  try {
    const { workspaceId } = await rig.workspace();
    await rig.worker(); // runs the workflows
    worker = await listeningWorker(rig, certificate.cert, ["imap"]);
    await sleep(SETTLE_MS);
    const alone = await measured(worker.pid);
    await worker.stop();
    const users = Array.from({ length: MAILBOXES }, () => `ann-${randomUUID()}@a.test`);
    await storeInboxes(workspaceId, rig.keyRing, users, await far.ask<number>("port"));
    worker = await listeningWorker(rig, certificate.cert, ["imap"]);
    const isListening = async () =>
      (await MailboxCursor.countDocuments({}, { acrossWorkspaces: true })) === 4 * MAILBOXES;
    await until(isListening, { deadlineMs: 180_000, what: "every mailbox to be listened to" });
    await sleep(SETTLE_MS);
    const all = await measured(worker.pid);
    const ours = all.share - alone.share;
    const percent = (share: number) => `${share.toFixed(1)} %`;
    return {
      title: `${MAILBOXES} idle mailboxes in one process`,
      how: `A worker of the queue imap, beside one of the others; resident memory and processor time over ${IDLE_MS / 1_000} s, ${SETTLE_MS / 1_000} s after every mailbox was first looked into; and the same worker without a mailbox.`,
      measured: [
        {
          what: "resident memory",
          goal: "under 300 MB",
          measured: `${all.memory.toFixed(0)} MB`,
          met: all.memory < 300,
        },
        { what: "the same without a mailbox", goal: "", measured: `${alone.memory.toFixed(0)} MB`, met: null },
        { what: "share of a core for the mailboxes", goal: "under 2 %", measured: percent(ours), met: ours < 2 },
        {
          what: "share of a core: with all mailboxes; without any",
          goal: "",
          measured: `${percent(all.share)}; ${percent(alone.share)}`,
          met: null,
        },
      ],
    };
  } finally {
    await worker?.stop();
    await far.stop();
    await rig.close();
  }
}

async function measured(pid: number): Promise<{ memory: number; share: number }> {
  const before = await cpuMsOf(pid);
  await sleep(IDLE_MS);
  const used = (await cpuMsOf(pid)) - before;
  return { memory: (await memoryOf(pid)).now, share: (100 * used) / IDLE_MS };
}
