import { z } from "zod";
import type { CrmSegment } from "../../domain/crm/contact.ts";
import { CRM_SEGMENTS, type CrmSegmentsOutcome } from "../../domain/crm/contract.ts";
import { SEGMENTS_FRESH_MS } from "../../domain/crm/limits.ts";
import { AppError } from "../../domain/errors.ts";
import { isNamed } from "../../domain/fold.ts";
import type { CrmConnection } from "../../models/crm/crm-connection.ts";
import { scoped } from "../../models/scoped.ts";
import { loadConnection } from "../../store/crm/connections.ts";
import { crmSegmentsRun } from "../../temporal/runs.ts";
import type { Context } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, pageOf, paging, search, skipOf } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { assertUsable } from "./configured.ts";

const { connectionId } = describedIds;

const CrmSegmentRecord = z
  .object({
    id: z.string().describe("The segment's id in the CRM, for imports"),
    name: z.string().describe("The segment's name in the CRM"),
    type: z
      .string()
      .describe(
        "The kind of segment: DYNAMIC, MANUAL or SNAPSHOT for a HubSpot list, CONTACT or LEAD for a list view, else FILTER",
      ),
    size: nullable(z.number().int()).describe("How many contacts the CRM counts in it; null if the CRM does not say"),
  })
  .meta({ id: "CrmSegment", description: "A list, list view or filter of contacts in a CRM" });

const BY_NAME = sorting({ name: "name" }, "name");

export const segments = operation({
  summary: "List a CRM's lists, list views or filters of contacts, by name; at most a minute old",
  scope: "crm:read",
  errors: ["CONNECTION_NOT_FOUND", "CRM_CONNECTION_FAILED", "PROVIDER_NOT_CONFIGURED"],
  input: z.strictObject({
    connectionId,
    ...paging,
    sort: BY_NAME.sort,
    search: search.optional().describe("Only segments whose name contains this"),
  }),
  output: pageOf(CrmSegmentRecord),
  async run(ctx, { connectionId, search = "", sort, ...page }) {
    const skip = skipOf(page);
    const connection = await loadConnection(ctx.workspaceId, connectionId);
    assertUsable(ctx, connection);
    const all = (await readSegments(ctx, connection)).filter(({ name }) => isNamed(search, [name]));
    const direction = sort === "name" ? 1 : -1;
    const sorted = all.toSorted(
      (one, other) => direction * (one.name.localeCompare(other.name) || one.id.localeCompare(other.id)),
    );
    const items = sorted.slice(skip, skip + page.pageSize);
    return { items, total: all.length, ...page };
  },
});

/** @throws AppError CRM_CONNECTION_FAILED, SERVICE_UNAVAILABLE */
async function readSegments(
  { workspaceId, services }: Context,
  { _id: connectionId, status }: CrmConnection,
): Promise<CrmSegment[]> {
  if (status !== "CONNECTED") throw needsPerson(connectionId);
  const { CrmSegments } = scoped(workspaceId);
  const cached = await CrmSegments.get(connectionId);
  if (cached !== null && cached.readAt.getTime() > Date.now() - SEGMENTS_FRESH_MS) return cached.segments;
  const ids = { v: 1, workspaceId, connectionId } as const;
  const outcome = await services.engine.execute<CrmSegmentsOutcome>(crmSegmentsRun(ids), CRM_SEGMENTS.callerMs);
  if (outcome.kind === "read") return (await CrmSegments.get(connectionId))?.segments ?? [];
  if (outcome.code === "LOST") throw needsPerson(connectionId);
  if (outcome.code === "FORBIDDEN") {
    throw new AppError(
      "CRM_CONNECTION_FAILED",
      "The CRM does not let this connection read segments: connect it again and allow access to segments",
      {
        connectionId,
      },
    );
  }
  const words = outcome.code === "RATE_LIMITED" ? "The CRM accepts no more calls for now" : "The CRM did not answer";
  throw new AppError("SERVICE_UNAVAILABLE", `${words}: try again later`, { retryAfterSeconds: outcome.waitSeconds });
}

/** The refusal of a call that needs a working connection. */
export function needsPerson(connectionId: string): AppError {
  return new AppError(
    "CRM_CONNECTION_FAILED",
    "The CRM no longer accepts this connection: a person must connect it again",
    { connectionId },
  );
}
