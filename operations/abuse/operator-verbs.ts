import { z } from "zod";
import { SECOND_MS } from "../../domain/time/durations.ts";
import { CAP_SOURCES } from "../../models/sending/sending-cap.ts";
import type { Context } from "../context.ts";
import type { Declaration } from "../declaration.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, pageOf, paging, skipOf, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadOperator } from "../sign-in/session-verbs.ts";
import { findReported } from "./find-workspace.ts";
import { MOST_DAILY, limit as setLimit } from "./limit.ts";
import { type JudgedWorkspace, listWorkspaces } from "./list.ts";
import { type DeedActor, REASON_CHARACTERS } from "./operator-deed.ts";
import { endWorkspaceSuspension, suspend as suspendWorkspaces } from "./suspend.ts";

/** What operators of the service do about workspaces in the console (rules/console 4.4), as the commands do. */

const { campaignId, sendId } = describedIds;
const count = z.number().int();
const rate = (of: string) =>
  nullable(z.number()).describe(`The share of ${of}; null while there is too little to judge`);
const workspaceId = z.string().max(64).describe("The workspace: `wsp_…`");
const reason = z
  .string()
  .trim()
  .min(1)
  .max(REASON_CHARACTERS)
  .describe(`Why, 1 to ${REASON_CHARACTERS} characters; its members read it`);

/** The longest that a page waits for a search. */
const FIND_MS = 5 * SECOND_MS;

const Judged = z.object({
  id: z.string().describe("The workspace"),
  name: z.string().describe("Its name"),
  ownerEmail: z.string().describe("The address of the person who made it"),
  suspension: z
    .object({
      by: z.enum(["OPERATOR", "SERVICE"]).describe("A person, or the service because of its rates"),
      reason: z.string().describe("Why"),
      since: time.describe("Since when"),
    })
    .nullable()
    .describe("Null: not suspended"),
  cap: z
    .object({
      most: count.describe("The most emails that it may send on a UTC day"),
      sentToday: count.describe("How many it has sent today"),
      by: z.enum(CAP_SOURCES).describe("Who sets the limit"),
      reason: z.string().describe("Why"),
    })
    .nullable()
    .describe("Its limit of emails; null: none"),
  ownLimits: z
    .object({
      EMAILS: nullable(count).describe("Emails"),
      CONNECTION_TESTS: nullable(count).describe("Tests of mail servers"),
      IMPORTED_ROWS: nullable(count).describe("Imported rows of leads"),
    })
    .describe("The most of each on a UTC day that an operator has set; null: no such limit"),
  emails: count.describe("Campaign emails of the last three days, or since a suspension ended"),
  bounced: count.describe("Of them, hard bounces"),
  complained: count.describe("Of them, reported as spam"),
  seen: count.describe("Measured emails of the last seven days"),
  inSpam: count.describe("Of them, in Junk"),
  domains: count.describe("Its sending domains that were checked"),
  listed: count.describe("Of them, on a block list"),
  rates: z
    .object({
      bounces: rate("hard bounces"),
      complaints: rate("reports as spam"),
      spam: rate("emails in Junk"),
      listed: rate("listed domains"),
    })
    .describe("The rates by which the service judges it"),
});

const operatorOf = async (ctx: Context): Promise<DeedActor> => {
  const { _id: id } = await loadOperator(ctx, "Only operators see the workspaces of the service");
  return { kind: "OPERATOR", id, ip: ctx.ip, traceId: ctx.traceId };
};

const list = operation({
  summary:
    "List the workspaces that are suspended, slowed, sending or limited by an operator, in this order, or those that match a search, for operators. At most 500 of each",
  scope: null,
  errors: ["ROLE_NOT_ALLOWED"],
  input: z.strictObject({
    ...paging,
    search: z.string().max(200).optional().describe("Only workspaces whose name, owner or id contains this"),
  }),
  output: pageOf(Judged),
  async run(ctx, { page, pageSize, search }) {
    await operatorOf(ctx);
    const shown = { skip: skipOf({ page, pageSize }), most: pageSize };
    const { items, total } = await listWorkspaces(search?.trim() || null, shown);
    return { items: items.map(shownOf), total, page, pageSize };
  },
});

function shownOf({ workspaceId: id, suspension, figures, ...rest }: JudgedWorkspace) {
  const { mails: emails, bounced, complained, seen, inSpam, domains, listed } = figures;
  const stopped = suspension && { by: suspension.by, reason: suspension.reason, since: suspension.at };
  return { ...rest, id, suspension: stopped, emails, bounced, complained, seen, inSpam, domains, listed };
}

