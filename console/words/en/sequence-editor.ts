import type { Out } from "../../api/call.ts";
import { counted, formatCount } from "../format.ts";

type Step = Out<"get /campaigns/:campaignId/sequence">["steps"][number];
type Unit = Step["delay"]["unit"];

export const DELAY_UNITS: Record<Unit, string> = {
  MINUTES: "minutes",
  HOURS: "hours",
  DAYS: "days",
  BUSINESS_DAYS: "business days",
};

/** The texts of the sequence editor. */
export const editorWords = {
  views: "View",
  edit: "Edit",
  overview: "Results and history",
  editor: "Sequence editor",
  steps: "Steps",
  none: "No steps yet",
  noneText: "Add the first email. The wait before each further email and its text are up to you.",
  addEmail: "Add email",
  step: (order: number, type: string) => `${order} ${type}`,
  noSubject: "Continues the thread",
  noText: "No text yet",
  moveUp: (order: number) => `Move step ${order} up`,
  moveDown: (order: number) => `Move step ${order} down`,
  remove: (order: number) => `Remove step ${order}`,
  removed: (order: number) => `Step ${order} was removed.`,
  undo: "Undo",
  delay: "Wait",
  delayUnit: "Unit",
  delaySince: {
    admission: "after a recipient enters the campaign",
    email: "after the email before",
    step: "after the step before",
  },
  thread: "Thread",
  threads: { SAME_THREAD: "Reply in the same thread", NEW_THREAD: "Start a new thread" },
  firstThread: "The first email starts a thread.",
  variants: (order: number) => `Variants of step ${order}`,
  variant: (label: string) => `Variant ${label}`,
  variantTab: "Variant",
  off: "off",
  addVariant: "Add variant",
  removeVariant: "Remove variant",
  variantRemoved: (label: string) => `Variant ${label} was removed.`,
  weight: "Weight",
  weightHint: "1 to 100, compared with the other variants",
  enabled: "Send this variant",
  results: "Results",
  subject: "Subject",
  subjectHint: "Blank continues the thread of the email before.",
  body: "Body",
  bodyFormat: "Format",
  html: "HTML",
  text: "Plain text",
  htmlHint: "Blank sends the email as plain text only.",
  textHint: "Blank makes the plain text from the HTML.",
  insert: "Insert variable",
  spintaxHint: "Write {Hi|Hello} to vary the text.",
  files: "Attachments",
  removeFile: (name: string) => `Remove ${name}`,
} as const;

/** The use of templates in the editor. */
export const insertWords = {
  open: "Insert template",
  act: "Insert template",
  start: "Start from a template",
  startAct: "Use template",
  none: {
    STEP: "No step templates yet. Save a text that you use often as a template.",
    SEQUENCE: "No sequence templates yet. Save a campaign's sequence as a template.",
  },
  openTemplates: "Open templates",
  noneFound: "No template matches your search.",
  more: (shown: number, total: number) =>
    `${formatCount(shown)} of ${formatCount(total)} templates. Search to find the others.`,
  replaceTitle: (label: string) => `Replace the text of variant ${label}?`,
  replaceBoth: (name: string) =>
    `The template “${name}” replaces the subject and the body. You can undo this for a few seconds.`,
  replaceBody: (name: string) =>
    `The template “${name}” replaces the body. It has no subject, so the subject stays. You can undo this for a few seconds.`,
  replace: "Replace text",
  inserted: (name: string) => `Template “${name}” inserted.`,
  changedSince: "The template stays, because its text was changed after it was inserted.",
} as const;

/** Whether and where the changes are saved. */
export const saveWords = {
  state: "State of the changes",
  saved: (time: string) => `Saved ${time}`,
  allSaved: "All changes are saved",
  saving: "Saving…",
  unsaved: "Not saved yet",
  failed: "Your changes could not be saved. This browser keeps them until you sign out.",
  notKept: "Not saved. This browser cannot keep your changes, so leave this page open.",
  noChanges: "No changes",
  draft: "Draft in this browser. Recipients get the saved version until you apply your changes.",
  review: "Review changes",
  discard: "Discard changes",
  discardTitle: "Discard your changes?",
  discardEffect: "The sequence stays as it was saved. You can undo this for a few seconds.",
  discarded: "Your changes were discarded.",
  retry: "Save now",
  conflict: "Someone else changed this sequence. Your changes are not saved.",
  compare: "Compare versions",
} as const;

