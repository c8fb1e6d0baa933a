/** Why a mail server could not be used, in our own words. Nothing that a server said is shown (rules/security 3.3). */
export const CONNECTION_ERRORS = {
  AUTH_FAILED: "The server refused the user name or the password",
  CONNECT_FAILED: "The server could not be reached: check its name and port. The log of this service says why",
  TLS_FAILED: "The encrypted connection failed: check the security setting and the server's certificate",
  TIMEOUT: "The server did not answer in time",
  PROTOCOL_ERROR: "The server did not answer like a mail server",
} as const;

/** The error of a mailbox in which an email was skipped (rules/mail 5.12). */
export const EMAIL_UNREADABLE = {
  code: "EMAIL_UNREADABLE",
  message: "An email in the mailbox cannot be read, so it was skipped. All others are read",
} as const;

export type ConnectionErrorCode = keyof typeof CONNECTION_ERRORS;

export function isConnectionErrorCode(code: string): code is ConnectionErrorCode {
  return Object.hasOwn(CONNECTION_ERRORS, code);
}