const Changed = z.object({
  workspaceId: z.string().describe("The workspace"),
  campaigns: count.describe("The campaigns that were paused, or that continue"),
});

const suspend = operation({
  summary: "Suspend a workspace and its clients, for operators. No email of them leaves after the response",
  scope: null,
  errors: ["ROLE_NOT_ALLOWED", "WORKSPACE_NOT_FOUND"],
  stops: true,
  stepUp: true,
  input: z.strictObject({ workspaceId, reason }),
  output: Changed,
  run: async (ctx, { workspaceId, reason }) => {
    const actor = await operatorOf(ctx);
    return { workspaceId, campaigns: await suspendWorkspaces(workspaceId, reason, actor) };
  },
});

const resume = operation({
  summary:
    "End the suspension of a workspace and of the clients that were suspended with it, for operators. If it breaks off, repeat it: it finishes what is left",
  scope: null,
  errors: ["INVALID_STATE_TRANSITION", "ROLE_NOT_ALLOWED", "WORKSPACE_NOT_FOUND"],
  stepUp: true,
  input: z.strictObject({ workspaceId, reason: reason.optional() }),
  output: Changed,
  run: async (ctx, { workspaceId, reason }) => {
    const actor = await operatorOf(ctx);
    return { workspaceId, campaigns: await endWorkspaceSuspension(workspaceId, reason, actor) };
  },
});

const limit = operation({
  summary: "Limit how much a workspace may do on a UTC day, for operators",
  scope: null,
  errors: ["ROLE_NOT_ALLOWED", "WORKSPACE_NOT_FOUND"],
  stepUp: true,
  input: z.strictObject({
    workspaceId,
    what: z
      .enum(["EMAILS", "CONNECTION_TESTS", "IMPORTED_ROWS"])
      .default("EMAILS")
      .describe("Emails, tests of mail servers, or imported rows of leads. Default EMAILS"),
    most: count.min(0).max(MOST_DAILY).nullable().describe("The most of them on a day; null removes the limit"),
    reason,
  }),
  output: z.object({
    workspaceId: z.string().describe("The workspace"),
    most: nullable(count).describe("The limit of the operator; null: none"),
  }),
  async run(ctx, { workspaceId, what, most, reason }) {
    const actor = await operatorOf(ctx);
    await setLimit(workspaceId, most, reason, { what, actor });
    return { workspaceId, most };
  },
});

const find = operation({
  summary: "Find the workspace of a reported email, for operators. A search that takes longer than 5 s ends",
  scope: null,
  errors: ["LIMIT_EXCEEDED", "ROLE_NOT_ALLOWED"],
  input: z.strictObject({
    message: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .describe("Its Message-ID, ours or the provider's, its X-Mail-Ref or its Feedback-ID"),
  }),
  output: z.object({
    items: z
      .array(
        z.object({
          workspaceId: z.string().describe("The workspace that the email came from"),
          workspaceName: nullable(z.string()).describe("Its name; null if it was deleted"),
          ownerEmail: nullable(z.string()).describe("The address of the person who made it"),
          isSuspended: z.boolean().describe("Whether it is suspended"),
          send: z
            .object({
              id: sendId,
              kind: z.string().describe("Campaign email, reply and the like"),
              campaignId: nullable(campaignId),
              from: nullable(z.string()).describe("The address of the mailbox; null if it was deleted"),
              state: z.string().describe("The state of the email"),
              at: optionalTime.describe("When it was sent"),
            })
            .nullable()
            .describe("The email; null if the report names only the workspace"),
        }),
      )
      .describe("At most 20; empty if no email of this service has this id"),
  }),
  async run(ctx, { message }) {
    await operatorOf(ctx);
    return { items: await findReported(message, async () => ctx.services.signing, FIND_MS) };
  },
});

export const operatorsDeclaration = {
  verbs: {
    "operators.listWorkspaces": list,
    "operators.suspendWorkspace": suspend,
    "operators.resumeWorkspace": resume,
    "operators.limitWorkspace": limit,
    "operators.findReported": find,
  },
  consoleRoutes: [
    ["get", "/system/workspaces", list],
    ["post", "/system/workspaces/suspend", suspend],
    ["post", "/system/workspaces/resume", resume],
    ["post", "/system/workspaces/limit", limit],
    ["post", "/system/reported", find],
  ],
} as const satisfies Declaration;
