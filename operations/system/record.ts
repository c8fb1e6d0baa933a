import { z } from "zod";
import { QUEUES } from "../../domain/workflow-contract.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, time } from "../fields.ts";

const { campaignId, mailboxId, recipientId, sendId } = describedIds;

const count = z.number().int();
const workspace = {
  workspaceId: z.string().describe("The workspace"),
  workspaceName: nullable(z.string()).describe("The name"),
  isMember: z.boolean().describe("Whether the caller is a member there: the data of other workspaces is not shown"),
};
const campaign = {
  campaignId: nullable(campaignId),
  campaignName: nullable(z.string()).describe("The name of the campaign"),
};
const email = nullable(z.string()).describe("The address; null for who is no member");

const Queue = z.object({
  name: z.enum(QUEUES).describe("The task queue"),
  backlog: count.describe("Tasks that wait, by the engine's estimate"),
  oldestMs: count.describe("How long the oldest waits, in milliseconds"),
  pollers: count.describe("Workers that ask for its tasks"),
});

/** The state of the deployment. */
export const System = z.object({
  at: time.describe("When this was read"),
  versions: z.object({
    service: z.string().describe("The version of the service"),
    node: z.string().describe("The version of Node that answers"),
    schema: nullable(count).describe("The newest migration of the database"),
  }),
  database: z.object({
    version: z.string().describe("The version of the server"),
    members: nullable(count).describe("Members of its replica set; null where the connection may not ask"),
    lagMs: nullable(count).describe("Milliseconds by which the slowest member is behind; null likewise"),
  }),
  engine: z.object({
    state: nullable(
      z.object({
        version: nullable(z.string()).describe("The version of the server"),
        namespace: z.string().describe("The namespace of the workflows"),
        queues: z.array(Queue).describe("The task queues"),
      }),
    ).describe("Null while the engine does not answer"),
    missing: z
      .array(
        z.object({
          code: z.string().describe("What is missing"),
          message: z.string().describe("The same as a sentence"),
        }),
      )
      .describe("What is missing there for accepted work to be done"),
    runsUrl: nullable(z.string()).describe("Where its own pages list its runs"),
  }),
  outbox: z.object({
    rows: count.describe("Commands that wait"),
    oldestMs: count.describe("How long the oldest waits"),
  }),
  webhooks: z.object({
    waiting: count.describe("Deliveries that wait for their first attempt"),
    lateMs: count.describe("How late the next attempt is"),
    deadLetters: count.describe("Deliveries that were given up after all attempts"),
  }),
  jobs: z.object({
    open: count.describe("Jobs that have not ended"),
    oldestMs: count.describe("How long one of them has not moved"),
  }),
  mailboxes: z.object({
    byStatus: z.record(z.string(), count).describe("How many there are in each state"),
    byCondition: z
      .object({
        GOOD: count.describe("Their servers respond"),
        FAILING: count.describe("The last try failed"),
        DOWN: count.describe("Three tries in a row failed, or the login does not work any more"),
        OFF: count.describe("Disconnected"),
      })
      .describe("How many there are in each condition"),
    unsynced: count.describe("Connected mailboxes that were not read for 15 minutes"),
    items: z.array(
      z.object({ ...workspace, mailboxId, email, lastSyncAt: optionalTime.describe("When it was last read") }),
    ),
  }),
  overdue: z.object({
    count: count.describe("Overdue recipients: their time has come, but nothing moves them"),
    items: z.array(
      z.object({
        ...workspace,
        ...campaign,
        recipientId,
        email,
        dueAt: optionalTime.describe("When it was due"),
      }),
    ),
  }),
  heldBack: z.object({
    count: count.describe("Emails that are held back because the database is slow; 10,000 at most"),
  }),
  unknown: z.object({
    count: count.describe("Emails with an unknown outcome"),
    items: z.array(
      z.object({
        ...workspace,
        ...campaign,
        sendId,
        recipientId: nullable(recipientId),
        email,
        unknownAt: optionalTime.describe("Since when its outcome is unknown"),
      }),
    ),
  }),
});
