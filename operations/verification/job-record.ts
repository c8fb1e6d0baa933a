import { z } from "zod";
import { VERIFICATION_SOURCES } from "../../domain/verification/results.ts";
import type { JobAtWork } from "../../store/jobs.ts";
import { parametersOf, stateOf } from "../../store/verification/job.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, record } from "../fields.ts";
import { itemsLeftOut, jobFields, jobView } from "../jobs.ts";

const { listId } = describedIds;

const count = (what: string) => z.number().int().describe(`Addresses ${what}`);

export const verificationFields = {
  ...jobFields,
  items: itemsLeftOut.describe("Always null: the export of the results lists each address"),
  source: z.enum(VERIFICATION_SOURCES).describe("What started the job"),
  listId: nullable(listId).describe("The list of leads to verify; null: chosen addresses"),
  counts: z
    .object({
      valid: count("that their server accepts, while it refuses others"),
      risky: count("that are disposable, shared by a team, or full"),
      catchAll: count("at domains that accept any address"),
      invalid: count("that receive no email"),
      unknown: count("without a certain result"),
    })
    .describe("The results so far"),
  creditsUsed: z.number().int().describe("Addresses that needed a new check; the others had a stored result"),
};

/** Verification job `job_` (rules/verification 1). */
export const VerificationJob = record(verificationFields).meta({
  id: "VerificationJob",
  description: "The verification of a list of addresses. It may take hours, because mail servers are queried slowly",
});

export function verificationView(job: JobAtWork) {
  const { counts, creditsUsed } = stateOf(job);
  const { source, listId } = parametersOf(job);
  return { ...jobView(job), items: null, source, listId, counts, creditsUsed };
}
