import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { settingChanges } from "../../domain/campaigns/read-settings.ts";
import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import { maySendCampaigns } from "../../domain/mailboxes/band.ts";
import { changesBetween } from "../../domain/sequences/changes.ts";
import { type GroupOutcome, outcomesOf, type PlannedEdit, sumUp } from "../../domain/sequences/edit-plan.ts";
import { STEP_TYPES } from "../../domain/sequences/sequence.ts";
import type { Calendar } from "../../domain/time/schedule.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import type { Written } from "../../mongo/witness.ts";
import { outlookOf } from "../../store/campaigns/capacity.ts";
import { countFinishedReachable } from "../../store/campaigns/finished-recipients.ts";
import type { WaitingGroup } from "../../store/campaigns/forecast-audience.ts";
import { loadCampaign, loadSequence } from "../../store/campaigns/load.ts";
import { loadCampaignMailboxes } from "../../store/campaigns/mailboxes-of-campaign.ts";
import { loadCampaignSources } from "../../store/campaigns/validation.ts";
import { changedDelayOf, isPutOff } from "../../store/recipients/eligibility.ts";
import { loadSituation, loadSituationAt, type Situation } from "../../store/recipients/recipient-state.ts";
import { timelineOf } from "../../store/recipients/timeline.ts";
import { calendarOf } from "../../store/sending/calendar.ts";
import { loadEditGroups } from "../../store/sequences/edit-groups.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, time } from "../fields.ts";

const { campaignId, recipientId, stepId } = describedIds;

const count = z.number().int();
const steps = z.array(stepId);

const StepPlan = z.object({
  stepId,
  type: z.enum(STEP_TYPES).describe("The type of the step"),
  order: nullable(count).describe("Its position after the edit; null: removed"),
  orderBefore: nullable(count).describe("Its position now; null: new"),
  waitingBefore: count.describe("People who wait for the step now"),
  waitingAfter: count.describe("People who would wait for the step"),
  getBefore: count.describe("People who will get the step if no one replies or is stopped"),
  getAfter: count.describe("The same count after the edit"),
  mayGetBefore: count.describe("People whose conditions decide whether they get the step"),
  mayGetAfter: count.describe("The same count after the edit"),
  misses: count.describe("People who now get, or may get, the step, but would not after the edit"),
  missesBecause: nullable(z.enum(["STEP_REMOVED", "NOT_ON_THEIR_WAY"])).describe(
    "Why people miss the step; null if no one does",
  ),
  gains: count.describe("People who would get the step only after the edit"),
});

const Course = z.object({
  surely: steps.describe("The steps that they get, in order, if no one replies or is stopped"),
  perhaps: steps.describe("Further steps, which depend on conditions"),
});

const GroupPlan = z.object({
  people: count.describe("The number of people"),
  had: steps.describe("The steps that they got, and one that is being sent"),
  waitsFor: nullable(stepId).describe(
    "The step that they wait for now; null: not admitted yet, or an email is being sent",
  ),
  waitsForAfter: nullable(stepId).describe("The step that they would wait for after the edit"),
  before: Course.describe("The steps still to come now"),
  after: Course.describe("The steps to come after the edit"),
});

const Timeline = z.array(
  z.object({
    stepId,
    at: time.describe("When the step is due"),
    isEarliest: z.boolean().describe("true: the earliest time, may be later; false: the exact, booked time"),
  }),
);

const Outlook = z.object({
  firstSendAt: optionalTime.describe("When the next email leaves; null: none, or not known"),
  expectedFinishAt: optionalTime.describe(
    "When the last email leaves, if no one replies or is stopped; null: none, or not known",
  ),
});

export const EditPlan = z
  .object({
    campaignId,
    people: count.describe("Open recipients, excluding those to be held out"),
    steps: z.array(StepPlan).describe("Each step, in the new order; removed ones come last"),
    moved: count.describe("People who would wait for a different step"),
    earlier: count.describe("People whose next step would be due earlier than now"),
    later: count.describe("People whose next step would be due later than now"),
    rebooked: count.describe("People whose next step would get another time, by its delay and all limits and hours"),
    firstDueAt: optionalTime.describe("The earliest new time among `rebooked`, to the hour; null: none"),
    lastDueAt: optionalTime.describe("The latest new time among `rebooked`"),
    completed: count.describe("People with steps to come who would have none, so would complete"),
    reopenable: nullable(count).describe(
      "People who completed and would have a new step. They get it only if recipients are resumed with `finished: true`. Null if not counted: the sequence has branches and more than 2,000 completed",
    ),
    repeated: count.describe("People who would get a step again: 0"),
    changes: z
      .array(z.record(z.string(), z.unknown()))
      .describe("The changes, as a version of the campaign lists them"),
    outlook: z
      .object({ before: Outlook.describe("Before the edit"), after: Outlook.describe("After the edit") })
      .describe("The next and the last email of the whole campaign, before and after"),
    groups: z
      .array(GroupPlan)
      .describe("The 50 largest groups of people who got the same steps and wait for the same one"),
    otherPeople: count.describe("People in other groups"),
    samples: z
      .array(
        z.object({
          recipientId,
          email: z.string().describe("The address"),
          before: Timeline.describe("The steps of the person and their times, now"),
          after: Timeline.describe("The same count after the edit"),
        }),
      )
      .describe("Three people, those with the most changes first"),
  })
  .meta({ id: "EditPlan", description: "The effect of an edit of a running campaign on its people" });

