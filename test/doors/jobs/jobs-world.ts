import { scoped } from "../../../models/scoped.ts";
import { grantCredits } from "../../../store/credits.ts";
import { makeCertificate } from "../../fakes/certificate.ts";
import { type FakeDns, startDns } from "../../fakes/dns.ts";
import { replyTo } from "../../fakes/mails.ts";
import { type Sandbox, startSandbox } from "../../fakes/sandbox.ts";
import { type FakeSubscriber, startSubscriber } from "../../fakes/subscriber.ts";
import { MAIL_DEADLINE, until } from "../../fakes/wait.ts";
import { listened, mailboxIn } from "../../inbox/mailbox-in.ts";
import { importRows } from "../../lead-search/data.ts";
import { agentOf } from "../../support/mcp.ts";
import { realWorker } from "../../support/real-worker.ts";
import { startWorld } from "../../support/world.ts";

const MAILBOXES = ["ann@north.test", "bob@north.test"];
const PROSPECT = { title: "Head of Sales", city: "Berlin", country: "Germany", companySize: "51-200" };

/** A workspace with two mailboxes, a name server, a receiver of webhooks and a data set of people. */
export interface JobsWorld {
  agent: Awaited<ReturnType<typeof agentOf>>;
  sandbox: Sandbox;
  dns: FakeDns;
  hooks: FakeSubscriber;
  /** What the agent knows from earlier answers of the same conversation. */
  known: Map<string, string>;
  /** A person answers the newest email that they got; returns once the answer is in the inbox. */
  reply(from: string, text: string): Promise<void>;
  /** Asks the API until a probe of its answer is true. */
  settled(path: string, isSettled: (body: Answer) => boolean): Promise<void>;
  close(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are read field by field
type Answer = any;

export async function startJobsWorld(): Promise<JobsWorld> {
  const certificate = await makeCertificate();
  const sandbox = await startSandbox({ mailboxes: MAILBOXES, certificate, reactionMs: { min: 20, max: 60 } });
  const hooks = await startSubscriber({ certificate });
  const dns = await startDns({
    "north.test": { MX: ["10 mx.north.test"], TXT: ["v=spf1 ip4:203.0.113.7 -all"] },
    "mx.north.test": { A: ["203.0.113.7"] },
  });
  const world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert, dnsServers: [dns.server] }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
  });
  await importRows(
    ["Ida Berg", "Jon Falk", "Kaya Wolf"].map((name, at) => {
      const [firstName, lastName] = name.split(" ");
      const email = `${firstName?.toLowerCase()}@firm${at}.example`;
      return { id: `person${at}`, firstName, lastName, email, companyDomain: `firm${at}.example`, ...PROSPECT };
    }),
  );
  const { rest, key, workspaceId } = await world.workspace();
  await rest.patch("/workspace", { postalAddress: "1 Harbour Street, 20095 Hamburg" });
  await grantCredits(workspaceId, { amount: 10, reason: "trial", actor: "operator", key: "jobs" }, 0);
  for (const email of MAILBOXES) await listened(workspaceId, await mailboxIn(world, workspaceId, email, sandbox));
  const agent = await agentOf(world, key);

  return {
    agent,
    sandbox,
    dns,
    hooks,
    known: new Map(),
    async reply(from, text) {
      const sent = sandbox.ledger.findLast(({ to }) => to.includes(from));
      if (sent === undefined) throw new Error(`${from} got no email`);
      sandbox.imapOf(sent.user ?? sent.from).deliver(replyTo(sent, { text }));
      const isRead = async () => (await scoped(workspaceId).Message.count({ from, direction: "INBOUND" })) > 0;
      await until(isRead, { ...MAIL_DEADLINE, what: `the reply of ${from} in the inbox` });
    },
    async settled(path, isSettled) {
      await until(async () => isSettled((await rest.get(path)).body), { ...MAIL_DEADLINE, what: path });
    },
    async close() {
      await agent.close();
      await world.close();
      await Promise.all([sandbox.close(), dns.close(), hooks.close()]);
    },
  };
}
