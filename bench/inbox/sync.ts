import { randomBytes, randomUUID } from "node:crypto";
import { keyRing } from "../../domain/access/seal.ts";
import { MailboxCursor } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import { createWorkspace } from "../../operations/access/workspaces.ts";
import { makeCertificate } from "../../test/fakes/certificate.ts";
import { startDatabase } from "../rig.ts";
import { memoryOf, Part } from "../system/processes.ts";
import { median, type Row } from "../table.ts";
import type { ImapFarOrders } from "./imap-far.ts";
import { PASSWORD, storeInboxes } from "./listening.ts";
import type { SyncSideOrders } from "./sync-side.ts";

const MAILS = 20_000;
const WARM = 2_000;
const ROUNDS = 3;

/** Measures the first sync of a mailbox with emails of the last days, compared with a fetch that parses nothing. */
export async function run(): Promise<Row> {
  const secretKey = randomBytes(32).toString("base64");
  const ring = keyRing(secretKey, []);
  const database = await startDatabase(ring);
  const certificate = await makeCertificate();
  // Each round reads mailboxes of its own, because the deleted documents of an earlier round would slow down the next
  // one
  const old = Array.from({ length: ROUNDS }, () =>
    [WARM, MAILS].map((count) => ({ user: `ann-${randomUUID()}@a.test`, count })),
  ).flat();
  const far = await Part.start(new URL("./imap-far.ts", import.meta.url), {
    certificate,
    password: PASSWORD,
    old,
  } satisfies ImapFarOrders);
  const { workspaceId } = await createWorkspace({ name: "Bench", email: "owner@bench.test" });
  const port = await far.ask<number>("port");
  const users = old.map(({ user }) => user);
  const mailboxes = (await storeInboxes(workspaceId, ring, users, port)).map(({ _id, email }) => ({ _id, email }));
  const server = { port, password: PASSWORD, certificate: certificate.cert };
  const orders = { mongodbUri: database.mongod.uri, secretKey, workspaceId, ...server };
  let peak = 0;
  const side = async (name: "ours" | "bare", round: number) => {
    const read = mailboxes.slice(2 * round, 2 * round + 2);
    const part = await Part.start(new URL("./sync-side.ts", import.meta.url), {
      ...orders,
      mailboxes: read,
    } satisfies SyncSideOrders);
    const elapsed = await part.ask<number>(name);
    if (name === "ours") peak = Math.max(peak, (await memoryOf(part.pid)).peak);
    await part.stop();
    return elapsed / 1_000;
  };
  try {
    const [ours, bare]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round++) {
      bare.push(await side("bare", round));
      ours.push(await side("ours", round));
    }
    const filed = await scoped(workspaceId).Message.count();
    await MailboxCursor.deleteMany({ workspaceId });
    await far.ask("bodies");
    const again = await side("ours", ROUNDS - 1);
    const bodies = await far.ask<number>("bodies");
    const ratio = median(bare) / median(ours);
    const rate = (seconds: number) => `${seconds.toFixed(1)} s, ${(MAILS / seconds).toFixed(0)} a second`;
    return {
      title: `First sync of a mailbox of ${MAILS.toLocaleString("en")} messages`,
      how: `All of the last seven days, 2 kB each with text and HTML, in a process of its own on the same IMAP server and database as a bare imapflow fetch in batches of 500 with insertMany; each side read another mailbox of ${WARM.toLocaleString("en")} before, uncounted; ${ROUNDS} rounds in turn, each of mailboxes of its own, medians. ${filed.toLocaleString("en")} mails of all were filed with their threads.`,
      measured: [
        {
          what: "rate, as a share of the plain fetch",
          goal: "at least 0.4",
          measured: ratio.toFixed(2),
          met: ratio >= 0.4,
        },
        { what: "the sync", goal: "", measured: rate(median(ours)), met: null },
        { what: "the plain fetch", goal: "", measured: rate(median(bare)), met: null },
        {
          what: "bodies fetched by a second pass",
          goal: "0",
          measured: `${bodies} (${again.toFixed(1)} s)`,
          met: bodies === 0,
        },
        { what: "highest resident memory of the sync", goal: "", measured: `${peak.toFixed(0)} MB`, met: null },
      ],
    };
  } finally {
    await far.stop();
    await database.close();
  }
}
