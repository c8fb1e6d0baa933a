import { z } from "zod";
import { newcomerLimitsAt } from "../../domain/access/newcomer.ts";
import { type Suspension, suspendedError, unconfirmedError } from "../../domain/access/suspension.ts";
import { AppError } from "../../domain/errors.ts";
import { isNamed } from "../../domain/fold.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { zoneField } from "../../domain/values/zone-field.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { countClient } from "../../store/client-figures.ts";
import { loadNewcomerLimits, startAsNewcomer } from "../../store/newcomers.ts";
import { findSuspension, mustConfirm } from "../../store/workspace-stands.ts";
import type { Declaration } from "../declaration.ts";
import { name, pageOf, paging, skipOf, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { findMemberships, role } from "./members.ts";
import { loadWorkspace, Workspace as WorkspaceRecord } from "./workspace.ts";
import { openWorkspace } from "./workspaces.ts";

const BY = sorting({ joinedAt: "_id" }, "joinedAt");

const list = operation({
  summary:
    "List the workspaces of the person who owns this credential, with the role in each. It works only in its own workspace",
  scope: "account:read",
  input: z.strictObject({ ...paging, sort: BY.sort }),
  output: pageOf(
    z.object({
      id: z.string().describe("The id of the workspace: `wsp_…`"),
      name: z.string().describe("Its name"),
      role,
      current: z.boolean().describe("Whether it is the workspace of this credential"),
      createdAt: time.describe("When it was made"),
    }),
  ),
  async run({ userId, workspaceId: current, session }, { page, pageSize, sort }) {
    const joined = await findMemberships(userId, session?.portalId ?? null);
    const all = sort === "-joinedAt" ? joined.toReversed() : joined;
    const skip = skipOf({ page, pageSize });
    const items = all.slice(skip, skip + pageSize).map(({ workspaceId, workspaceName, role, createdAt }) => {
      return { id: workspaceId, name: workspaceName, role, current: workspaceId === current, createdAt };
    });
    return { items, total: all.length, page, pageSize };
  },
});

const create = operation({
  summary:
    "Make a client workspace. Its owner is the person who owns this credential, which stays bound to its own workspace",
  scope: "workspace:write",
  errors: ["ADDRESS_NOT_CONFIRMED", "LIMIT_EXCEEDED", "WORKSPACE_SUSPENDED"],
  audits: "workspaces.create",
  input: z.strictObject({
    name: name.describe("The name"),
    timezone: zoneField.optional().describe("IANA time zone used where no other is set; default UTC"),
  }),
  output: WorkspaceRecord,
  run: ({ workspaceId: parentWorkspaceId, userId, services }, { name, timezone = "UTC" }) =>
    inTransaction(async () => {
      const suspension = (await findSuspension(parentWorkspaceId)) ?? (await findClientSuspension(parentWorkspaceId));
      if (suspension !== null) throw suspendedError(suspension);
      if (await mustConfirm(parentWorkspaceId, services.settings)) throw unconfirmedError();
      const isSignedUp = await refuseNewcomer(parentWorkspaceId);
      const own = await Workspace.countDocuments({ parentWorkspaceId, deletedAt: null });
      if (own >= MOST_CLIENTS) {
        throw new AppError("LIMIT_EXCEEDED", `A workspace has at most ${MOST_CLIENTS} client workspaces`, {
          limit: MOST_CLIENTS,
        });
      }
      const workspaceId = await openWorkspace({ name, timezone, parentWorkspaceId }, userId);
      if (isSignedUp) await startAsNewcomer(workspaceId);
      return loadWorkspace(workspaceId);
    }),
});

/** A client that is suspended would send on from another one (rules/access 7.2). */
async function findClientSuspension(parentWorkspaceId: string): Promise<Suspension | null> {
  const filter = { parentWorkspaceId, deletedAt: null, suspension: trusted({ $ne: null }) };
  const found = await Workspace.findOne(filter, { suspension: 1 }, sessionOption()).lean<
    Pick<Workspace, "suspension">
  >();
  return found?.suspension ?? null;
}

/**
 * Each client workspace would have limits of its own, so a new workspace has none (rules/access 8.4). Returns whether
 * the workspace was new at some time: then its clients begin as new ones.
 */
async function refuseNewcomer(workspaceId: string): Promise<boolean> {
  const found = await Workspace.findOne({ _id: workspaceId }, { newSince: 1 }, sessionOption()).lean<
    Pick<Workspace, "newSince">
  >();
  const newSince = found?.newSince ?? null;
  if (newSince === null) return false;
  const limits = await loadNewcomerLimits();
  if (limits !== null && newcomerLimitsAt(limits, newSince, Date.now()) !== null)
    throw new AppError("LIMIT_EXCEEDED", "A new workspace cannot make client workspaces yet", { limit: 0 });
  return true;
}

const MOST_CLIENTS = 1_000;
const RECENT_MS = 30 * DAY_MS;

const listClients = operation({
  summary:
    "List the client workspaces of this one, with their campaigns, mailboxes, emails and replies. It gives no access to them",
  scope: "agency:read",
  input: z.strictObject({
    ...paging,
    search: z.string().max(200).optional().describe("Only workspaces whose name contains this"),
  }),
  output: pageOf(
    z.object({
      id: z.string().describe("The id of the workspace: `wsp_…`"),
      name: z.string().describe("The name"),
      activeCampaigns: z.number().int().describe("Campaigns that are sending"),
      mailboxes: z.number().int().describe("Mailboxes that are connected"),
      sent30d: z.number().int().describe("Campaign emails of the last 30 days"),
      replied30d: z.number().int().describe("Replies from people in the last 30 days"),
    }),
  ),
  async run({ workspaceId: parentWorkspaceId }, { page, pageSize, search }) {
    const skip = skipOf({ page, pageSize });
    const all = { parentWorkspaceId, deletedAt: null };
    const filter = search === undefined ? all : { ...all, _id: trusted({ $in: await idsNamed(all, search) }) };
    const [rows, total] = await Promise.all([
      Workspace.find(filter).sort({ _id: 1 }).skip(skip).limit(pageSize).lean<Workspace[]>(),
      Workspace.countDocuments(filter),
    ]);
    return { items: await Promise.all(rows.map(figuresOf)), total, page, pageSize };
  },
});

async function idsNamed(filter: { parentWorkspaceId: string; deletedAt: null }, search: string): Promise<string[]> {
  const clients = await Workspace.find(filter, { name: 1 }).lean<Pick<Workspace, "_id" | "name">[]>();
  return clients.filter(({ name }) => isNamed(search, [name])).map(({ _id }) => _id);
}

async function figuresOf(client: Workspace) {
  const {
    sent: sent30d,
    replied: replied30d,
    ...figures
  } = await countClient(client, new Date(Date.now() - RECENT_MS), null);
  return { id: client._id, ...figures, sent30d, replied30d };
}

export const workspacesDeclaration = {
  verbs: {
    "workspaces.list": list,
    "workspaces.create": create,
    "workspaces.listClients": listClients,
  },
  routes: [
    ["get", "/workspaces", list],
    ["post", "/workspaces", create, 201],
  ],
  tools: {
    account: {
      workspaces_list: {
        operation: list,
        title: "List workspaces",
        readOnly: true,
        when: "All workspaces of this credential's owner; `current` marks the one it works in.",
      },
    },
    workspace: {
      workspace_create: {
        operation: create,
        after: "workspace_get",
        title: "Create a client workspace",
        when: "It belongs to this credential's owner and is listed by agency_workspaces; the credential still works only in its own workspace.",
      },
    },
    agency: {
      agency_workspaces: {
        operation: listClients,
        title: "List client workspaces",
        readOnly: true,
        when: "Workspaces made here by workspace_create, with active campaigns, mailboxes, and emails and replies of 30 days. Gives no access to them.",
      },
    },
  },
  examples: {
    workspace: [
      {
        at: "post /workspaces",
        title: "Create a workspace for a client",
        body: { name: "Client Ltd", timezone: "Europe/Paris" },
      },
    ],
  },
} as const satisfies Declaration;
