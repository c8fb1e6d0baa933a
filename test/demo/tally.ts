import type { Sandbox } from "../fakes/sandbox.ts";

const FOLDERS = ["INBOX", "Junk", "Warmup", "Sent"];

/**
 * The traffic of a sandbox: who sent how many emails, which email came twice, and what lies in the folders of each
 * mailbox.
 */
export function tallyOf(sandbox: Pick<Sandbox, "ledger" | "report" | "imapOf">, mailboxes: readonly string[]): string {
  const { ledger } = sandbox;
  const sentBy = Map.groupBy(ledger, ({ user, from }) => (user ?? from).toLowerCase());
  const width = Math.max(...mailboxes.map((address) => address.length), "mailbox".length);
  const line = (name: string, cells: readonly (string | number)[]) =>
    `  ${name.padEnd(width)}${cells.map((cell) => String(cell).padStart(8)).join("")}`;
  const rows = mailboxes.map((address) => {
    const imap = sandbox.imapOf(address);
    return line(address, [
      sentBy.get(address.toLowerCase())?.length ?? 0,
      ...FOLDERS.map((folder) => imap.count(folder)),
    ]);
  });
  const twice = sandbox.report().duplicates.length;
  return [
    `  The SMTP server took ${ledger.length} mails, ${twice} of them twice.`,
    line("mailbox", ["sent", ...FOLDERS]),
    ...rows,
  ].join("\n");
}
