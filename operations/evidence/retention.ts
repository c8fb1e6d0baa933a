import { z } from "zod";
import { KEEP_ALL, NOTHING_DELETED, RETENTION_LIMITS, type RetentionKind } from "../../domain/evidence/retention.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { countBeyond, MOST_COUNTED, retentionOf, setRetention } from "../../store/evidence/retention.ts";
import type { Declaration } from "../declaration.ts";
import { changing, nullable, optionalTime, time } from "../fields.ts";
import { operation } from "../operation.ts";

const daysOf = (kind: RetentionKind, what: string, without: string) => {
  const { least, most } = RETENTION_LIMITS[kind];
  const text = `Days for which ${what}, ${least} to ${most}; null: ${without}`;
  return { asked: z.number().int().min(least).max(most).nullable().optional().describe(text), shown: text };
};

const kinds = {
  messageBodies: daysOf(
    "messageBodies",
    "bodies and files of emails are kept after they were stored or sent",
    "forever",
  ),
  hitAddresses: daysOf(
    "hitAddresses",
    "the network of an open or click is kept; the full address is kept 30 days",
    "forever",
  ),
  jobs: daysOf("jobs", "finished jobs are kept", "30 days"),
  events: daysOf(
    "events",
    "events of leads outside of campaigns and of finished campaigns are kept; sent emails, replies, clicks, conversions, bounces and opt-outs stay. Segments no longer find a deleted event, such as an open, so a condition that excludes leads with it includes them again",
    "forever",
  ),
  recipients: daysOf(
    "recipients",
    "recipients keep their address and texts after their campaign was completed or archived, and so do their emails; then a hash of the address stays",
    "forever",
  ),
  prospects: daysOf(
    "prospects",
    "prospects that the workspace listed or revealed are kept after their last change; a new reveal of a value that was paid for costs nothing",
    "forever",
  ),
  auditEntries: daysOf(
    "auditEntries",
    "entries of the audit log are kept; the rest of the chain stays verified",
    "forever",
  ),
};
const asked = z.strictObject({
  messageBodies: kinds.messageBodies.asked,
  hitAddresses: kinds.hitAddresses.asked,
  jobs: kinds.jobs.asked,
  events: kinds.events.asked,
  recipients: kinds.recipients.asked,
  prospects: kinds.prospects.asked,
  auditEntries: kinds.auditEntries.asked,
});

const count = z.number().int();
const RetentionView = z
  .object({
    messageBodies: nullable(count).describe(kinds.messageBodies.shown),
    hitAddresses: nullable(count).describe(kinds.hitAddresses.shown),
    jobs: nullable(count).describe(kinds.jobs.shown),
    events: nullable(count).describe(kinds.events.shown),
    recipients: nullable(count).describe(kinds.recipients.shown),
    prospects: nullable(count).describe(kinds.prospects.shown),
    auditEntries: nullable(count).describe(kinds.auditEntries.shown),
    nextRoundAt: optionalTime.describe("When the next round starts; null if nothing has a retention"),
    lastRound: nullable(
      z.object({
        startedAt: time.describe("When it started"),
        finishedAt: optionalTime.describe("When it finished; null while it continues"),
        counts: z
          .object({
            messageBodies: count.describe(
              "Texts of emails that it emptied; an email of a campaign that a conversation shows has two",
            ),
            jobs: count.describe("Jobs that it deleted"),
            events: count.describe("Events that it deleted"),
            recipients: count.describe("Recipients that it emptied, with their emails"),
            prospects: count.describe("Known prospects that it deleted"),
            auditEntries: count.describe("Audit entries that it deleted"),
          })
          .describe("What it has deleted so far"),
      }),
    ).describe("The newest round; null before the first"),
  })
  .meta({ id: "Retention", description: "How long a workspace keeps kinds of data" });

const get = operation({
  summary: "Read how long kinds of data are kept, and what the newest round deleted",
  scope: "workspace:read",
  input: z.strictObject({}),
  output: RetentionView,
  async run({ workspaceId }) {
    return viewOf(await loadStored(workspaceId));
  },
});

