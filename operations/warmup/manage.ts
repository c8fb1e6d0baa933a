import { z } from "zod";
import { HEADER_CONTROLS } from "../../domain/mail/message.ts";
import { WARMUP_LANGUAGES, WARMUP_PRESETS } from "../../domain/warmup/enrolment.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { askTreatment } from "../../store/warmup/engagements.ts";
import { changeWarmup, moveWarmup, removeWarmup, type WarmupChange } from "../../store/warmup/enrol.ts";
import { choice } from "../choice.ts";
import { describedIds } from "../described-ids.ts";
import { changing, ids, namesAny } from "../fields.ts";
import { operation } from "../operation.ts";
import { EnrolmentOrBulk, forEachEnrolment, Gone } from "./bulk.ts";
import { Shares } from "./pools.ts";

const { mailboxId } = describedIds;

const scope = "warmup:write" as const;
const output = EnrolmentOrBulk;
const errors = ["MAILBOX_NOT_FOUND", "ENROLMENT_NOT_FOUND", "POOL_NOT_FOUND", "INVALID_STATE_TRANSITION"] as const;

const share = (what: string, most = 1) => z.number().min(0).max(most).optional().describe(`${what}, 0 to ${most}`);
const isFolder = (name: string) =>
  name === "" || (name.trim() === name && !HEADER_CONTROLS.test(name) && !/[/\\*%"]/.test(name));

/** The settings of a warmup that a caller can change (rules/warmup 1.4); absent fields stay unchanged. */
const Config = z
  .strictObject({
    start: z.number().int().min(1).max(20).optional().describe("Emails on the first day, 1 to 20"),
    increment: z.number().int().min(0).max(10).optional().describe("More emails on each later day, 0 to 10"),
    max: z.number().int().min(1).max(100).optional().describe("The most emails a day, 1 to 100"),
    replyRate: share(
      "The share of the mailbox's emails that are replies, and of its sent emails to which partners reply",
      0.6,
    ),
    weekdaysOnly: z.boolean().optional().describe("Whether warmup stops on Saturdays and Sundays"),
    spamRescueRate: share("The share of received emails in Junk that are moved out"),
    importantRate: share("The share of received emails that are flagged"),
    folder: z
      .string()
      .max(100)
      .refine(isFolder, { message: "is not the name of a folder", params: { code: "BAD_FOLDER" } })
      .optional()
      .describe("The folder to move warmup emails to once read; empty: they stay where they arrived"),
    language: z.enum(WARMUP_LANGUAGES).optional().describe("The language of warmup emails"),
  })
  .meta({ id: "WarmupConfigPatch", description: "How a mailbox warms up; fields that you leave out stay the same" });

const config = Config.optional();
/** Describes the fields in words, because tools show agents no schema of nested objects. */
const CONFIG_WORDS =
  "Any of {start, increment, max, replyRate, weekdaysOnly, spamRescueRate, importantRate, folder, language}. Fields that you leave out stay the same";
const preset = z.enum(WARMUP_PRESETS).optional();
const which = {
  mailboxId: mailboxId.optional(),
  mailboxIds: ids.optional().describe("1 to 1,000 mailboxes, instead of one"),
};
/** The fields of `which` that a call needs one of. */
const ONE_OR_SEVERAL = Object.keys(which);
const asked = {
  preset: preset.describe("The ramp to start with. Default: the previous one, else COLD"),
  config: config.describe(CONFIG_WORDS),
};

const start = operation({
  summary:
    "Enrol mailboxes, or resume them after a pause. The ramp restarts unless warmup was paused; today is planned immediately",
  scope,
  errors,
  effects: { SENDS: true },
  input: z.strictObject({ ...which, ...asked }),
  needsOneOf: ONE_OR_SEVERAL,
  output,
  run: ({ workspaceId }, { preset, config, ...which }) =>
    forEachEnrolment(workspaceId, which, (id) => moveWarmup(workspaceId, id, "start", { preset, config })),
});

const moveAll = (action: "pause" | "stop" | "reconnect", summary: string) =>
  operation({
    summary,
    scope,
    errors,
    effects: action === "reconnect" ? { SENDS: true } : {},
    input: z.strictObject(which),
    needsOneOf: ONE_OR_SEVERAL,
    output,
    run: ({ workspaceId }, which) => forEachEnrolment(workspaceId, which, (id) => moveWarmup(workspaceId, id, action)),
  });

const pause = moveAll(
  "pause",
  "Send no more of their warmup emails after this response. The ramp is kept: start resumes it",
);
const stop = moveAll(
  "stop",
  "Send no more of their warmup emails after this response and leave partners' emails alone; start restarts the ramp",
);
const reconnect = moveAll("reconnect", "Resume mailboxes that lost their connection and are connected again");

const remove = operation({
  summary: "Remove mailboxes from warmup",
  scope,
  errors,
  input: z.strictObject(which),
  needsOneOf: ONE_OR_SEVERAL,
  output: EnrolmentOrBulk,
  run: ({ workspaceId }, which) =>
    forEachEnrolment(workspaceId, which, async (id) => {
      await removeWarmup(workspaceId, id);
      return new Gone(id);
    }),
});

const configure = operation({
  summary: "Change the fields in `config`; the rest of today is replanned",
  scope,
  errors,
  effects: { CHANGES_SENDING: true },
  input: z.strictObject({ ...which, config: changing(Config).describe("What to change") }),
  needsOneOf: ONE_OR_SEVERAL,
  output,
  run: ({ workspaceId }, { config, ...which }) =>
    forEachEnrolment(workspaceId, which, (id) => changeWarmup(workspaceId, id, { config })),
});

const applyPreset = operation({
  summary: "Change the ramp to a preset; CUSTOM uses `customConfig`",
  scope,
  errors,
  effects: { CHANGES_SENDING: true },
  input: changing(
    z.strictObject({
      ...which,
      preset: z
        .enum(WARMUP_PRESETS)
        .describe("COLD for a new mailbox, WARM and AGGRESSIVE for one that has sent before"),
      customConfig: config.describe("Required with CUSTOM: the ramp"),
    }),
    ({ preset, customConfig }) => preset !== "CUSTOM" || namesAny(customConfig ?? {}),
    ["customConfig"],
  ),
  needsOneOf: ONE_OR_SEVERAL,
  output,
  run: ({ workspaceId }, { preset, customConfig, ...which }) =>
    forEachEnrolment(workspaceId, which, (id) =>
      changeWarmup(workspaceId, id, { preset, ...(preset === "CUSTOM" && { config: customConfig }) }),
    ),
});

const treat = (kind: "important" | "rescue", summary: string) =>
  operation({
    summary,
    scope,
    errors,
    input: z.strictObject(which),
    needsOneOf: ONE_OR_SEVERAL,
    output,
    run: ({ workspaceId }, which) => forEachEnrolment(workspaceId, which, (id) => askTreatment(workspaceId, id, kind)),
  });

const markImportant = treat(
  "important",
  "Read and flag the warmup emails of the last seven days in these mailboxes now",
);
const unspam = treat("rescue", "Move the warmup emails of the last seven days out of Junk now");

const onboard = operation({
  summary: "Start several mailboxes with one preset, configuration and set of pools",
  scope,
  errors,
  effects: { SENDS: true },
  input: z.strictObject({
    onboard: z
      .strictObject({
        mailboxIds: ids.describe("1 to 1,000 mailboxes"),
        preset: preset.describe("The ramp to start with. Default COLD"),
        config: config.describe("How the mailboxes warm up"),
        pools: Shares.optional().describe("The pools that get their emails. Default: the shared pool"),
      })
      .describe("The mailboxes and how they warm up: {mailboxIds, preset, config, pools}"),
  }),
  output,
  run: ({ workspaceId }, { onboard: { mailboxIds, ...change } }) =>
    forEachEnrolment(workspaceId, { mailboxIds }, (id) => moveWarmup(workspaceId, id, "start", change)),
});

const BULK_ACTIONS = ["start", "pause", "stop", "reconnect", "remove", "apply-config"] as const;

const bulkAction = operation({
  summary: "Run one action for several mailboxes; each has its own result",
  scope,
  errors,
  effects: {
    SENDS: (_ctx, { bulkAction }) => ["start", "reconnect"].includes(bulkAction),
    CHANGES_SENDING: (_ctx, { bulkAction }) => bulkAction === "apply-config",
  },
  input: changing(
    z.strictObject({
      bulkAction: z.enum(BULK_ACTIONS).describe("The action for each mailbox"),
      mailboxIds: ids.describe("1 to 1,000 mailboxes"),
      config: config.describe("Required with apply-config: the fields to change; otherwise the start configuration"),
    }),
    ({ bulkAction, config }) => bulkAction !== "apply-config" || namesAny(config ?? {}),
    ["config"],
  ),
  output,
  run: ({ workspaceId }, { bulkAction, mailboxIds, config }) =>
    forEachEnrolment(workspaceId, { mailboxIds }, (id) => doEach(workspaceId, id, bulkAction, { config })),
});

async function doEach(
  workspaceId: string,
  mailboxId: string,
  action: (typeof BULK_ACTIONS)[number],
  change: WarmupChange,
): Promise<WarmupEnrolment | Gone> {
  if (action === "apply-config") return changeWarmup(workspaceId, mailboxId, change);
  if (action !== "remove") return moveWarmup(workspaceId, mailboxId, action, action === "start" ? change : {});
  await removeWarmup(workspaceId, mailboxId);
  return new Gone(mailboxId);
}

export const manage = choice("warmup:read", "Start, pause, stop and change the warmup of mailboxes", {
  start,
  pause,
  stop,
  reconnect,
  remove,
  configure,
  markImportant,
  unspam,
  onboard,
  bulkAction,
  applyPreset,
});
