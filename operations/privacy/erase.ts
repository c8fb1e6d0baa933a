import { z } from "zod";
import { READS, WRITES } from "../../domain/access/person-scopes.ts";
import { erasedBy, foreseeErasure, shutPerson } from "../../store/privacy/erase-person.ts";
import { findPerson } from "../../store/privacy/person.ts";
import { KEPT } from "../../store/privacy/table.ts";
import { jobRecordWith, jobView, stageRows, startBeside, whenDone } from "../jobs.ts";
import { forgetTotals } from "../leads/count-cache.ts";
import { operation } from "../operation.ts";
import { found, named } from "./named-person.ts";

/** Milliseconds to wait for the job, so that most erasures are returned with their result. */
const WAIT_MS = 5_000;

const PersonErasure = jobRecordWith({
  ...found,
  erased: z
    .array(
      z.object({
        what: z.string().describe("The kind of record"),
        count: z.number().int().describe("How many were deleted, or no longer name the person"),
      }),
    )
    .describe("What was erased so far. Empty when nothing was known about the person"),
  kept: z
    .array(
      z.object({
        what: z.string().describe("The kind of record"),
        why: z.string().describe("Why it is kept"),
      }),
    )
    .describe("What is kept, and why"),
}).meta({ id: "PersonErasure", description: "The job that erases a person" });

export const erasePerson = operation({
  summary:
    "Erase one person: suppress the addresses, end the recipients, and delete or empty everything that names the person. Returns a job; no email is sent to the person after the response. It needs the scopes of all this data",
  scope: "leads:write",
  alsoScopes: [...READS, ...WRITES],
  errors: ["SERVICE_UNAVAILABLE"],
  audits: "privacy.erase",
  stepUp: true,
  effects: { DESTROYS: true },
  input: z.strictObject(named),
  output: PersonErasure,
  async foresees({ workspaceId }, { email: { address } }) {
    return { changes: await foreseeErasure(workspaceId, await findPerson(workspaceId, address)), kept: [...KEPT] };
  },
  async run(ctx, { email: { address } }) {
    const { workspaceId } = ctx;
    const person = await findPerson(workspaceId, address);
    const rows = await stageRows(ctx, [{ count: 1, json: JSON.stringify([person]) }]);
    const job = { type: "PERSON_ERASURE" as const, fileName: null, parameters: {} };
    const { _id } = await startBeside(ctx, rows, job, () => shutPerson(workspaceId, person));
    const done = await whenDone(ctx, _id, WAIT_MS);
    forgetTotals(workspaceId);
    const { addresses, sharedAddresses } = person;
    return { ...jobView(done), addresses, sharedAddresses, erased: erasedBy(done), kept: [...KEPT] };
  },
});