const MOST_GROUPS = 50;
const SAMPLES = 3;

export interface Version {
  campaign: Campaign;
  sequence: Sequence;
}

interface RehearsedEdit {
  before: Version;
  after: Version;
}

/**
 * The launched campaign that a call has changed, in its state after the call; null without one. Run it in the
 * transaction of the call.
 */
export async function campaignIn(workspaceId: string, written: ReadonlyMap<string, Written>): Promise<Version | null> {
  const { Campaign, Sequence } = scoped(workspaceId);
  const [id] = written.get("Campaign")?.before.keys() ?? [];
  const campaign = id === undefined ? null : await Campaign.get(id);
  const sequence = campaign === null ? null : await Sequence.findOne({ campaignId: campaign._id });
  return campaign === null || sequence === null || campaign.launchedAt === null ? null : { campaign, sequence };
}

/**
 * The plan of a call that leaves a campaign in the state `after`; null when neither the sequence nor a setting was
 * edited. Run it once the call has been rolled back.
 */
export async function editPlanFor(after: Version): Promise<z.input<typeof EditPlan> | null> {
  const { workspaceId, _id: campaignId } = after.campaign;
  const [campaign, sequence] = await Promise.all([
    loadCampaign(workspaceId, campaignId),
    loadSequence(workspaceId, campaignId),
  ]);
  const isEdited =
    sequence.version !== after.sequence.version || !isDeepStrictEqual(campaign.settings, after.campaign.settings);
  return isEdited ? editPlanOf({ before: { campaign, sequence }, after }) : null;
}

async function editPlanOf({ before, after }: RehearsedEdit): Promise<z.input<typeof EditPlan>> {
  const { workspaceId, _id: id } = after.campaign;
  const now = Date.now();
  const settings = settingsOf(after.campaign.settings);
  const [found, reopenable] = await Promise.all([
    loadEditGroups(workspaceId, id, settings, before.sequence.mode),
    countFinishedReachable(after.sequence),
  ]);
  const edit: PlannedEdit = {
    before: before.sequence.steps,
    after: after.sequence.steps,
    delays: after.campaign.unsettled?.delays ?? [],
    now,
    calendar: await calendars(settings, new Set(found.map(({ timezone }) => timezone)), now),
  };
  const outcomes = outcomesOf(edit, found);
  const { firstDueAt, lastDueAt, ...sums } = sumUp(edit, outcomes);
  const groups = merged(outcomes);
  return {
    campaignId: id,
    ...sums,
    firstDueAt: dateOrNull(firstDueAt),
    lastDueAt: dateOrNull(lastDueAt),
    reopenable,
    changes: [
      ...changesBetween(before.sequence, after.sequence),
      ...settingChanges(before.campaign.settings, after.campaign.settings),
    ].map((change) => ({ ...change })),
    outlook: await outlooksOf({ before, after }, outcomes),
    groups: groups
      .slice(0, MOST_GROUPS)
      .map(({ count, had, ...group }) => ({ people: count, had: had.map((step) => step.stepId), ...group })),
    otherPeople: groups.slice(MOST_GROUPS).reduce((sum, group) => sum + group.count, 0),
    samples: await samplesOf({ before, after }, outcomes, now),
  };
}

function dateOrNull(at: number | null): Date | null {
  return at === null ? null : new Date(at);
}

/** The sending hours for each time zone, without national holidays. */
async function calendars(
  settings: Settings,
  zones: ReadonlySet<string | null>,
  now: number,
): Promise<PlannedEdit["calendar"]> {
  const usual = await calendarOf(settings, null, null, null, now);
  const known = new Map<string | null, Calendar>();
  for (const zone of zones) known.set(zone, await calendarOf(settings, null, zone, null, now));
  return (zone) => known.get(zone) ?? usual;
}

/** Merges groups that differ only in time zone and time. */
function merged(outcomes: readonly GroupOutcome[]): GroupOutcome[] {
  const groups = new Map<string, GroupOutcome>();
  for (const one of outcomes) {
    const key = JSON.stringify([one.had.map(({ stepId }) => stepId), one.waitsFor, one.waitsForAfter]);
    const group = groups.get(key);
    groups.set(key, group === undefined ? one : { ...group, count: group.count + one.count });
  }
  return [...groups.values()].sort((one, other) => other.count - one.count);
}

