import type { CalendarProviders } from "../../domain/agent/calendar-provider.ts";
import type { AgentAccess } from "../../domain/agent/model-access.ts";
import type { AgentTask } from "../../models/agent/agent-task.ts";
import type { Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { heedReply } from "../../store/agent/prepare-reply.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeModel, startModel } from "../fakes/model.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { until } from "../fakes/wait.ts";
import { answerOf, type Inbox, type Person, startInbox } from "../inbox/inbox-parts.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { agentOf } from "../support/mcp.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const KEY = "model-key";
const MAILBOX = "ann@a.test";

/** A world with the real worker, a mailbox of a sandbox, a model server, and people who reply. */
export interface AgentWorld {
  world: World;
  rest: Rest;
  key: string;
  workspaceId: string;
  withPolicy: Awaited<ReturnType<World["workspace"]>>["withPolicy"];
  withScopes: Awaited<ReturnType<World["workspace"]>>["withScopes"];
  inbox: Inbox;
  model: FakeModel;
  sandbox: Sandbox;
  /** A person who got an email from us and replies with this text. */
  replied(email: string, text: string, mail?: object, how?: object): Promise<{ message: Message; person: Person }>;
  /** The agent's task for an email, once the agent has looked at it. */
  settled(message: Message): Promise<AgentTask>;
  set(settings: object): Promise<void>;
  mailsTo(email: string): number;
  /** How a separate worker reaches the model. */
  access: AgentAccess;
  close(): Promise<void>;
}

/** `isWorked` false: no one works on what is stored, until a test starts a worker itself. */
export async function startAgentWorld({
  allow,
  calendars,
  isWorked = true,
  url,
}: {
  allow?: string;
  calendars?: CalendarProviders;
  isWorked?: boolean;
  /** Another model server than the fake one. */
  url?: string;
} = {}): Promise<AgentWorld> {
  const certificate = await makeCertificate();
  const sandbox = await startSandbox({ mailboxes: [MAILBOX], certificate, reactionMs: { min: 20, max: 60 } });
  const model = await startModel(KEY);
  const agent = { url: url ?? model.url, key: KEY, model: "small", prices: { input: 1, output: 10 } };
  const world = await startWorld({
    temporal: true,
    ...(isWorked && {
      worker: realWorker({ extraCa: certificate.cert, agent, ...(allow !== undefined && { allow }) }),
    }),
    settings: {
      egressAllow: "localhost:*,127.0.0.1:*",
      hasAgent: true,
      agentModel: "small",
      ...(calendars !== undefined && { calendars }),
    },
  });
  const { rest, key, workspaceId, withPolicy, withScopes } = await world.workspace();
  const mailboxId = await mailboxIn(world, workspaceId, MAILBOX, sandbox);
  const mailbox = await scoped(workspaceId).Mailbox.get(mailboxId);
  if (mailbox === null) throw new Error("There is no mailbox");
  const inbox = await startInbox(world, { own: { workspaceId, rest, mailbox }, heedReply });
  return {
    world,
    rest,
    key,
    workspaceId,
    withPolicy,
    withScopes,
    inbox,
    model,
    sandbox,
    access: agent,
    async replied(email, text, mail = {}, how = {}) {
      const person = await inbox.contacted(email);
      return { message: await inbox.arrive({ ...answerOf(person, text), ...mail }, how), person };
    },
    async settled({ _id }) {
      const { AgentTask } = scoped(workspaceId);
      const look = { deadlineMs: 90_000, what: "the agent's look at a mail" };
      const isLookedAt = async () => (await AgentTask.count({ _id, status: trusted({ $ne: "QUEUED" }) })) === 1;
      await until(isLookedAt, look);
      const task = await AgentTask.get(_id);
      if (task === null) throw new Error("There is no such task");
      return task;
    },
    async set(settings) {
      const answer = await rest.patch("/agent/settings", { settings });
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    },
    mailsTo: (email) => sandbox.ledger.filter(({ to }) => to.includes(email)).length,
    async close() {
      await world.close();
      await model.close();
      await sandbox.close();
    },
  };
}

/** A tool of the agent, called with the workspace's own key. */
export async function callTool(
  { world, key }: Pick<AgentWorld, "world" | "key">,
  name: string,
  args: Record<string, unknown> = {},
) {
  const client = await agentOf(world, key);
  try {
    return await client.call(name, args);
  } finally {
    await client.close();
  }
}
