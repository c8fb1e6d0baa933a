import type { Edit } from "../../pages/approvals/reads.ts";
import { counted, formatCount } from "../format.ts";

/** The texts about the planned effect of an edit, for the person who approves it. */
export const editPlanWords = {
  title: "Effect on recipients",
  changes: "What changes",
  figures: {
    people: "Open recipients",
    moved: "Wait for another step",
    earlier: "Next step earlier",
    later: "Next step later",
    rebooked: "Next step rebooked",
    completed: "Get no further step",
  },
  repeated: (people: number) => `${counted(people, "recipient", "recipients")} would get a step again.`,
  due: "Rebooked steps are due",
  to: "to",
  reopenable: (people: number) =>
    `${counted(people, "recipient has", "recipients have")} completed the sequence and would have another step. They get it only after you resume completed recipients.`,
  uncounted:
    "Recipients who have completed the sequence and would have another step are not counted, because the sequence has branches and more than 2,000 have completed it.",
  label: "Steps before and after the edit",
  step: "Step",
  wasStep: (order: number) => `was step ${order}`,
  isNew: "new",
  removed: "removed",
  waiting: "Wait for it",
  get: "Still get it",
  perhaps: (people: string) => `and perhaps ${people}`,
  misses: "Miss it",
  because: {
    STEP_REMOVED: "the step is removed",
    NOT_ON_THEIR_WAY: "the sequence no longer leads to it",
  } satisfies Record<NonNullable<Edit["steps"][number]["missesBecause"]>, string>,
  gains: "Get it in addition",
  versus: (before: number, after: number) =>
    before === after ? formatCount(after) : `${formatCount(before)} → ${formatCount(after)}`,
  outlook: "Emails of the campaign",
  firstSend: "Next email",
  lastSend: "Last email",
  unknown: "not known",
  unchanged: "unchanged",
  samples: (people: number) => counted(people, "recipient as an example", "recipients as examples"),
  now: "Now",
  after: "After the edit",
  place: (order: number | null) => (order === null ? "A step" : `Step ${order}`),
  earliest: "not before",
  nothing: "No further step",
} as const;
