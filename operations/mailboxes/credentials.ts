import { z } from "zod";
import { checkMailHost, parseAllow } from "../../domain/access/allowed-hosts.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { HEADER_CONTROLS } from "../../domain/mail/message.ts";
import { type MailServer, mailServer } from "../../domain/mailboxes/server.ts";
import { SECURITIES } from "../../domain/states.ts";
import { address } from "../address.ts";
import type { ServiceSettings } from "../context.ts";
import { name } from "../fields.ts";

const port = z.number().int().min(1).max(65_535).optional();
const host = z.string().min(1).max(253);

/** The sender name in the From header. */
export const senderName = name.refine((text) => !HEADER_CONTROLS.test(text), {
  message: "must be one line",
  params: { code: "INVALID_TEXT" },
});

/** A user name that a server requires in place of the address. Null and absent mean the address. */
export const userName = z
  .string()
  .trim()
  .min(1)
  .max(320)
  .refine((text) => !HEADER_CONTROLS.test(text), {
    message: "must not contain control characters",
    params: { code: "INVALID_TEXT" },
  });
const username = userName.nullable().optional().describe("User name for both servers. Default: the address");
const smtpUsername = userName.nullable().optional().describe("User name for SMTP only. Default: `username`");

/** SMTP and IMAP credentials (rules/sending 5.3). */
export const Credentials = z
  .strictObject({
    email: address.describe("The mailbox address"),
    password: z.string().min(1).max(1_000).describe("The password, or an app password"),
    username,
    smtpUsername,
    smtpHost: host.describe("The name of the SMTP server"),
    smtpPort: port.describe("The port, 1 to 65,535"),
    imapHost: host.describe("The name of the IMAP server"),
    imapPort: port.describe("The port, 1 to 65,535"),
    security: z
      .enum(SECURITIES)
      .default("SSL_TLS")
      .describe("SSL_TLS encrypts at once, STARTTLS after connecting, NONE never. Default SSL_TLS"),
    name: senderName.optional().describe("The sender name"),
  })
  .meta({ id: "SmtpCredentials", description: "Servers and credentials of a mailbox" });

/** Credentials of a mailbox whose provider's servers are known. */
export const AppPassword = z.strictObject({
  email: address.describe("The mailbox address"),
  appPassword: z.string().min(1).max(1_000).describe("An app password of the provider"),
  username,
  smtpUsername,
  name: senderName.optional().describe("The sender name"),
});

/** Like `AppPassword`, but the servers may be overridden. */
export const Basic = z.strictObject({
  email: address.describe("The mailbox address"),
  password: z.string().min(1).max(1_000).describe("The password, or an app password"),
  username,
  smtpUsername,
  name: senderName.optional().describe("The sender name"),
  smtpHost: host.optional().describe("The name of the SMTP server"),
  smtpPort: port.describe("The port, 1 to 65,535"),
  imapHost: host.optional().describe("The name of the IMAP server"),
  imapPort: port.describe("The port, 1 to 65,535"),
});

export interface Servers {
  smtp: MailServer;
  imap: MailServer;
}

/**
 * Both servers, with default ports and security filled in (rules/sending 5.3).
 * @throws AppError HOST_NOT_ALLOWED for NONE where that is not allowed, and for a host that the egress rules refuse
 */
export function serversOf(
  settings: ServiceSettings,
  given: Pick<z.output<typeof Credentials>, "security" | "smtpHost" | "smtpPort" | "imapHost" | "imapPort">,
  field = "credentials",
): Servers {
  const { security, smtpHost, smtpPort, imapHost, imapPort } = given;
  if (security === "NONE" && !settings.allowInsecureMail) {
    throw new AppError(
      "HOST_NOT_ALLOWED",
      "Servers without TLS are not allowed here: use SSL_TLS or STARTTLS. Your operator can set ALLOW_INSECURE_MAIL",
      {
        path: `${field}.security`,
      },
    );
  }
  const smtp = mailServer("smtp", smtpHost, smtpPort, security);
  const imap = mailServer("imap", imapHost, imapPort, security);
  return { smtp: placed(settings, `${field}.smtpHost`, smtp), imap: placed(settings, `${field}.imapHost`, imap) };
}

function placed({ egressAllow, publicUrl, trackUrl }: ServiceSettings, path: string, server: MailServer): MailServer {
  const ownHosts = [publicUrl, trackUrl].map((url) => new URL(url).hostname);
  try {
    return { ...server, host: checkMailHost(server.host, server.port, { allow: parseAllow(egressAllow), ownHosts }) };
  } catch (err) {
    if (!(err instanceof AppError)) throw err;
    if (err.code === "VALIDATION_FAILED") throw invalid(path, "is not a host name");
    throw new AppError(err.code, err.message, { ...err.details, path }, { cause: err });
  }
}
