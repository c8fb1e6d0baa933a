import { z } from "zod";
import { AUDIT_OUTCOMES } from "../../models/access/audit-entry.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { linkSoon, verifyChain } from "../../store/audit-chain.ts";
import { loadCallCounts } from "../../store/audit-refusals.ts";
import type { Declaration } from "../declaration.ts";
import { commaSeparated, instant, nullable, pageFrom, pageOf, paging, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";

const Entry = z.object({
  id: z.string().describe("Prefix `aud_`"),
  seq: z.number().int().describe("The entry's number in the workspace's log, from 1"),
  at: time.describe("When it happened"),
  actor: z
    .object({
      kind: z
        .enum(["API_KEY", "OAUTH", "CONSOLE", "CONSENT", "OPERATOR", "SERVICE"])
        .describe("The kind of credential"),
      id: z.string().describe("The id of the key, of the connector, or of the person"),
    })
    .describe("Who took the action"),
  action: z.string().describe("The action, such as `leads.suppress`"),
  target: z
    .record(z.string(), z.unknown())
    .describe(
      "The ids in the call, the reason of an operator, and `what` an operator limits to at `most` how many a day (null: no limit); in an entry `audit.retain` the number and hash of the newest entry that a retention deleted",
    ),
  fields: z.array(z.string()).describe("The names of the call's other fields; their values are not kept"),
  outcome: z
    .enum(AUDIT_OUTCOMES)
    .describe("DONE, FAILED: nothing was changed, or DENIED: the credential lacked the scope"),
  code: nullable(z.string()).describe("The code of the refusal"),
  calls: nullable(z.number().int()).describe(
    "Number of calls: a DENIED entry counts all refusals of this credential and action within one minute. Null after 90 days, when the count is deleted",
  ),
  changed: z.array(z.string()).default([]).describe("The names of the fields of the record that changed"),
  ip: nullable(z.string()).describe("The address that the call came from"),
  traceId: nullable(z.string()).describe("The id of the request in the server's log"),
});

const BY = sorting({ at: "seq" }, "-at");

const list = operation({
  summary:
    "List the audit log of the workspace, newest first: sensitive actions and who took them, including refused attempts",
  scope: "members:read",
  input: z.strictObject({
    ...paging,
    sort: BY.sort,
    action: z
      .string()
      .max(100)
      .optional()
      .describe("Only this action, such as `members.remove`, or all actions of a noun, such as `members.`"),
    actorId: z.string().max(64).optional().describe("Only actions of this key, connector or person"),
    outcome: commaSeparated(AUDIT_OUTCOMES).optional().describe("Only these outcomes"),
    from: instant.optional().describe("Only entries from this instant on"),
    to: instant.optional().describe("Only entries before this instant"),
  }),
  output: pageOf(Entry).extend({
    chain: z
      .object({
        entries: z.number().int().describe("How many entries were verified"),
        brokenAt: nullable(z.number().int()).describe(
          "The first entry that does not match the one before it; null: none",
        ),
      })
      .nullable()
      .describe("Whether the chain is intact, on the first page without filters; else null"),
  }),
  async run({ workspaceId }, { page, pageSize, sort, action, actorId, outcome, from, to }) {
    const at = { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lt: to }) };
    const filter = {
      ...(action !== undefined && {
        action: action.endsWith(".") ? trusted({ $gte: action, $lt: `${action}\uffff` }) : action,
      }),
      ...(actorId !== undefined && { "actor.id": actorId }),
      ...(outcome !== undefined && { outcome: trusted({ $in: outcome }) }),
      ...(Object.keys(at).length > 0 && { at: trusted(at) }),
    };
    await linkSoon(workspaceId);
    const found = await pageFrom(
      scoped(workspaceId).AuditEntry,
      filter,
      { page, pageSize },
      { sort: BY.orderOf(sort) },
    );
    const isWhole = page === 1 && Object.keys(filter).length === 0 && found.total <= MOST_VERIFIED;
    const counts = await loadCallCounts(workspaceId, found.items);
    const items = found.items.map((entry) => ({ ...entry, id: entry._id, calls: counts.get(entry._id) ?? null }));
    return { ...found, items, chain: isWhole ? await verifyChain(workspaceId) : null };
  },
});

/** A longer chain is verified by `npm run audit:verify`, because a page must respond quickly. */
const MOST_VERIFIED = 5_000;

export const auditLogDeclaration = {
  verbs: {
    "auditLog.list": list,
  },
  routes: [["get", "/audit-log", list]],
} as const satisfies Declaration;
