import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import { z } from "zod";
import type { Egress } from "../connectors/net/egress.ts";
import { composeMessage } from "../connectors/smtp/compose.ts";
import { openSmtp, transmit } from "../connectors/smtp/connection.ts";
import type { SystemSmtp } from "../domain/mailboxes/system-smtp.ts";
import type { JobKind } from "../store/jobs.ts";

const Row = z.object({ to: z.string(), subject: z.string(), text: z.string() });

/**
 * Sends system emails such as invites, one for each row. An email that the server refuses is recorded as failed in the
 * job. If the connection fails, the job is retried, so a recipient may get an email twice, with the same link.
 */
export function systemMail({ egress, smtp, log }: { egress: Egress; smtp: SystemSmtp | null; log: Logger }): JobKind {
  return {
    async open() {
      return async ({ rows, firstRow, state }, record) => {
        const items = [];
        for (const [index, row] of rows.entries()) {
          const { to, subject, text } = Row.parse(row);
          const isSent = smtp !== null && (await sendSystemMail(egress, smtp, { to, subject, text }, log));
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
 * Sends an email of the service itself. Returns whether the server accepted it. @throws SmtpTrouble when it cannot be
 * reached
 */
export async function sendSystemMail(
  egress: Egress,
  { server, login, from }: SystemSmtp,
  mail: z.output<typeof Row>,
  log: Logger,
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
    const outcome = await transmit(connection, from, to, bytes, async () => true);
    if (outcome.kind === "refused") log.warn({ trouble: outcome.trouble }, "a system email was refused");
    if (outcome.kind === "lost") throw new Error("The connection broke while a system email was sent");
    return outcome.kind === "sent";
  } finally {
    connection.quit();
  }
}
