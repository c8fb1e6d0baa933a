import { z } from "zod";
import { KEEP_ALL, RETENTION_LIMITS, type RetentionKind } from "../../domain/evidence/retention.ts";
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
};
const asked = z.strictObject({
  messageBodies: kinds.messageBodies.asked,
  hitAddresses: kinds.hitAddresses.asked,
  jobs: kinds.jobs.asked,
});

const count = z.number().int();
const RetentionView = z
  .object({
    messageBodies: nullable(count).describe(kinds.messageBodies.shown),
    hitAddresses: nullable(count).describe(kinds.hitAddresses.shown),
    jobs: nullable(count).describe(kinds.jobs.shown),
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
    const { messageBodies, hitAddresses, jobs } = await countBeyond(workspaceId, retention, new Date());
    const none = { deleted: 0, changed: 0, examples: [] };
    const changes = [
      { ...none, what: "texts of emails", changed: messageBodies },
      { ...none, what: "opens and clicks", changed: hitAddresses },
      { ...none, what: "jobs", deleted: jobs },
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
  return { ...retentionOf(workspace), nextRoundAt: retentionDueAt ?? null, lastRound: retentionRound ?? null };
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
