import { type Count, findEmpty } from "./census.ts";
import { isKept, type Outcome } from "./table.ts";

/**
 * The last text on the screen: what was promised, what happened, whether they agree, and what the workspace holds now.
 */
export function tableOf(outcome: Outcome, census: readonly Count[]): string {
  const promise = (value: number) => (value === 0 ? "kept" : "BROKEN");
  const rows: [what: string, value: number, remark: string][] = [
    [
      "intended",
      outcome.intended,
      `${outcome.refused} refused permanently, ${outcome.waiting} still waiting for a full mailbox`,
    ],
    ["sent", outcome.sent, "emails that the SMTP servers accepted"],
    ["duplicates", outcome.duplicates, promise(outcome.duplicates)],
    ["lost", outcome.lost, promise(outcome.lost)],
    ["sent after stop", outcome.afterStop, promise(outcome.afterStop)],
    ["unknown", outcome.unknown, `never sent again; ${outcome.unknownArrived} did arrive`],
    ["replied", outcome.replied, "stopped by a reply"],
    ["out of office", outcome.outOfOffice, "paused until they are back"],
    ["bounced", outcome.bounced, "suppressed permanently"],
    ["unsubscribed", outcome.unsubscribed, "one click, suppressed permanently"],
    ["opened", outcome.opened, "people; scanners and privacy proxies do not count"],
    ["clicked", outcome.clicked, "people who followed a link"],
    ["converted", outcome.conversions, `sign-ups, meetings and purchases; revenue ${outcome.revenue.toFixed(2)} EUR`],
    ["webhooks delivered", outcome.delivered, "each signed"],
    ["webhooks retried", outcome.retried, "refused with 500 at first, delivered a minute later"],
  ];
  const width = Math.max(...rows.map(([what]) => what.length));
  const lines = rows.map(([what, value, remark]) => `  ${what.padEnd(width)} ${String(value).padStart(5)}   ${remark}`);
  const balance = outcome.disagreements.map((text) => `  does not agree: ${text}`);
  const states = census.map(({ kind, states }) => {
    const counts = Object.entries(states).map(([state, count]) => `${state} ${count}`);
    return `  ${kind.padEnd(width)}   ${counts.join("  ")}`;
  });
  const empty = findEmpty(census).map((state) => `  nothing is in the state: ${state}`);
  const verdict = !isKept(outcome)
    ? "A promise was broken."
    : empty.length > 0
      ? "A state is empty."
      : "Every promise held.";
  const rule = `  ${"-".repeat(width + 6)}`;
  return ["", rule, ...lines, rule, ...states, rule, ...balance, ...empty, `  ${verdict}`, ""].join("\n");
}

/** What the demo exits with: 0 only if every promise was kept and every promised state has a record. */
export function exitCodeOf(outcome: Outcome, census: readonly Count[]): 0 | 1 {
  return isKept(outcome) && findEmpty(census).length === 0 ? 0 : 1;
}
