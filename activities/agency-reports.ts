import type { Logger } from "pino";
import type { Egress } from "../connectors/net/egress.ts";
import { reportMail, weekBefore } from "../domain/agency-report.ts";
import type { SystemSmtp } from "../domain/mailboxes/system-smtp.ts";
import type { Workspace } from "../models/access/workspace.ts";
import {
  countClient,
  findUnreported,
  listClients,
  loadReported,
  returnReport,
  takeReport,
} from "../store/client-figures.ts";
import { throughAll } from "./round.ts";
import { sendSystemMail } from "./system-mail.ts";

export interface AgencyReportActivities {
  /** Returns how many agencies got their report. */
  mailReports(): Promise<number>;
}

const PAGE = 100;

/**
 * A daily activity that emails each agency its clients' results of the last whole week, once per week (rules/access
 * 1.7).
 */
export function agencyReports({
  egress,
  smtp,
  log,
}: {
  egress: Egress;
  smtp: SystemSmtp | null;
  log: Logger;
}): AgencyReportActivities {
  return {
    async mailReports() {
      if (smtp === null) return 0;
      const { week, from, to } = weekBefore(new Date());
      const pages = async (last: string) =>
        (await findUnreported(week, last, PAGE)).map((one) => ({ ...one, workspaceId: one._id }));
      const reportToAgency = (agency: Workspace, beat: () => void) =>
        sendReport(smtp, agency, { week, from, to }, beat);
      return throughAll(pages, reportToAgency, log, "failed to send the weekly report to an agency");
    },
  };

  async function sendReport(
    server: SystemSmtp,
    { _id: workspaceId, name }: Workspace,
    { week, from, to }: ReturnType<typeof weekBefore>,
    beat: () => void,
  ): Promise<number> {
    const clients = [];
    for (const client of await listClients(workspaceId)) {
      clients.push(await countClient(client, from, to));
      beat();
    }
    // If the process dies after this line, the agency gets no email for this week, which is better than two emails
    if (clients.length === 0 || !(await takeReport(workspaceId, week))) return 0;
    const mail = reportMail(name, week, clients);
    let emailCount = 0;
    try {
      for (const to of await loadReported(workspaceId)) {
        await sendSystemMail(egress, server, { to, ...mail }, { ofWorkspace: workspaceId, log });
        emailCount = 1;
      }
    } catch (error) {
      if (emailCount === 0) await returnReport(workspaceId, week);
      throw error;
    }
    return emailCount;
  }
}
