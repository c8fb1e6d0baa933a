import { z } from "zod";
import { PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { QUEUES } from "../../domain/workflow-contract.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, time } from "../fields.ts";

const { campaignId, mailboxId, recipientId, sendId } = describedIds;

const count = z.number().int();
const workspace = {
  workspaceId: z.string().describe("The workspace"),
  workspaceName: nullable(z.string()).describe("The name of the workspace"),
  isMember: z.boolean().describe("Whether the caller is a member; data of other workspaces is not shown"),
};
const campaign = {
  campaignId: nullable(campaignId),
  campaignName: nullable(z.string()).describe("The name of the campaign"),
};
const email = nullable(z.string()).describe("The address; null if the caller is not a member");

const Queue = z.object({
  name: z.enum(QUEUES).describe("The task queue"),
  backlog: count.describe("Waiting tasks, estimated by Temporal"),
  oldestMs: count.describe("The age of the oldest task, in milliseconds"),
  pollers: count.describe("Workers that poll the queue"),
});

/** The state of the deployment. */
export const System = z.object({
  at: time.describe("When the state was read"),
  versions: z.object({
    service: z.string().describe("The version of the service"),
    node: z.string().describe("The version of Node.js"),
    schema: nullable(count).describe("The latest database migration"),
  }),
  database: z.object({
    version: z.string().describe("The version of the server"),
    members: nullable(count).describe("Members of the replica set; null if the connection may not read them"),
    lagMs: nullable(count).describe("Replication lag of the slowest member, in milliseconds; null as above"),
  }),
  engine: z.object({
    state: nullable(
      z.object({
        version: nullable(z.string()).describe("The version of the server"),
        namespace: z.string().describe("The namespace of the workflows"),
        queues: z.array(Queue).describe("The task queues"),
      }),
    ).describe("Null while Temporal is unreachable"),
    missing: z
      .array(
        z.object({
          code: z.string().describe("The code of what is missing"),
          message: z.string().describe("The problem as a sentence"),
        }),
      )
      .describe("What Temporal lacks to do accepted work"),
    runsUrl: nullable(z.string()).describe("The page of Temporal that lists workflow runs"),
  }),
  outbox: z.object({
    rows: count.describe("Waiting commands"),
    oldestMs: count.describe("The age of the oldest command, in milliseconds"),
  }),
  webhooks: z.object({
    waiting: count.describe("Deliveries that wait for their first attempt"),
    lateMs: count.describe("The delay of the next attempt, in milliseconds"),
    deadLetters: count.describe("Deliveries that failed all attempts"),
  }),
  jobs: z.object({
    open: count.describe("Jobs that have not ended"),
    oldestMs: count.describe("The longest time without progress, in milliseconds"),
  }),
  mailboxes: z.object({
    byStatus: z.record(z.string(), count).describe("Mailboxes in each state"),
    byCondition: z
      .object({
        GOOD: count.describe("Their servers respond"),
        FAILING: count.describe("The last try failed"),
        DOWN: count.describe("Three tries in a row failed, or the login no longer works"),
        OFF: count.describe("Disconnected"),
      })
      .describe("Mailboxes in each condition"),
    unsynced: count.describe("Connected mailboxes not read for 15 minutes"),
    items: z.array(
      z.object({ ...workspace, mailboxId, email, lastSyncAt: optionalTime.describe("When the mailbox was last read") }),
    ),
  }),
  overdue: z.object({
    count: count.describe("Overdue recipients: due, but not processed"),
    items: z.array(
      z.object({
        ...workspace,
        ...campaign,
        recipientId,
        email,
        dueAt: optionalTime.describe("When the recipient was due"),
      }),
    ),
  }),
  providers: z
    .array(
      z.object({
        provider: z.enum(PROVIDERS).describe("The mail provider"),
        code: z.string().describe("SECRET_EXPIRES, or why its mailboxes wait, such as CLIENT_REFUSED"),
        message: z.string().describe("The problem and what to do, as a sentence"),
        mailboxes: count.describe("The mailboxes that wait because of it"),
        since: optionalTime.describe("When the first of them stopped; null if none has"),
      }),
    )
    .describe("Problems with an email provider that only an operator can fix, one entry for each provider and cause"),
  heldBack: z.object({
    count: count.describe("Emails held back because the database is slow; counted up to 10,000"),
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
        unknownAt: optionalTime.describe("When its outcome became unknown"),
      }),
    ),
  }),
});
