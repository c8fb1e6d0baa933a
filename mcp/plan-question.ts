import type { z } from "zod";
import type { Planned } from "../operations/sending/plan.ts";

type Plan = z.output<typeof Planned>["plan"];
type Effect = Plan["effect"];

const FIELD = "proceed";

/** The form with which a person at the application answers. It has no default, so an empty form agrees to nothing. */
export const CHOICE = {
  field: FIELD,
  form: {
    type: "object" as const,
    properties: {
      [FIELD]: { type: "boolean" as const, title: "Do exactly this", description: "If not, nothing is done" },
    },
    required: [FIELD],
  },
};

const QUESTIONS: Readonly<Record<Effect["kind"], string>> = {
  LAUNCH: "Launch this campaign?",
  RESUME: "Resume this campaign?",
  TEST_SEND: "Send this test email?",
  PLACEMENT_TEST: "Start this placement test?",
  REPLY: "Send this reply?",
  SCHEDULED_REPLY: "Schedule this reply?",
  CHANGE: "Make this change?",
};

const CAUSES: Readonly<Record<Effect["causes"][number], string>> = {
  SENDS: "It sends email.",
  CHANGES_SENDING: "It changes what will be sent.",
  DISCLOSES: "It gives data to a new external destination.",
  DESTROYS: "It deletes data that cannot be restored.",
};

/** The most names and lines of one kind. */
const MOST = 5;
/** The most characters of a name, and of the text of an email. */
const LONGEST = { name: 120, text: 600 };
/** The most people of a campaign whose variables a plan checks. */
const MOST_CHECKED = 1_000;

/** The effect of a plan in plain sentences, for the person who is asked. */
export function questionOf({ effect, budget, expiresAt }: Plan): string {
  const { kind, causes, isDone, cost } = effect;
  const lines = [
    QUESTIONS[kind],
    isDone && "Nothing would change: this is already done.",
    ...(kind === "CHANGE" ? causes.map((cause) => CAUSES[cause]) : []),
    ...sendingOf(effect),
    ...changesOf(effect),
    ...firstEmailOf(effect),
    budget !== null && `It costs ${digits(cost)} of the ${digits(budget.left)} emails that are left today.`,
    `Nothing is done until you answer. The plan is valid until ${timeOf(expiresAt)}.`,
  ];
  return lines.filter((line) => line !== false).join("\n");
}

function sendingOf(effect: Effect): (string | false)[] {
  const { people, mails, recipients, mailboxes, firstSendAt, lastSendAt, heldOut } = effect;
  const senders = mailboxes.map(({ email }) => email);
  const first = firstSendAt !== null && `The first leaves at ${timeOf(firstSendAt)}`;
  const last = lastSendAt !== null && `${first === false ? "The" : "the"} last leaves at ${timeOf(lastSendAt)}`;
  const times = [first, last].filter((part) => part !== false).join(", ");
  return [
    people + mails > 0 &&
      `At most ${counted(mails, "email")} to ${counted(people, "person", "people")}${named(recipients, people)}.`,
    senders.length > 0 && `From ${counted(senders.length, "mailbox", "mailboxes")}${named(senders)}.`,
    times !== "" && `${times}.`,
    heldOut > 0 && `${counted(heldOut, "person is", "people are")} held out and never contacted.`,
    ...lackingOf(effect),
  ];
}

function lackingOf({ kind, people, lacking }: Effect): (string | false)[] {
  const others = lacking.length - MOST;
  // A change may concern fewer people than its campaign has
  const isPartial = lacking.length > 0 && (people > MOST_CHECKED || kind === "CHANGE");
  return [
    ...lacking.slice(0, MOST).map(({ name, count, hasFallback }) => {
      const then = hasFallback ? "a fallback replaces it" : "they do not get the emails that use it";
      return `${counted(count, "person has", "people have")} no value for ${inline(name)}: ${then}.`;
    }),
    others > 0 && `And ${counted(others, "other variable")}.`,
    isPartial && `These counts cover at most the first ${digits(MOST_CHECKED)} people of the campaign.`,
  ];
}

function changesOf({ changes, destinations, differences }: Effect): (string | false)[] {
  const others = changes.length - MOST;
  const changing = differences.map(({ to }) => to);
  return [
    ...changes.slice(0, MOST).map(({ what, created, changed, deleted, examples }) => {
      const counts = Object.entries({ created, changed, deleted }).filter(([, count]) => count > 0);
      const done = counts.map(([word, count]) => `${digits(count)} ${word}`).join(", ");
      return `${inline(what)}: ${done}${named(examples, created + changed + deleted)}.`;
    }),
    others > 0 && `And ${counted(others, "other kind", "other kinds")} of record.`,
    destinations.length > 0 && `Data goes to a destination outside${named(destinations)}.`,
    changing.length > 0 && `The next email changes, among others for these people${named(changing)}.`,
  ];
}

/** The first email, with `>` before each of its lines, so that its text cannot pass for ours. */
function firstEmailOf({ texts }: Effect): string[] {
  const [first] = texts;
  if (first === undefined) return [];
  const { to, cc, bcc, subject, text, fileNames } = first;
  const which = texts.length > 1 ? `The first of ${digits(texts.length)} rendered emails` : "The email";
  const copies = [...cc, ...bcc];
  const extras = [
    copies.length > 0 && `, with copies${named(copies)}`,
    fileNames.length > 0 && `, with files${named(fileNames)}`,
  ].filter((extra) => extra !== false);
  const shown = text.slice(0, LONGEST.text).toWellFormed();
  const lines = [`Subject: ${subject}`, ...shown.split(/\r\n|[\r\n\u2028\u2029]/)];
  if (shown.length < text.length) lines.push("...");
  return [`${which}, to ${inline(to)}${extras.join("")}.`, ...lines.map((line) => `> ${visible(line)}`)];
}

/** A colon with the first names, and how many there are besides; nothing when there are no names to show. */
function named(names: readonly string[], total = names.length): string {
  const first = names.slice(0, MOST).map(inline);
  if (first.length === 0) return "";
  const more = total - first.length;
  return `: ${first.join(", ")}${more > 0 ? ` and ${digits(more)} more` : ""}`;
}

/** A name on one line, because other people may have written it. */
function inline(text: string): string {
  const line = visible(text.replace(/\s+/g, " ")).trim();
  return line.length > LONGEST.name ? `${line.slice(0, LONGEST.name).toWellFormed()}...` : line;
}

/** The text without characters that are invisible or change its direction. */
function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, "");
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${digits(count)} ${count === 1 ? one : many}`;
}

function digits(count: number): string {
  return count.toLocaleString("en");
}

function timeOf(iso: string): string {
  return `${iso.slice(0, 16).replace("T", " ")} UTC`;
}
