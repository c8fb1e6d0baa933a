import { z } from "zod";
import { WARMUP_STATUSES } from "../../domain/warmup/enrolment.ts";
import { scoped } from "../../models/scoped.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { trusted } from "../../mongo/collection.ts";
import { notEnrolled } from "../../store/warmup/enrol.ts";
import { loadZone } from "../../store/warmup/ground.ts";
import { describedIds } from "../described-ids.ts";
import { commaSeparated, pageFrom, pageOf, paging, search } from "../fields.ts";
import { findNamed } from "../find-named.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { Enrolment, enrolmentsShown } from "./record.ts";

const { mailboxId } = describedIds;

const BY = sorting({ createdAt: "createdAt", email: "email", status: "status", dayNumber: "dayNumber" }, "-createdAt");

export const list = operation({
  summary: "List the mailboxes that warm up, with state, ramp, health and 7-day figures, newest first",
  scope: "warmup:read",
  input: z.strictObject({
    ...paging,
    sort: BY.sort,
    status: commaSeparated(WARMUP_STATUSES).optional().describe("Only mailboxes in one of these states"),
    search: search
      .optional()
      .describe("Parts of the address or name, 1 to 100 characters; accents and case are ignored"),
  }),
  output: pageOf(Enrolment),
  async run({ workspaceId }, { page, pageSize, sort, status, search: words }) {
    const filter = {
      ...(status !== undefined && { status: trusted({ $in: status }) }),
      ...(words !== undefined && {
        _id: trusted({ $in: await findNamed(scoped(workspaceId).Mailbox, words, ["email", "name"]) }),
      }),
    };
    const found = await pageFrom(
      scoped(workspaceId).WarmupEnrolment,
      filter,
      { page, pageSize },
      { sort: BY.orderOf(sort) },
    );
    return { ...found, items: await enrolmentsShown(workspaceId, found.items, await loadZone(workspaceId)) };
  },
});

export const get = operation({
  summary: "Read the warmup of one mailbox",
  scope: "warmup:read",
  errors: ["ENROLMENT_NOT_FOUND"],
  input: z.strictObject({ mailboxId }),
  output: Enrolment,
  async run({ workspaceId }, { mailboxId }) {
    return shownOne(await loadEnrolment(workspaceId, mailboxId));
  },
});

/** @throws AppError ENROLMENT_NOT_FOUND */
export async function loadEnrolment(workspaceId: string, mailboxId: string): Promise<WarmupEnrolment> {
  const enrolment = await scoped(workspaceId).WarmupEnrolment.get(mailboxId);
  if (enrolment === null) throw notEnrolled();
  return enrolment;
}

export async function shownOne(enrolment: WarmupEnrolment) {
  const { workspaceId } = enrolment;
  const [shown] = await enrolmentsShown(workspaceId, [enrolment], await loadZone(workspaceId));
  if (shown === undefined) throw notEnrolled();
  return shown;
}
