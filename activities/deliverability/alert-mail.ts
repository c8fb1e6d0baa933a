import type { Logger } from "pino";
import type { Egress } from "../../connectors/net/egress.ts";
import type { SystemSmtp } from "../../domain/mailboxes/system-smtp.ts";
import { Workspace } from "../../models/workspace.ts";
import { loadTellable, loadUntold, markTold, type Untold } from "../../store/deliverability/alerts.ts";
import { sendSystemMail } from "../system-mail.ts";

export interface AlertMailDeps {
  egress: Egress;
  /** Where mails of the service itself go out; null: nobody is told by mail. */
  smtp: SystemSmtp | null;
  log: Logger;
}

/**
 * Mails members what opened and resolved since they were last told, in one mail each (rules/deliverability 5.3). A mail that could not be
 * sent is sent with the next ones; without a server nothing waits.
 */
export async function tellMembers({ egress, smtp, log }: AlertMailDeps, workspaceId: string): Promise<void> {
  const untold = await loadUntold(workspaceId);
  if (untold.length === 0) return;
  if (smtp !== null) {
    try {
      const workspace = await Workspace.findOne({ _id: workspaceId }, { name: 1 }).lean<Pick<Workspace, "name">>();
      const mail = mailOf(workspace?.name ?? workspaceId, untold);
      for (const to of await loadTellable(workspaceId)) await sendSystemMail(egress, smtp, { to, ...mail }, log);
    } catch (err) {
      log.warn({ err, workspaceId }, "members could not be told of alerts");
      return;
    }
  }
  await markTold(workspaceId, untold);
}

/** Subject and text of the mail: what is open, the gravest first, then what is gone. */
function mailOf(workspace: string, untold: readonly Untold[]): { subject: string; text: string } {
  const opened = untold.filter((alert) => alert.untold === "OPENED").map(({ severity, message }) => `${severity}: ${message}`);
  const resolved = untold.filter((alert) => alert.untold === "RESOLVED").map(({ message, resolution }) => resolution?.message ?? message);
  const count = `${untold.length} ${untold.length === 1 ? "change" : "changes"}`;
  const parts = [
    `The deliverability of ${workspace} in Outreach: ${count} since the last mail.`,
    ...(opened.length > 0 ? [["Open:", ...opened.map((line) => `- ${line}`)].join("\n")] : []),
    ...(resolved.length > 0 ? [["Resolved:", ...resolved.map((line) => `- ${line}`)].join("\n")] : []),
    "What to do stands under Deliverability, and in the tool deliverability_recommendations.",
  ];
  const subject =
    opened.length > 0 ? `${opened.length} deliverability alerts of ${workspace}` : `Deliverability alerts of ${workspace} resolved`;
  return { subject, text: `${parts.join("\n\n")}\n` };
}
