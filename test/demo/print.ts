import { isKept, type Outcome } from "./table.ts";

/** The last text on the screen: what was promised, what happened, and whether they agree. */
export function tableOf(outcome: Outcome): string {
  const promise = (value: number) => (value === 0 ? "kept" : "BROKEN");
  const rows: [what: string, value: number, remark: string][] = [
    ["intended", outcome.intended, `${outcome.refused} refused for good, ${outcome.waiting} still waiting for a full mailbox`],
    ["sent", outcome.sent, "mails in the SMTP server's own ledger"],
    ["duplicates", outcome.duplicates, promise(outcome.duplicates)],
    ["lost", outcome.lost, promise(outcome.lost)],
    ["sent after stop", outcome.afterStop, promise(outcome.afterStop)],
    ["unknown", outcome.unknown, `never sent again; ${outcome.unknownArrived} did arrive`],
    ["replied", outcome.replied, "stopped by a reply"],
    ["out of office", outcome.outOfOffice, "paused until they are back"],
    ["bounced", outcome.bounced, "suppressed for good"],
    ["unsubscribed", outcome.unsubscribed, "one click, suppressed for good"],
    ["webhooks delivered", outcome.delivered, "each signed"],
    ["webhooks retried", outcome.retried, "refused with 500 at first, delivered a minute later"],
  ];
  const width = Math.max(...rows.map(([what]) => what.length));
  const lines = rows.map(([what, value, remark]) => `  ${what.padEnd(width)} ${String(value).padStart(5)}   ${remark}`);
  const balance = outcome.disagreements.map((text) => `  does not agree: ${text}`);
  const verdict = isKept(outcome) ? "Every promise held." : "A promise was broken.";
  const rule = `  ${"-".repeat(width + 6)}`;
  return ["", rule, ...lines, rule, ...balance, `  ${verdict}`, ""].join("\n");
}
