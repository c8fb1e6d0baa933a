import { DAY_MS } from "./time/durations.ts";

/** What a client workspace did in a week. */
export interface ClientWeek {
  name: string;
  activeCampaigns: number;
  mailboxes: number;
  sent: number;
  replied: number;
}

const WEEK_DAYS = 7;
/** How many clients one email names. The others are only counted. */
const MOST_NAMED = 200;

/** The last whole week before an instant, from Monday to Monday in UTC; `week` names it by its first day. */
export function weekBefore(now: Date): { week: string; from: Date; to: Date } {
  const today = Math.floor(now.getTime() / DAY_MS);
  // 1970 began on a Thursday
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

/** A client typed the name, so it must not begin a line of its own. */
function oneLine(name: string): string {
  return name.replace(/\s+/g, " ").trim();
}