const set = operation({
  summary:
    "Set for how many days kinds of data are kept. The first round with a new setting starts after an hour; what it deletes cannot be restored",
  scope: "workspace:write",
  audits: "workspace.setRetention",
  stepUp: true,
  effects: { DESTROYS: true },
  input: changing(asked),
  output: RetentionView,
  async foresees({ workspaceId }, change) {
    const retention = { ...retentionOf(await loadStored(workspaceId)), ...withoutUnset(change) };
    const beyond = await countBeyond(workspaceId, retention, new Date());
    const none = { deleted: 0, changed: 0, examples: [] };
    const changes = [
      { ...none, what: "texts of emails", changed: beyond.messageBodies },
      { ...none, what: "opens and clicks", changed: beyond.hitAddresses },
      { ...none, what: "jobs", deleted: beyond.jobs },
      { ...none, what: "events", deleted: beyond.events },
      { ...none, what: "recipients", changed: beyond.recipients },
      { ...none, what: "known prospects", deleted: beyond.prospects },
      { ...none, what: "audit entries", deleted: beyond.auditEntries },
    ];
    return { changes: changes.filter(({ deleted, changed }) => deleted + changed > 0), kept: [] };
  },
  async run({ workspaceId }, change) {
    return inTransaction(async () => {
      await setRetention(await loadStored(workspaceId), withoutUnset(change));
      return viewOf(await loadStored(workspaceId));
    });
  },
});

const preview = operation({
  summary: `Count what a round with these days would delete now, up to ${MOST_COUNTED.toLocaleString("en")} of each kind. Kinds that you leave out count with their setting. Deletes nothing`,
  scope: "workspace:read",
  input: asked,
  output: z.object({
    messageBodies: count.describe(
      "Texts of emails that would be emptied; an email of a campaign that a conversation shows has two",
    ),
    hitAddresses: count.describe("Opens and clicks whose network would be removed"),
    jobs: count.describe("Jobs that would be deleted"),
    events: count.describe("Events that would be deleted"),
    recipients: count.describe("Recipients that would be emptied, with their emails"),
    prospects: count.describe("Known prospects that would be deleted"),
    auditEntries: count.describe("Audit entries that would be deleted"),
  }),
  async run({ workspaceId }, change) {
    const retention = { ...retentionOf(await loadStored(workspaceId)), ...withoutUnset(change) };
    return countBeyond(workspaceId, retention, new Date());
  },
});

async function loadStored(workspaceId: string): Promise<Workspace> {
  const stored = await Workspace.findOne({ _id: workspaceId }, null, sessionOption()).lean<Workspace>();
  if (stored === null) throw new Error(`There is no workspace ${workspaceId}`);
  return stored;
}

function viewOf(workspace: Workspace): z.input<typeof RetentionView> {
  const { retentionDueAt, retentionRound } = workspace;
  const lastRound = retentionRound
    ? { ...retentionRound, counts: { ...NOTHING_DELETED, ...retentionRound.counts } }
    : null;
  return { ...retentionOf(workspace), nextRoundAt: retentionDueAt ?? null, lastRound };
}

function withoutUnset(change: z.output<typeof asked>) {
  const kept = Object.keys(KEEP_ALL).flatMap((kind) => {
    const days = change[kind as RetentionKind]; // the keys of a record of all kinds
    return days === undefined ? [] : [[kind, days]];
  });
  return Object.fromEntries(kept);
}

export const retentionDeclaration = {
  verbs: {
    "workspace.getRetention": get,
    "workspace.setRetention": set,
    "workspace.previewRetention": preview,
  },
  routes: [
    ["get", "/workspace/retention", get, 200, { after: "get /workspace/export/:jobId" }],
    ["patch", "/workspace/retention", set],
    ["post", "/workspace/retention/preview", preview],
  ],
  examples: {
    workspace: [
      {
        at: "post /workspace/retention/preview",
        title: "Count the emails whose bodies are older than a year",
        body: { messageBodies: 365 },
      },
      {
        at: "patch /workspace/retention",
        title: "Keep the bodies of emails for a year, and finished jobs for a week",
        body: { messageBodies: 365, jobs: 7 },
      },
    ],
  },
} as const satisfies Declaration;