export const reviewWords = {
  title: "Review changes",
  restoreTitle: (version: number) => `Restore version ${version}`,
  planning: "Calculating the effect…",
  unchanged: "This would change nothing.",
  stale: "Something changed since this was shown. Check the new effect, then decide.",
  keepBooked: "Keep the send times of waiting recipients",
  keepBookedHint: "Otherwise, recipients who wait for a step whose delay changed get a new send time.",
  act: "Apply changes",
  applied: "Changes applied.",
  restoreOpen: "Restore this version…",
  restore: "Restore this version",
  restored: (version: number) => `Version ${version} is restored.`,
} as const;

export const conflictWords = {
  title: "This sequence was changed by someone else",
  text: "Someone else saved this sequence while you were editing. Choose which one to keep. Until then, your changes stay in this browser.",
  own: "Your version",
  other: "Saved version",
  same: "The other steps are the same in both versions.",
  differs: (parts: string) => `Different: ${parts}`,
  parts: {
    order: "position",
    type: "type",
    delay: "wait",
    threadMode: "thread",
    conditions: "conditions",
    config: "settings",
    variants: "email texts or variants",
    winner: "winner",
  } satisfies Partial<Record<keyof Step, string>>,
  weights: (list: string) => `Weights: ${list}`,
  weight: (label: string, weight: number, isEnabled: boolean) => `${label} ${weight}${isEnabled ? "" : " (off)"}`,
  removed: "Not in this version",
  urlNotKept: (order: number) =>
    `This browser does not keep webhook URLs. If you keep your version, enter the URL of step ${order} again.`,
  keepOwn: "Save your version",
  takeOther: "Use the saved version",
  later: "Decide later",
  tookOther: "The saved version is shown. Your version was replaced.",
} as const;

export const previewWords = {
  title: "Preview",
  lead: (name: string) => `For ${name}`,
  example: "An example lead",
  useExample: "Use example lead",
  search: "Search leads",
  previous: "Previous recipient",
  next: "Next recipient",
  from: (address: string) => `From ${address}`,
  noMailbox: "The campaign has no mailbox yet.",
  frame: "Preview of the email",
  quoted: "Quoted text",
  html: "HTML",
  text: "Plain text",
  phone: "Phone width",
  parts: "Part of the email",
  length: (words: number, letters: number) =>
    `${counted(words, "word", "words")}, ${counted(letters, "character", "characters")}`,
  noSubject: "No subject",
  missing: (names: string) => `This lead lacks ${names}.`,
  lacking: (name: string, count: number, of: number) => `${name}: ${formatCount(count)} of ${formatCount(of)} lack it`,
  lackingTitle: "Missing variables",
  lackingText: (of: number) => `Among ${counted(of, "recipient", "recipients")} still to be contacted.`,
  noneLacking: (of: number) => `Every variable has a value for all ${formatCount(of)} recipients who were checked.`,
  warnings: "Warnings",
  score: (score: string, required: string) => `Spam score ${score}. The spam filter rejects from ${required}.`,
} as const;

export const testSendWords = {
  open: "Send test email",
  title: (order: number, label: string) => `Send a test email of step ${order}, variant ${label}`,
  effect: (lead: string) =>
    `One email goes to the address below, from a mailbox of the campaign, marked [TEST], with the values of ${lead}. No recipient gets it, and it is not counted.`,
  example: "an example lead",
  savedOnly: "Your latest changes are not saved yet. The test email has the saved text.",
  notSaved: "This step or variant is not saved yet, so it cannot be tested.",
  to: "To",
  act: "Send test email",
  said: (to: string) => `The test email was sent to ${to}.`,
} as const;
