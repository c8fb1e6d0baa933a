import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import { JOB_STATUSES } from "../../domain/job.ts";
import { MOST_ADDRESSES } from "../../domain/verification/results.ts";
import { JOB_INDEX } from "../../models/job.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { requestVerification, type VerificationSubject } from "../../store/verification/job.ts";
import { describedIds } from "../described-ids.ts";
import { commaSeparated, ids, pageOf, paging, record, skipOf } from "../fields.ts";
import { loadJobOf } from "../jobs.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";
import { VerificationJob, verificationFields, verificationView } from "./job-record.ts";

const { jobId, listId } = describedIds;

export const start = operation({
  summary:
    "Verify addresses: members of a list, leads, or other addresses. No email is sent. The job continues after the response",
  scope: "leads:write",
  errors: ["LIST_NOT_FOUND"],
  input: z.strictObject({
    listId: listId.optional(),
    leadIds: ids.optional().describe("The leads whose addresses are verified, 1 to 1,000"),
    emails: z
      .array(z.string().min(1).max(320))
      .min(1)
      .max(MOST_ADDRESSES)
      .optional()
      .describe("1 to 10,000 addresses; leads with these addresses get the result"),
  }),
  output: record({
    ...verificationFields,
    notFound: z.array(z.string()).describe("Ids in `leadIds` that match no lead"),
  }).meta({ id: "VerificationJobStarted", description: "A verification job that was just started" }),
  async run({ workspaceId }, asked) {
    const subject = subjectOf(asked);
    if ("listId" in subject && (await scoped(workspaceId).LeadList.get(subject.listId)) === null)
      throw new AppError("LIST_NOT_FOUND", "No lead list has this id");
    const notFound = "leadIds" in subject ? await unknownLeads(workspaceId, subject.leadIds) : [];
    const job = await requestVerification(workspaceId, without(subject, notFound), "MANUAL");
    return { ...verificationView(job), notFound };
  },
});

export const list = operation({
  summary: "List verification jobs, the newest first",
  scope: "verification:read",
  input: z.strictObject({
    ...paging,
    sort: BY_CREATION.sort,
    status: commaSeparated(JOB_STATUSES).optional().describe("Only jobs in one of these states"),
  }),
  output: pageOf(VerificationJob),
  async run({ workspaceId }, { status, sort, ...page }) {
    const { Job } = scoped(workspaceId);
    const filter = { type: "VERIFICATION", ...(status && { status: trusted({ $in: status }) }) };
    const order = { sort: BY_CREATION.orderOf(sort), skip: skipOf(page), limit: page.pageSize };
    const [items, total] = await Promise.all([
      Job.read(filter, { ...order, select: { items: 0 }, hint: JOB_INDEX.type }),
      Job.count(filter, { hint: JOB_INDEX.type }),
    ]);
    return { items: items.map(verificationView), total, ...page };
  },
});

export const get = operation({
  summary: "Read one verification job, with its progress and results so far",
  scope: "verification:read",
  errors: ["JOB_NOT_FOUND"],
  input: z.strictObject({ jobId }),
  output: VerificationJob,
  run: async ({ workspaceId }, { jobId }) => verificationView(await loadJobOf(workspaceId, jobId, "VERIFICATION")),
});

interface Asked {
  listId?: string | undefined;
  leadIds?: string[] | undefined;
  emails?: string[] | undefined;
}

function subjectOf({ listId, leadIds, emails }: Asked): VerificationSubject {
  const given: VerificationSubject[] = [
    ...(listId === undefined ? [] : [{ listId }]),
    ...(leadIds === undefined ? [] : [{ leadIds }]),
    ...(emails === undefined ? [] : [{ emails: emails.map((email) => email.trim()) }]),
  ];
  const [subject] = given;
  if (subject === undefined) throw invalid("listId", "is needed, or `leadIds`, or `emails`", "REQUIRED");
  if (given.length > 1)
    throw invalid("listId", "must be the only one of `listId`, `leadIds` and `emails`", "AMBIGUOUS");
  return subject;
}

async function unknownLeads(workspaceId: string, leadIds: readonly string[]): Promise<string[]> {
  const found = await scoped(workspaceId).Lead.find({ _id: trusted({ $in: [...leadIds] }) }, { select: { _id: 1 } });
  const known = new Set(found.map(({ _id }) => _id));
  return [...new Set(leadIds)].filter((id) => !known.has(id));
}

function without(subject: VerificationSubject, ids: readonly string[]): VerificationSubject {
  return "leadIds" in subject ? { leadIds: subject.leadIds.filter((id) => !ids.includes(id)) } : subject;
}
