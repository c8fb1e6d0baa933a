/** Why a mail server could not be used, in our own words. Nothing that a server said is shown (rules/security 3.3). */
export const CONNECTION_ERRORS = {
  AUTH_FAILED: "The server refused the user name or the password",
  CONNECT_FAILED: "The server could not be reached: check its name and port. The log of this service says why",
  TLS_FAILED: "The encrypted connection failed: check the security setting and the server's certificate",
  TIMEOUT: "The server did not answer in time",
  PROTOCOL_ERROR: "The server did not answer like a mail server",
} as const;

export type ConnectionErrorCode = keyof typeof CONNECTION_ERRORS;

/**
 * Why a provider does not let a mailbox send as its address, or open it, with what to do. Only a person can change that.
 * The values are functions of the mailbox's address.
 */
export const SENDER_ERRORS = {
  SENDER_NOT_ACCEPTED: (address: string) =>
    `Gmail does not let this account send as ${address}. In Gmail, open Settings > Accounts > Send mail as, then add and confirm ${address}`,
  SEND_AS_DENIED: (address: string) =>
    `Microsoft does not let the user who signed in send as ${address}. In the Exchange admin center, give this user the permission "Send as" for ${address}`,
  MAILBOX_ACCESS_DENIED: (address: string) =>
    `Microsoft does not let the user who signed in open ${address}. In the Exchange admin center, give this user the permission "Read and manage (Full Access)" for ${address}`,
} as const;
export type SenderErrorCode = keyof typeof SENDER_ERRORS;

/** Such a fault of one mailbox, with its text. */
export interface SenderError {
  code: SenderErrorCode;
  message: string;
}

export function senderError(code: SenderErrorCode, address: string): SenderError {
  return { code, message: SENDER_ERRORS[code](address) };
}

export function isConnectionErrorCode(code: string): code is ConnectionErrorCode {
  return Object.hasOwn(CONNECTION_ERRORS, code);
}
