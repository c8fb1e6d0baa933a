import { runsOf, startOfHour, type Week } from "../../../pages/campaign-setup/week.ts";
import { counted, formatCount } from "../../format.ts";

const weekdays = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"] as const;

/** The texts of the tab Schedule. */
export const scheduleWords = {
  hours: "Sending hours",
  grid: "Hours of the week",
  lead: "Emails leave only in these hours. Click an hour to open or close it, or drag over several.",
  weekdays,
  shortDays: ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
  day: "Day",
  hour: (day: number, hour: number) => `${weekdays[day]} ${startOfHour(hour)} to ${startOfHour(hour + 1)}`,
  presets: "Presets",
  office: "Monday to Friday, 09:00 to 17:00",
  always: "Every day, all day",
  closed: "Emails never leave: no hour is open.",
  exact: "Exact times",
  exactHint: "Times as 09:30, up to 24:00.",
  range: (number: number) => `Hours ${formatCount(number)}`,
  from: "From",
  to: "To",
  add: "Add hours",
  remove: (number: number) => `Remove hours ${formatCount(number)}`,
  removeShort: "Remove",
  save: "Save sending hours",
  discard: "Discard",
  unsaved: "Not saved yet.",
  saved: "Saved",
} as const;

/** The sending hours in a sentence, such as "Monday to Friday 09:00 to 17:00, in Europe/Berlin". */
export function weekInWords(week: Week, zone: string): string {
  const runs = runsOf(week).map(({ first, last, ranges }) => {
    const days = first === last ? weekdays[first] : `${weekdays[first]} to ${weekdays[last]}`;
    const hours = ranges.map(({ from, to }) => (from === "00:00" && to === "24:00" ? "all day" : `${from} to ${to}`));
    return `${days} ${hours.join(" and ")}`;
  });
  return runs.length === 0 ? scheduleWords.closed : `Emails leave ${runs.join("; ")}, in ${zone}.`;
}

/** The texts of the tab Senders. */
export const senderWords = {
  title: "Mailboxes",
  lead: "Campaign emails leave from the mailboxes that you choose here.",
  label: "Mailboxes of this campaign",
  chosen: "Sends",
  choose: (email: string) => `Send from ${email}`,
  mailbox: "Mailbox",
  left: "Left today",
  leftOf: (left: number, limit: number) => (limit === 0 ? "no limit" : `${formatCount(left)} of ${formatCount(limit)}`),
  health: "Health",
  byTag: "by tag",
  sum: (count: number, left: number | null) =>
    count === 0
      ? "No mailbox is chosen, so nothing can be sent."
      : `${counted(count, "mailbox", "mailboxes")} chosen${left === null ? "." : `, with ${counted(left, "email", "emails")} left today.`}`,
  empty: "No mailboxes yet. A mailbox is an email account that Outreach sends from.",
  connect: "Connect mailbox",
  change: (names: string) => `The campaign sends from: ${names}.`,
  noMailbox: "no mailbox",
} as const;
