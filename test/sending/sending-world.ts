import { type MailProviders, NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { type Certificate, makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import type { SentMail } from "../fakes/sent-mail.ts";
import { until } from "../fakes/wait.ts";
import { listened, mailboxIn } from "../inbox/mailbox-in.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World, type WorldOptions } from "../support/world.ts";

/** A world with the real worker and two mailboxes of a sandbox, for campaigns that really send. */
export interface SendingWorld {
  world: World;
  rest: Rest;
  workspaceId: string;
  keyWithPolicy: Awaited<ReturnType<World["workspace"]>>["keyWithPolicy"];
  sandbox: Sandbox;
  /**
   * A campaign that sends as fast as it can. `steps` are written as a caller writes them, `mode` is VISUAL unless said
   * otherwise.
   */
  campaign(emails: string[], steps: object[], more?: { settings?: object; mode?: string }): Promise<string>;
  launch(path: string): Promise<void>;
  /** Waits until a campaign has ended. */
  ended(path: string, deadlineMs?: number): Promise<void>;
  mailsTo(email: string): SentMail[];
  close(): Promise<void>;
}

const MAILBOXES = ["ann@a.test", "bob@b.test"];
const QUICK = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };

/** `dnsServers`: `host:port` of the name servers to ask; `providers`: none unless named. */
export async function startSendingWorld({
  dnsServers = [],
  providers = NO_PROVIDERS,
  publicUrl,
  settings = {},
  certificate: given,
  abuseContact = null,
}: {
  dnsServers?: string[];
  providers?: MailProviders;
  publicUrl?: string;
  settings?: WorldOptions["settings"];
  /** The mail servers' certificate, which is also an authority that the worker trusts; a new one when unset. */
  certificate?: Certificate;
  /** The value of X-Abuse in emails to recipients. */
  abuseContact?: string | null;
} = {}): Promise<SendingWorld> {
  const certificate = given ?? (await makeCertificate());
  const sandbox = await startSandbox({ mailboxes: MAILBOXES, certificate, reactionMs: { min: 20, max: 60 } });
  const world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert, dnsServers, abuseContact }),
    settings: {
      egressAllow: "localhost:*,127.0.0.1:*",
      providers,
      ...(publicUrl !== undefined && { publicUrl }),
      ...settings,
    },
  });
  const { rest, workspaceId, keyWithPolicy } = await world.workspace();
  const mailboxIds = await Promise.all(MAILBOXES.map((email) => mailboxIn(world, workspaceId, email, sandbox)));
  await Promise.all(mailboxIds.map((mailboxId) => listened(workspaceId, mailboxId)));

  async function campaign(emails: string[], steps: object[], { settings = {}, mode = "VISUAL" } = {}): Promise<string> {
    const { body } = await rest.post("/campaigns", { name: "Sending" });
    const path = `/campaigns/${body.id}`;
    await taken(rest.patch(`${path}/settings`, { ...QUICK, mailboxIds, ...settings }));
    await taken(rest.put(`${path}/sequence`, { action: "setMode", mode }));
    await taken(rest.put(`${path}/sequence`, { action: "replaceSteps", steps }));
    if (emails.length > 0) await taken(rest.post(`${path}/recipients`, { action: "addManual", emails }));
    return path;
  }

  return {
    world,
    rest,
    workspaceId,
    keyWithPolicy,
    sandbox,
    campaign,
    async launch(path) {
      const { body } = await taken(rest.post(`${path}/control`, { action: "launch" }));
      if (body.launched !== true) throw new Error(`Not launched: ${JSON.stringify(body.validation?.errors)}`);
    },
    ended: (path, deadlineMs = 60_000) =>
      until(async () => (await rest.get(path)).body.status === "COMPLETED", {
        deadlineMs,
        what: "the campaign to finish",
      }).then(
        () => {},
        async (error) => {
          const { items } = (await rest.get(`${path}/recipients?pageSize=100`)).body;
          const open = items
            .filter(({ status }: { status: string }) => ["PENDING", "IN_PROGRESS", "PAUSED"].includes(status))
            .slice(0, 3);
          const why = open.map(({ id }: { id: string }) =>
            rest.get(`${path}/recipients/${id}/explain`).then(({ body }) => body),
          );
          throw new Error(`${error.message}: ${JSON.stringify(await Promise.all(why))}`);
        },
      ),
    mailsTo: (email) => sandbox.ledger.filter(({ to }) => to.includes(email)),
    async close() {
      await world.close();
      await sandbox.close();
    },
  };
}

async function taken<T extends { status: number; body: unknown }>(asked: Promise<T>): Promise<T> {
  const answer = await asked;
  if (answer.status >= 300) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}
