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
  cadence: cadence.describe("How often it runs; MONTHLY is every thirty days"),
  enabled: z.boolean().describe("Whether the schedule runs"),
  lastRunAt: optionalTime.describe("When the last run began"),
  nextRunAt: optionalTime.describe("When the next run begins; null while disabled"),
}).meta({ id: "VerificationSchedule", description: "A schedule that verifies the members of a list" });

export const list = operation({
  summary: "List the verification schedules of lead lists, with their next runs, newest first",
  scope: "verification:read",
  input: z.strictObject({ ...paging, sort: BY_CREATION.sort }),
  output: pageOf(Schedule),
  run: ({ workspaceId }, { sort, ...page }) =>
    pageFrom(scoped(workspaceId).VerificationSchedule, {}, page, { sort: BY_CREATION.orderOf(sort) }),
});

export const set = operation({
  summary: "Create or change the one schedule that verifies the members of a list. The first run starts within minutes",
  scope: "leads:write",
  errors: ["LIST_NOT_FOUND"],
  input: z.strictObject({
    listId,
    cadence: cadence.describe("How often: DAILY, WEEKLY or MONTHLY (every thirty days)"),
    enabled: z.boolean().default(true).describe("false pauses the schedule. Default true"),
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
  summary: "Delete a schedule; its running job continues",
  scope: "leads:write",
  errors: ["SCHEDULE_NOT_FOUND"],
  input: z.strictObject({ scheduleId }),
  output: z.object({
    id: z.string().describe("The id of the schedule"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId }, { scheduleId }) {
    if ((await scoped(workspaceId).VerificationSchedule.deleteOne({ _id: scheduleId })) === 0)
      throw new AppError("SCHEDULE_NOT_FOUND", "No verification schedule has this id");
    return { id: scheduleId, deleted: true as const };
  },
});
