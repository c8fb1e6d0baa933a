import { DAY_MS } from "./time/durations.ts";

/** The activity of a client workspace in a week. */
export interface ClientWeek {
  name: string;
  activeCampaigns: number;
  mailboxes: number;
  sent: number;
  replied: number;
}

const WEEK_DAYS = 7;
/** The most clients that one email lists. The others are only counted. */
const MOST_NAMED = 200;

/** The last whole week before an instant, from Monday to Monday in UTC; `week` names it by its first day. */
export function weekBefore(now: Date): { week: string; from: Date; to: Date } {
  const today = Math.floor(now.getTime() / DAY_MS);
  // Day 0, the first day of 1970, was a Thursday
  const monday = today - ((today + 3) % WEEK_DAYS);
  const [from, to] = [new Date((monday - WEEK_DAYS) * DAY_MS), new Date(monday * DAY_MS)];
  return { week: from.toISOString().slice(0, 10), from, to };
}

/** Subject and text of the weekly email, with the clients in the order of their names. */
export function reportMail(
  agency: string,
  week: string,
  clients: readonly ClientWeek[],
): { subject: string; text: string } {
  const inOrder = [...clients].sort((one, other) => (one.name < other.name ? -1 : 1));
  const lines = inOrder.slice(0, MOST_NAMED).map(({ name, sent, replied, activeCampaigns, mailboxes }) => {
    return `${oneLine(name)}: ${sent} sent, ${replied} replied; ${activeCampaigns} active campaigns, ${mailboxes} mailboxes`;
  });
  const rest = inOrder.length - lines.length;
  const sum = (what: "sent" | "replied") => clients.reduce((total, client) => total + client[what], 0);
  return {
    subject: `${oneLine(agency)}: your clients in the week of ${week}`,
    text: [
      `All clients: ${sum("sent")} sent, ${sum("replied")} replied.`,
      "",
      ...lines,
      ...(rest > 0 ? [`and ${rest} more`] : []),
      "",
      "Weeks run from Monday to Monday, UTC. To stop this email, turn off weeklyReport in the workspace's settings.",
      "",
    ].join("\n"),
  };
}

/** A client's name on one line. The client chose the name, so it must not be able to add lines to the email. */
function oneLine(name: string): string {
  return name.replace(/\s+/g, " ").trim();
}
