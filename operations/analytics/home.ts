import { z } from "zod";
import { CONDITIONS, conditionOf, failedTriesOf } from "../../domain/mailboxes/condition.ts";
import type { Scope } from "../../domain/scopes.ts";
import { MAILBOX_STATUSES } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { whenInTime } from "../../mongo/unfit.ts";
import { loadWorkspace } from "../../store/campaigns/load.ts";
import { ListedCampaign } from "../campaigns/record.ts";
import type { Context } from "../context.ts";
import { queryOf } from "../inbox/filter.ts";
import { pageOfThreads } from "../inbox/page.ts";
import { Thread } from "../inbox/record.ts";
import { operation } from "../operation.ts";
import { readYourCampaigns } from "./home-campaigns.ts";
import { readToday, Today } from "./home-today.ts";

const STEPS = ["POSTAL_ADDRESS", "MAILBOX", "DNS", "LEADS", "CAMPAIGN", "LAUNCH"] as const;
const PARTS = ["checklist", "replies", "approvals", "mailboxes", "today", "campaigns"] as const;
type Part = (typeof PARTS)[number];

/** Threads and mailboxes that need a person: so many are shown, and the others are counted. */
const SHOWN = 5;

const total = (what: string) => z.number().int().describe(what);

const parts = {
  checklist: z
    .array(
      z.object({
        step: z
          .enum(STEPS)
          .describe(
            "POSTAL_ADDRESS: the workspace has one; MAILBOX: one is connected; DNS: the records of one are verified; LEADS: there is a lead; CAMPAIGN: one has recipients; LAUNCH: one was launched",
          ),
        isDone: z.boolean().describe("Whether the step is done"),
      }),
    )
    .describe("The steps to the first email, in order. Steps that need a scope the caller lacks are left out"),
  replies: z
    .object({
      total: total("Unread threads that are not archived"),
      items: z.array(Thread).describe("The newest of them, at most 5"),
    })
    .describe("Unread conversations; needs `inbox:read`"),
  approvals: z.object({ total: total("Requests that wait for a decision") }).describe("Approvals; needs `inbox:read`"),
  mailboxes: z
    .object({
      total: total("Mailboxes whose servers do not respond as they should"),
      items: z
        .array(
          z.object({
            id: z.string().describe("The id of the mailbox"),
            email: z.string().describe("The address"),
            status: z.enum(MAILBOX_STATUSES).describe("The status"),
            condition: z.enum(CONDITIONS).describe("FAILING: the last try failed; DOWN: the last three tries failed"),
          }),
        )
        .describe("The newest of them, at most 5"),
    })
    .describe("Mailboxes with a fault; needs `mailboxes:read`"),
  today: Today.describe("Emails and replies of today; needs `analytics:read` and `mailboxes:read`"),
  campaigns: z
    .array(ListedCampaign)
    .describe(
      "The campaigns that send, wait or are stuck, at most 8, those that need a person first; needs `campaigns:read`",
    ),
};

const Home = z
  .object({
    checklist: parts.checklist.nullable(),
    replies: parts.replies.nullable().optional(),
    approvals: parts.approvals.nullable().optional(),
    mailboxes: parts.mailboxes.nullable().optional(),
    today: parts.today.nullable().optional(),
    campaigns: parts.campaigns.nullable().optional(),
    partial: z.array(z.enum(PARTS)).describe("The parts that could not be read in time and are null"),
  })
  .meta({ id: "Home", description: "What needs a person, and what happens today, in a workspace" });

const NEEDS: Record<Part, readonly Scope[]> = {
  checklist: [],
  replies: ["inbox:read"],
  approvals: ["inbox:read"],
  mailboxes: ["mailboxes:read"],
  today: ["analytics:read", "mailboxes:read"],
  campaigns: ["campaigns:read"],
};

export const home = operation({
  summary:
    "Read what Home shows in one call: work that needs a person, what is sent today, campaigns, and the steps to the first email. Parts that need a scope that the caller lacks are absent",
  scope: null,
  sometimesScopes: ["workspace:read", "mailboxes:read", "leads:read", "campaigns:read", "inbox:read", "analytics:read"],
  input: z.strictObject({}),
  output: Home,
  async run(ctx) {
    const { workspaceId, scopes } = ctx;
    const mailboxes = scopes.has("mailboxes:read") ? findMailboxes(workspaceId) : Promise.resolve([]);
    const reads = {
      checklist: () => readChecklist(ctx, mailboxes),
      replies: () => readReplies(workspaceId),
      approvals: async () => ({ total: await scoped(workspaceId).Approval.count({ status: "PENDING" }) }),
      mailboxes: async () => brokenAmong(await mailboxes),
      today: async () => readToday(workspaceId, await mailboxes),
      campaigns: () => readYourCampaigns(workspaceId),
    };
    const held = PARTS.filter((part) => NEEDS[part].every((scope) => scopes.has(scope)));
    const found = await Promise.all(
      held.map(async (part) => [part, await whenInTime<unknown>(reads[part]())] as const),
    );
    const partial = found.flatMap(([part, value]) => (value === null ? part : []));
    return { checklist: null, ...Object.fromEntries(found), partial };
  },
});

type HomeMailboxes = Awaited<ReturnType<typeof findMailboxes>>;

function findMailboxes(workspaceId: string) {
  const shown = { email: 1, status: 1, dailySendLimit: 1, verification: 1 } as const;
  const faults = { authFailures: 1, hostFailures: 1, readFailures: 1 } as const;
  return scoped(workspaceId).Mailbox.find({}, { sort: { _id: -1 }, select: { ...shown, ...faults } });
}

function brokenAmong(mailboxes: HomeMailboxes) {
  const broken = mailboxes
    .map(({ _id, email, status, ...tries }) => {
      const condition = conditionOf({ status, failedTries: failedTriesOf(tries) });
      return { id: _id, email, status, condition };
    })
    .filter(({ condition }) => condition === "FAILING" || condition === "DOWN");
  return { total: broken.length, items: broken.slice(0, SHOWN) };
}

async function readReplies(workspaceId: string) {
  const query = await queryOf(workspaceId, { archived: false, unreadOnly: true, starredOnly: false });
  const { items, total } = await pageOfThreads(query, { page: 1, pageSize: SHOWN });
  return { items, total };
}

/** The steps whose scope the caller holds. */
async function readChecklist({ workspaceId, scopes }: Context, mailboxes: Promise<HomeMailboxes>) {
  const { Campaign, Lead } = scoped(workspaceId);
  const exists = async (count: Promise<number>) => (await count) > 0;
  const some = { limit: 1 };
  const looks: [(typeof STEPS)[number], Scope, () => Promise<boolean>][] = [
    ["POSTAL_ADDRESS", "workspace:read", async () => (await loadWorkspace(workspaceId)).postalAddress !== null],
    ["MAILBOX", "mailboxes:read", async () => (await mailboxes).some(({ status }) => status === "CONNECTED")],
    [
      "DNS",
      "mailboxes:read",
      async () => (await mailboxes).some(({ verification: dns }) => dns?.status === "VERIFIED"),
    ],
    ["LEADS", "leads:read", () => exists(Lead.count({}, some))],
    ["CAMPAIGN", "campaigns:read", () => exists(Campaign.count({ recipientCount: trusted({ $gt: 0 }) }, some))],
    ["LAUNCH", "campaigns:read", () => exists(Campaign.count({ launchedAt: trusted({ $ne: null }) }, some))],
  ];
  const held = looks.filter(([, scope]) => scopes.has(scope));
  return Promise.all(held.map(async ([step, , look]) => ({ step, isDone: await look() })));
}
