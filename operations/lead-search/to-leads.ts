import { z } from "zod";
import { KNOWN_INDEX } from "../../models/lead-search/known-prospect.ts";
import { scoped } from "../../models/scoped.ts";
import type { ProspectLeadsParameters } from "../../store/lead-search/leads-job.ts";
import { actorOf } from "../context.ts";
import { describedIds } from "../described-ids.ts";
import { JobRecord, jobView, startJob, whenDone } from "../jobs.ts";
import { assertStatic } from "../leads/lead-lists.ts";
import { operation } from "../operation.ts";
import { enrols } from "../sending/causes.ts";
import { findList, listId } from "./lists.ts";
import { chunksOf } from "./reveal-jobs.ts";

const { listId: leadListId } = describedIds;

/** Milliseconds to wait for the job, so that a short job is returned with its result. */
const WAIT_MS = 2_000;
const CHUNK = 250;

export const toLeads = operation({
  summary:
    "Create leads from all people of a prospect list with a revealed email address, in a STATIC lead list that campaigns can use. A job; also needs leads:write",
  scope: "lead_search:lists",
  alsoScopes: ["leads:write"],
  errors: ["LIST_IS_DYNAMIC", "LIST_NOT_FOUND"],
  effects: { SENDS: enrols },
  input: z.strictObject({
    fromListId: listId.describe("The id of the prospect list to read from: `srl_…`"),
    leadListId: leadListId.describe("The STATIC lead list to add them to: `lst_…`"),
  }),
  output: JobRecord,
  async run(ctx, { fromListId, leadListId }) {
    const { workspaceId, credentialId: actor } = ctx;
    const { itemCount, name } = await findList(workspaceId, fromListId);
    await assertStatic(workspaceId, leadListId);
    const revealed = { listIds: fromListId, emailStatus: "revealed" };
    const how = { select: { prospectId: 1 as const }, hint: KNOWN_INDEX.email };
    const found = await scoped(workspaceId).KnownProspect.read(revealed, { sort: { _id: -1 }, ...how });
    const withoutEmail = Math.max(0, itemCount - found.length);
    const by = actorOf(ctx);
    const parameters: ProspectLeadsParameters = { fromListId, fromListName: name, leadListId, actor, by, withoutEmail };
    const chunks = chunksOf(
      found.map(({ prospectId }) => prospectId),
      CHUNK,
    );
    const { _id } = await startJob(ctx, {
      type: "PROSPECT_LEADS",
      fileName: null,
      parameters: { ...parameters },
      chunks,
    });
    return jobView(await whenDone(ctx, _id, WAIT_MS));
  },
});
