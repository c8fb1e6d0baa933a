import type { PlacementLimits } from "../../domain/deliverability/placement.ts";
import { scoped } from "../../models/scoped.ts";
import { nudge } from "../../store/outbox.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeGmail, startGmail } from "../fakes/gmail/server.ts";
import { type FakeGraph, startGraph } from "../fakes/graph/server.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";
import { ALL_DAY, HASTY, WATCHING } from "../warmup/warmup-world.ts";
import { apiMailboxIn, providersAt } from "./api-world.ts";

/** One mailbox of each transport, each of another domain. */
export const PEERS = { GMAIL_API: "ann@a.test", GRAPH: "gina@g.test", SMTP_IMAP: "bob@b.test" } as const;
export type PeerTransport = keyof typeof PEERS;

/** Where an email is filed when it arrives. A tab is one of the inbox at Gmail, and the archive elsewhere. LOST: nowhere. */
type Filed = "INBOX" | "SPAM" | "TAB" | "LOST";

/** Three mailboxes that get each other's emails, with the real worker. */
export interface ApiPeers {
  world: World;
  gmail: FakeGmail;
  graph: FakeGraph;
  sandbox: Sandbox;
  /** Where the next emails to an address are filed; INBOX unless set. */
  filing: (to: string) => Filed;
  /**
   * Puts the mailbox into a workspace, where it sends as fast as it can at any hour, and waits until it has been read
   * for the first time.
   */
  join(workspaceId: string, transport: PeerTransport): Promise<string>;
  close(): Promise<void>;
}

export async function startApiPeers(placement?: PlacementLimits): Promise<ApiPeers> {
  const certificate = await makeCertificate();
  const sandbox = await startSandbox({ mailboxes: [PEERS.SMTP_IMAP], certificate, reactionMs: { min: 20, max: 60 } });
  const deliver = (raw: Buffer, _from: string, to: string[]) => void to.map((address) => arrive(address, raw));
  const gmail = await startGmail({ knows: (token) => (token === PEERS.GMAIL_API ? token : null), deliver });
  const graph = await startGraph({
    mailboxes: [{ address: PEERS.GRAPH }],
    knows: (token) => ({ address: token }),
    deliver,
  });
  graph.settings.messageId = "minted at transport";
  sandbox.smtp.onMail(({ raw, from, to }) => deliver(raw, from, to));
  const watching = { ...WATCHING, apiPollMs: 300, watchMs: 60_000 };
  const world = await startWorld({
    worker: realWorker({
      extraCa: certificate.cert,
      warmupWaits: HASTY,
      watching,
      ...(placement !== undefined && { placement }),
    }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*", providers: providersAt(gmail, graph) },
  });

  function arrive(to: string, raw: Buffer): void {
    const filed = here.filing(to);
    if (filed === "LOST") return;
    if (to === PEERS.GMAIL_API) {
      const labels = { INBOX: ["INBOX"], SPAM: ["SPAM"], TAB: ["INBOX", "CATEGORY_PROMOTIONS"] }[filed];
      gmail.mailbox(to).receive(raw, { labelIds: ["UNREAD", ...labels] });
    } else if (to === PEERS.GRAPH) {
      const folder = { INBOX: "inbox", SPAM: "junkemail", TAB: "archive" } as const;
      void graph.mailbox(to).add({ folder: folder[filed], raw, isReceived: true, isRead: false });
    } else if (to === PEERS.SMTP_IMAP) {
      sandbox.imapOf(to).deliver(raw, { INBOX: "INBOX", SPAM: "Junk", TAB: "Archive" }[filed]);
    }
  }

  const here: ApiPeers = {
    world,
    gmail,
    graph,
    sandbox,
    filing: () => "INBOX",
    async join(workspaceId, transport) {
      const email = PEERS[transport];
      const mailboxId =
        transport === "SMTP_IMAP"
          ? await mailboxIn(world, workspaceId, email, sandbox)
          : await apiMailboxIn(world, workspaceId, transport, email);
      const quick = { minGapSeconds: 0, maxGapSeconds: 0, warmupDailyLimit: 100, workday: ALL_DAY };
      await scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: quick });
      await nudge(workspaceId, "MAILBOX", { mailboxId, signal: "start" });
      const hasLooked = async () => (await scoped(workspaceId).MailboxCursor.count({ mailboxId })) > 0;
      await until(hasLooked, { ...MAIL_DEADLINE, what: `the first look into ${email}` });
      return mailboxId;
    },
    async close() {
      await world.close();
      await Promise.all([gmail.close(), graph.close(), sandbox.close()]);
    },
  };
  return here;
}
