import { ImapFlow, type ImapFlowOptions } from "imapflow";
import type { ConnectionErrorCode } from "../../domain/mailboxes/connection-error.ts";
import type { Login, MailServer } from "../../domain/mailboxes/server.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { EgressError } from "../net/connect.ts";
import type { Egress } from "../net/egress.ts";
import { OAuthTrouble } from "../oauth.ts";

/** An IMAP server could not be used, by our own code. `cause` contains the library's error for the log. */
export class ImapTrouble extends Error {
  readonly code: ConnectionErrorCode;
  constructor(code: ConnectionErrorCode, options?: ErrorOptions) {
    super(`IMAP ${code}`, options);
    this.code = code;
  }
}

const CONNECT_MS = 20_000;
const SOCKET_MS = 5 * MINUTE_MS;
/** Milliseconds of one IDLE, so that a silently cut connection is noticed within five minutes (rules/mail 5.3). */
const IDLE_MS = 4 * MINUTE_MS;
/** Most octets of one message. Only the headers of a larger message are read (rules/mail 11.2). */
export const MAX_MESSAGE = 25 * 1024 * 1024;
/** The number of addresses of one host that are tried. */
const MOST_ADDRESSES = 2;

/**
 * Connects to a checked address, upgrades to TLS and logs in. The caller logs out. The connection is given up when the
 * server does not answer for `silenceMs`. Throws ImapTrouble.
 */
export async function openImap(
  egress: Egress,
  server: MailServer,
  login: Login,
  silenceMs = SOCKET_MS,
): Promise<ImapFlow> {
  const addresses = await egress.resolve(server.host, server.port).catch((cause) => {
    throw troubleOf(cause);
  });
  let last: unknown;
  for (const address of addresses.slice(0, MOST_ADDRESSES)) {
    const client = new ImapFlow({ ...optionsOf(egress, server, address, login), socketTimeout: silenceMs });
    // The running command gets any later error
    client.on("error", () => {});
    try {
      await client.connect();
      return client;
    } catch (cause) {
      client.close();
      last = troubleOf(cause);
      if (last instanceof ImapTrouble && last.code !== "CONNECT_FAILED") break;
    }
  }
  throw last;
}

/**
 * The library gets an IP address, so that it resolves nothing itself; the certificate is checked against the host name.
 */
function optionsOf(
  egress: Egress,
  { host, port, security }: MailServer,
  address: string,
  login: Login,
): ImapFlowOptions {
  const { servername, ...tls } = egress.tlsOptions(host);
  return {
    host: address,
    port,
    secure: security === "SSL_TLS",
    ...(security !== "SSL_TLS" && { doSTARTTLS: security === "STARTTLS" }),
    ...(servername !== undefined && { servername }),
    tls: { ...tls, minVersion: "TLSv1.2" },
    auth: "password" in login ? { user: login.user, pass: login.password } : login,
    logger: false,
    clientInfo: { name: false },
    disableAutoIdle: true,
    disableCompression: true, // compression takes a third of a megabyte per connection, and most connections are idle
    maxIdleTime: IDLE_MS,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    maxLiteralSize: MAX_MESSAGE + 1024 * 1024,
    maxResponseSize: MAX_MESSAGE + 2 * 1024 * 1024,
    maxLineLength: 1024 * 1024,
  };
}

/** Ends the session without waiting long for a server that may be gone. */
export function logout(client: ImapFlow): void {
  const timer = setTimeout(() => client.close(), 2_000);
  client
    .logout()
    .catch(() => client.close())
    .finally(() => clearTimeout(timer));
}

interface LibraryError {
  code?: string;
  authenticationFailed?: boolean;
  tlsFailed?: boolean;
  serverResponseCode?: string;
}

/** The error of the library or of the connector as one of our codes. */
export function troubleOf(cause: unknown): ImapTrouble {
  if (cause instanceof ImapTrouble) return cause;
  if (cause instanceof OAuthTrouble)
    return new ImapTrouble(cause.kind === "revoked" ? "AUTH_FAILED" : "CONNECT_FAILED", { cause });
  if (cause instanceof EgressError) {
    return new ImapTrouble(cause.reason === "TIMEOUT" ? "TIMEOUT" : "CONNECT_FAILED", { cause });
  }
  return new ImapTrouble(imapErrorCodeOf(typeof cause === "object" && cause !== null ? cause : {}), { cause });
}

function imapErrorCodeOf({
  code = "",
  authenticationFailed,
  tlsFailed,
  serverResponseCode = "",
}: LibraryError): ConnectionErrorCode {
  // A server that is busy also refuses the login with NO
  if (/^(?:UNAVAILABLE|INUSE|LIMIT|SERVERBUG|CONTACTADMIN)$/i.test(serverResponseCode)) return "CONNECT_FAILED";
  if (authenticationFailed) return "AUTH_FAILED";
  if (/TIMEOUT|ETIMEDOUT/i.test(code)) return "TIMEOUT";
  if (tlsFailed || /CERT|ALTNAME|SSL|TLS|SELF_SIGNED|UNABLE_TO|EPROTO/.test(code)) return "TLS_FAILED";
  if (/^(?:ECONN|EHOST|ENET|EPIPE|ENOTFOUND|EADDR|NoConnection|EConnectionClosed|ClosedAfterConnect)/.test(code))
    return "CONNECT_FAILED";
  return "PROTOCOL_ERROR";
}
