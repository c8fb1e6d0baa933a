import { z } from "zod";
import { wholeMapping } from "../../domain/crm/contact.ts";
import { sourceOf } from "../../domain/crm/provider.ts";
import { AppError } from "../../domain/errors.ts";
import { readMapping } from "../../domain/leads/columns.ts";
import type { Job } from "../../models/job.ts";
import { loadConnection } from "../../store/crm/connections.ts";
import { crmParametersOf, crmStateOf } from "../../store/crm/import-job.ts";
import { beginCrmImport } from "../../store/crm/imports.ts";
import { choice } from "../choice.ts";
import { actorOf } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { nullable } from "../fields.ts";
import { jobRecordWith, jobView, loadJobOf } from "../jobs.ts";
import { assertStatic } from "../leads/lead-lists.ts";
import { operation } from "../operation.ts";
import { anyHasBegun, enrols } from "../sending/causes.ts";
import { assertUsable } from "./configured.ts";
import { needsPerson } from "./segments.ts";

const { connectionId, jobId, listId } = describedIds;

const count = z.number().int();

/** A CRM import job with its counts so far. */
const CrmImportJob = jobRecordWith({
  connectionId,
  segmentId: z.string().describe("The segment"),
  listId: nullable(listId),
  created: count.describe("Leads created so far"),
  updated: count.describe("Leads changed so far"),
  skipped: count.describe("Contacts that changed nothing so far: unchanged, duplicates, or on the block list"),
  membershipsAdded: count.describe("Leads added to the list so far"),
}).meta({ id: "CrmImportJob", description: "The import of a segment of a CRM" });

const startImport = operation({
  summary:
    "Import the contacts of a segment as leads, into a STATIC list if named. People who opted out at the CRM are suppressed. One import runs at a time for a segment and list; another start returns that import",
  scope: "crm:write",
  errors: [
    "CONNECTION_NOT_FOUND",
    "CRM_CONNECTION_FAILED",
    "LIST_IS_DYNAMIC",
    "LIST_NOT_FOUND",
    "PROVIDER_NOT_CONFIGURED",
  ],
  effects: { SENDS: enrols, CHANGES_SENDING: anyHasBegun },
  input: z.strictObject({
    connectionId,
    segmentId: z.string().min(1).max(200).describe("The id of the segment, from the list of segments"),
    listId: listId.nullable().optional().describe("A STATIC list to add the leads to"),
    fieldMapping: z
      .record(z.string().min(1).max(200), z.string().nullable())
      .refine((mapping) => Object.keys(mapping).length <= 100, "must name at most 100 fields")
      .optional()
      .describe(
        "Maps each CRM field to a lead field, `tags`, `customFields.<key>`, or null to skip it. By default the CRM's usual fields: names, company, title, phone, website, location",
      ),
    sync: z
      .boolean()
      .default(false)
      .describe(
        "Whether the segment is read again each hour: changed contacts are updated, removed ones leave the list. false stops this",
      ),
  }),
  output: CrmImportJob,
  async run(ctx, { connectionId, segmentId, listId = null, fieldMapping, sync: isKept }) {
    const { workspaceId, credentialId: actor, services } = ctx;
    const connection = await loadConnection(workspaceId, connectionId);
    assertUsable(ctx, connection);
    if (connection.status !== "CONNECTED") throw needsPerson(connectionId);
    if (listId !== null) await assertStatic(workspaceId, listId);
    const mapping = Object.entries(wholeMapping(connection.provider, segmentId, fieldMapping)).filter(
      (pair): pair is [string, string] => pair[1] !== null,
    );
    readMapping(Object.fromEntries(mapping), true);
    if (!(await services.engine.isReachable())) {
      throw new AppError("SERVICE_UNAVAILABLE", "Temporal is unreachable and this job needs it: try again", {
        retryAfterSeconds: 5,
      });
    }
    const source = sourceOf(connection.provider);
    return viewOf(
      await beginCrmImport(workspaceId, {
        connectionId,
        segmentId,
        listId,
        mapping,
        isKept,
        source,
        actor,
        by: actorOf(ctx),
      }),
    );
  },
});

const status = operation({
  summary: "Read the progress and the result of an import",
  scope: "crm:write",
  errors: ["JOB_NOT_FOUND"],
  input: z.strictObject({ jobId }),
  output: CrmImportJob,
  run: async ({ workspaceId }, { jobId }) => viewOf(await loadJobOf(workspaceId, jobId, "CRM_IMPORT")),
});

export const importSegment = choice(
  "crm:write",
  "Import a segment of a CRM as leads, once or every hour, or read the progress of an import",
  { start: startImport, status },
  "start",
);

function viewOf(job: Job) {
  const { connectionId, segmentId, listId } = crmParametersOf(job);
  const { created, updated, skipped, membershipsAdded } = crmStateOf(job).sums.counts;
  return { ...jobView(job), connectionId, segmentId, listId, created, updated, skipped, membershipsAdded };
}
