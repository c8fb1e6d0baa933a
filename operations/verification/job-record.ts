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
  items: itemsLeftOut.describe("Null: the export of its results has each address"),
  source: z.enum(VERIFICATION_SOURCES).describe("What asked for it"),
  listId: nullable(listId).describe("The list whose members it verifies; null: chosen addresses"),
  counts: z
    .object({
      valid: count("that their server takes, and not any other"),
      risky: count("that are disposable, shared by a team, or full"),
      catchAll: count("whose domain takes any address"),
      invalid: count("that receive no mail"),
      unknown: count("of which nothing certain was learnt"),
    })
    .describe("What was found so far"),
  creditsUsed: z.number().int().describe("Addresses that were checked again; the others were known"),
};

/** Verification job `job_` (rules/verification 1). */
export const VerificationJob = record(verificationFields).meta({
  id: "VerificationJob",
  description: "The verification of a list of addresses. It may take hours, because mail servers are asked slowly",
});

export function verificationView(job: JobAtWork) {
  const { counts, creditsUsed } = stateOf(job);
  const { source, listId } = parametersOf(job);
  return { ...jobView(job), items: null, source, listId, counts, creditsUsed };
}
