import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { z } from "zod";
import type { Egress } from "../connectors/net/egress.ts";
import { composeMessage } from "../connectors/smtp/compose.ts";
import { openSmtp, transmit } from "../connectors/smtp/connection.ts";
import type { SystemSmtp } from "../domain/mailboxes/system-smtp.ts";
import { ENTERS_WITHIN_MS } from "../domain/sending/last-look.ts";
import type { JobKind } from "../store/jobs.ts";
import { findSuspension } from "../store/workspace-stands.ts";

const Row = z.object({ to: z.string(), subject: z.string(), text: z.string() });

/**
 * Sends system emails such as invites, one for each row. An email that the server refuses is recorded as failed in the
 * job. If the connection fails, the job is retried, so a recipient may get an email twice, with the same link.
 */
export function systemMail({ egress, smtp, log }: { egress: Egress; smtp: SystemSmtp | null; log: Logger }): JobKind {
  return {
    async open({ workspaceId, parameters }) {
      const ofWorkspace = parameters["isOfService"] === true ? null : workspaceId;
      return async ({ rows, firstRow, state }, record) => {
        const items = [];
        for (const [index, row] of rows.entries()) {
          const { to, subject, text } = Row.parse(row);
          const isSent =
            smtp !== null && (await sendSystemMail(egress, smtp, { to, subject, text }, { ofWorkspace, log }));
          const outcome = {
            code: isSent ? null : "SEND_FAILED",
            message: isSent ? null : "The mail server did not accept the email",
            mailboxId: null,
          };
          items.push({
            row: firstRow + index,
            email: to,
            status: isSent ? ("CREATED" as const) : ("FAILED" as const),
            ...outcome,
          });
        }
        const failed = items.filter(({ status }) => status === "FAILED").length;
        await record({ succeeded: items.length - failed, failed, items, state });
      };
    },
    resultOf: () => null,
  };
}

/**
 * Sends an email of the service itself. `ofWorkspace` is the workspace for which it is sent, such as that of an invite;
 * null when there is none. Once a suspension of that workspace has answered, the email is not sent (rules/access 7.3).
 * Returns whether the server accepted it. @throws SmtpTrouble when it cannot be reached
 */
export async function sendSystemMail(
  egress: Egress,
  { server, login, from }: SystemSmtp,
  mail: z.output<typeof Row>,
  { ofWorkspace, log }: { ofWorkspace: string | null; log: Logger },
): Promise<boolean> {
  const { to, subject, text } = mail;
  const messageId = `<${randomUUID()}@${from.slice(from.lastIndexOf("@") + 1)}>`;
  const message = {
    from: { address: from },
    to: { address: to },
    subject,
    text,
    html: null,
    messageId,
    date: new Date(),
  };
  const { bytes } = await composeMessage(message);
  const connection = await openSmtp(egress, server, login);
  try {
    const outcome = await transmit(connection, from, to, bytes, () => mayLeave(ofWorkspace));
    if (outcome.kind === "refused") log.warn({ trouble: outcome.trouble }, "a system email was refused");
    if (outcome.kind === "lost") throw new Error("The connection broke while a system email was sent");
    return outcome.kind === "sent";
  } finally {
    connection.quit();
  }
}

/**
 * The last look before the content. A suspension waits as long as a look and its content may take before it answers, so
 * a look that took longer does not count.
 */
async function mayLeave(workspaceId: string | null): Promise<boolean> {
  if (workspaceId === null) return true;
  const begunAt = performance.now();
  const suspension = await findSuspension(workspaceId);
  return suspension === null && performance.now() - begunAt <= ENTERS_WITHIN_MS;
}
