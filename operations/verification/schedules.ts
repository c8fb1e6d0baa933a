import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { CADENCES } from "../../domain/verification/results.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { setSchedule } from "../../store/verification/settings.ts";
import { describedIds } from "../described-ids.ts";
import { optionalTime, pageFrom, pageOf, paging, record } from "../fields.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";

const { listId, scheduleId } = describedIds;

const cadence = z.enum(CADENCES);

const Schedule = record({
  listId: listId.describe("The list whose members are verified"),
  cadence: cadence.describe("How often; MONTHLY is every thirty days"),
  enabled: z.boolean().describe("Whether it runs"),
  lastRunAt: optionalTime.describe("When it last began"),
  nextRunAt: optionalTime.describe("When it begins next; null while it is not enabled"),
}).meta({ id: "VerificationSchedule", description: "A list whose members are verified again and again" });

export const list = operation({
  summary: "List which lead lists are verified again and again, and when next; the newest schedule first",
  scope: "verification:read",
  input: z.strictObject({ ...paging, sort: BY_CREATION.sort }),
  output: pageOf(Schedule),
  run: ({ workspaceId }, { sort, ...page }) =>
    pageFrom(scoped(workspaceId).VerificationSchedule, {}, page, { sort: BY_CREATION.orderOf(sort) }),
});

export const set = operation({
  summary:
    "Verify the members of a list again and again: the first time within minutes. A list has one schedule, which this changes",
  scope: "leads:write",
  errors: ["LIST_NOT_FOUND"],
  input: z.strictObject({
    listId,
    cadence: cadence.describe("How often: DAILY, WEEKLY or MONTHLY, which is every thirty days"),
    enabled: z.boolean().default(true).describe("False: it rests. Default true"),
  }),
  output: Schedule,
  run: ({ workspaceId }, asked) =>
    inTransaction(async () => {
      if ((await scoped(workspaceId).LeadList.get(asked.listId)) === null)
        throw new AppError("LIST_NOT_FOUND", "No lead list has this id");
      return setSchedule(workspaceId, asked);
    }),
});

export const remove = operation({
  summary: "Delete a schedule; a job of it that is already running continues",
  scope: "leads:write",
  errors: ["SCHEDULE_NOT_FOUND"],
  input: z.strictObject({ scheduleId }),
  output: z.object({
    id: z.string().describe("The id of the schedule"),
    deleted: z.literal(true).describe("It is deleted"),
  }),
  async run({ workspaceId }, { scheduleId }) {
    if ((await scoped(workspaceId).VerificationSchedule.deleteOne({ _id: scheduleId })) === 0)
      throw new AppError("SCHEDULE_NOT_FOUND", "No verification schedule has this id");
    return { id: scheduleId, deleted: true as const };
  },
});
