import { type MailServer, mailServer } from "./server.ts";

/** The server for emails of the service itself, such as invites. */
export interface SystemSmtp {
  server: MailServer;
  login: { user: string; password: string };
  /** The address that they come from. */
  from: string;
}

const FORM = /^smtps?:\/\/[^\s/?#]+@[^\s/?#@]+\/?$/;

/** Reads `smtps://user:password@host:port`, user and password percent-encoded; null for anything else. */
export function systemSmtpOf(text: string, from: string | null): SystemSmtp | null {
  if (!FORM.test(text) || !URL.canParse(text)) return null;
  const { protocol, hostname, port, username, password } = new URL(text);
  const user = decodeURIComponent(username);
  const sender = from ?? user;
  if (user === "" || !/^[^\s@<>]+@[^\s@<>]+$/.test(sender)) return null;
  const security = protocol === "smtps:" ? "SSL_TLS" : "STARTTLS";
  const server = mailServer("smtp", hostname, port === "" ? undefined : Number(port), security);
  return { server, login: { user, password: decodeURIComponent(password) }, from: sender };
}