/**
 * The next and the last send of the campaign, before and after the edit. Null if emails wait for approvals, because
 * their time is unknown.
 */
async function outlooksOf({ before, after }: RehearsedEdit, outcomes: readonly GroupOutcome[]) {
  const sources = await loadCampaignSources(before.campaign);
  const outlook = async ({ campaign, sequence }: Version, waiting: WaitingGroup[]) => {
    const settings = settingsOf(campaign.settings);
    if (settings.approvalMode !== "NONE") return { firstSendAt: null, expectedFinishAt: null };
    const mailboxes = (await loadCampaignMailboxes(campaign.workspaceId, settings)).filter(maySendCampaigns);
    const { firstSendAt, expectedFinishAt } = await outlookOf(
      { ...sources, campaign, settings, sequence },
      mailboxes,
      waiting,
    );
    return { firstSendAt, expectedFinishAt };
  };
  const admitted = outcomes.filter(({ since, isPaused }) => since !== null && !isPaused);
  return {
    before: await outlook(
      before,
      admitted.map((group) => waitingOf(group, group.waitsFor, group.slotAt)),
    ),
    after: await outlook(
      after,
      admitted.map((group) => waitingOf(group, group.waitsForAfter, group.isRebooked ? group.dueAfter : group.slotAt)),
    ),
  };
}

function waitingOf(
  { timezone, mailboxId, had, count }: GroupOutcome,
  nextStepId: string | null,
  dueAt: number | null,
): WaitingGroup {
  return {
    timezone,
    country: null,
    nextStepId,
    had: had.map(({ stepId }) => stepId),
    mailboxId,
    dueAt: dateOrNull(dueAt),
    count,
  };
}

/**
 * Three recipients with both timelines: first those who will wait for another step, then those whose time changes, then
 * others.
 */
async function samplesOf(edit: RehearsedEdit, outcomes: readonly GroupOutcome[], now: number) {
  const weight = ({ waitsFor, waitsForAfter, isRebooked }: GroupOutcome) =>
    (isRebooked ? 1 : 0) + (waitsFor === waitsForAfter ? 0 : 2);
  const groups = distinct([...outcomes].sort((one, other) => weight(other) - weight(one)));
  const turns = [...Array(SAMPLES).keys()];
  const people = turns.flatMap((turn) => groups.map((group) => ({ group, recipientId: group.recipientIds[turn] })));
  const chosen = people.filter(({ recipientId }) => recipientId !== undefined).slice(0, SAMPLES);
  const { workspaceId, _id: campaignId } = edit.after.campaign;
  const samples = await Promise.all(
    chosen.map(async ({ group, recipientId = "" }) => {
      const situation = await loadSituation({ v: 1, workspaceId, campaignId, recipientId });
      if (situation === null) return [];
      const [before, after] = await Promise.all([
        timelineOf(situation, now),
        timelineOf(await editedFor(situation, edit, group), now),
      ]);
      return [{ recipientId, email: situation.recipient.email, before: before.map(shown), after: after.map(shown) }];
    }),
  );
  return samples.flat();
}

/** Sorts one group of each kind of change before further groups of the same kind. */
function distinct(groups: readonly GroupOutcome[]): GroupOutcome[] {
  const seen = new Set<string>();
  const first = groups.filter(({ waitsFor, waitsForAfter, isRebooked }) => {
    const kind = JSON.stringify([waitsFor, waitsForAfter, isRebooked]);
    return !seen.has(kind) && seen.add(kind);
  });
  return [...first, ...groups.filter((group) => !first.includes(group))];
}

function shown({ stepId, at, isEarliest }: { stepId: string; at: number; isEarliest: boolean }) {
  return { stepId, at: new Date(at), isEarliest };
}

/** A recipient in the state after the edit. */
async function editedFor(
  situation: Situation,
  { after: { campaign, sequence } }: RehearsedEdit,
  group: GroupOutcome,
): Promise<Situation> {
  const { send } = situation;
  const edited = { ...situation, campaign, settings: settingsOf(campaign.settings), sequence };
  if (group.since === null) return edited;
  const there = await loadSituationAt(edited, group.waitsForAfter);
  const change = there.step === null ? null : changedDelayOf(edited, there.step);
  const isStaying =
    group.waitsFor === group.waitsForAfter && (change === null || change.how === "KEEP" || isPutOff(send));
  if (isStaying) return { ...edited, step: there.step };
  const isBooked = there.send?.state === "RESERVED";
  const released =
    isBooked && there.send !== null ? { ...there.send, state: "RELEASED" as const, slotAt: null } : there.send;
  return { ...there, recipient: { ...there.recipient, nextSendAt: null, due: null }, send: released };
}
