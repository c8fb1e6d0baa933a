import type { Security } from "../states.ts";

/** A server through which a mailbox sends, or from which it is read. */
export interface MailServer {
  host: string;
  port: number;
  security: Security;
}

/** The credentials for both servers: a password, or an access token by XOAUTH2. */
export type Login = { user: string; password: string } | { user: string; accessToken: string };

/**
 * The user names with which a mailbox logs in, if they are not its address. `smtpUsername` applies only to the SMTP
 * server.
 */
export interface UserNames {
  username?: string | null | undefined;
  smtpUsername?: string | null | undefined;
}

/**
 * The login at the SMTP server, where a mailbox with a password may have another user name. A login with an OAuth token
 * is not changed.
 */
export function smtpLogin<L extends Login>(login: L, { smtpUsername }: UserNames): L {
  return "password" in login && typeof smtpUsername === "string" ? { ...login, user: smtpUsername } : login;
}

/** The usual ports of submission and IMAP: `implicit` uses TLS from the first byte, `plain` does not. */
const PORTS = { smtp: { implicit: 465, plain: 587 }, imap: { implicit: 993, plain: 143 } } as const;
const ALWAYS_TLS = [465, 993];
const NEVER_TLS_FIRST = [25, 143, 587];

/**
 * Applies the API's single `security` field to one server (rules/sending 5.3). Ports 465 and 993 always mean SSL_TLS.
 * Ports 25, 143 and 587 under SSL_TLS mean STARTTLS. When no port is given, the usual port for that security is taken.
 */
export function mailServer(
  kind: "smtp" | "imap",
  host: string,
  port: number | undefined,
  security: Security,
): MailServer {
  const chosenPort = port ?? (security === "SSL_TLS" ? PORTS[kind].implicit : PORTS[kind].plain);
  if (ALWAYS_TLS.includes(chosenPort)) return { host, port: chosenPort, security: "SSL_TLS" };
  if (security === "SSL_TLS" && NEVER_TLS_FIRST.includes(chosenPort))
    return { host, port: chosenPort, security: "STARTTLS" };
  return { host, port: chosenPort, security };
}
