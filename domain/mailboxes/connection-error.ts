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

/** Why a provider gives no access to a mailbox, with the person who can change that. */
interface AccessCause {
  fixedBy: "USER" | "ADMIN" | "OPERATOR";
  /** Whether the mailbox must be connected again. Otherwise it continues by itself after the cause is gone. */
  needsConsent: boolean;
  /** What happened and what to do, as sentences. */
  text: string;
}

/** The causes for which a mailbox loses its access at once, whatever its transport (rules/sending 10.10). */
const CAUSES = {
  TOKEN_REVOKED: {
    fixedBy: "USER",
    needsConsent: true,
    text: "The permission was withdrawn at the provider, or it has expired. At Google a changed password ends it too. Connect the mailbox again.",
  },
  PASSWORD_CHANGED: {
    fixedBy: "USER",
    needsConsent: true,
    text: "The password of the account was changed, which ended the permission. Connect the mailbox again.",
  },
  APP_IN_TESTING: {
    fixedBy: "OPERATOR",
    needsConsent: true,
    text: "Google ended the permission after seven days, as it does while the app is in testing. Ask your operator to publish the app, then connect the mailbox again: publishing does not extend earlier permissions.",
  },
  ADMIN_POLICY: {
    fixedBy: "ADMIN",
    needsConsent: true,
    text: "A policy of the organisation ended the permission. Connect the mailbox again; if that is refused, ask the organisation's admin to allow this app.",
  },
  ADMIN_APPROVAL: {
    fixedBy: "ADMIN",
    needsConsent: true,
    text: "The organisation requires an admin's approval for this app. Ask its admin to approve the app, then connect the mailbox again.",
  },
  PERMISSION_MISSING: {
    fixedBy: "USER",
    needsConsent: true,
    text: "The permissions do not include everything that this app needs. Connect the mailbox again and allow all requested permissions.",
  },
  WRONG_ACCOUNT: {
    fixedBy: "USER",
    needsConsent: true,
    text: "The permission is for another account. Connect the mailbox again and sign in as its own user.",
  },
  API_BLOCKED: {
    fixedBy: "ADMIN",
    needsConsent: false,
    text: "The organisation's admin has blocked the provider's mail API. Ask the admin to allow this app. Then the mailbox continues by itself.",
  },
  NO_MAIL_SERVICE: {
    fixedBy: "ADMIN",
    needsConsent: false,
    text: "The account has no mailbox at the provider: the license is missing, the mail service is off, or the mailbox is on another server. Ask the organisation's admin to enable it. Then the mailbox continues by itself.",
  },
  ACCESS_DENIED: {
    fixedBy: "ADMIN",
    needsConsent: false,
    text: "The provider denies this app access to the mailbox. Ask the organisation's admin to allow it. Then the mailbox continues by itself, at the latest two hours later.",
  },
  SENDER_NOT_ACCEPTED: {
    fixedBy: "USER",
    needsConsent: false,
    text: "Gmail does not let the account send as this address. In Gmail, open Settings > Accounts > Send mail as, then add and confirm the address. Then the mailbox continues by itself.",
  },
  SEND_AS_DENIED: {
    fixedBy: "ADMIN",
    needsConsent: false,
    text: 'Microsoft does not let the account send as this address. Ask the organisation\'s admin for the permission "Send as". Then the mailbox continues by itself.',
  },
  MAILBOX_ACCESS_DENIED: {
    fixedBy: "ADMIN",
    needsConsent: false,
    text: 'Microsoft does not let the user who signed in open this shared mailbox. Ask the organisation\'s admin for the permission "Read and manage (Full Access)". Then the mailbox continues by itself.',
  },
  CLIENT_REFUSED: {
    fixedBy: "OPERATOR",
    needsConsent: false,
    text: "The provider refuses the client secret of this service, for example because it has expired. Only your operator can renew it. Then the mailbox continues by itself.",
  },
  API_NOT_ENABLED: {
    fixedBy: "OPERATOR",
    needsConsent: false,
    text: "The provider's mail API is not enabled for this service. Only your operator can enable it. Then the mailbox continues by itself.",
  },
  CLIENT_LIMIT: {
    fixedBy: "OPERATOR",
    needsConsent: false,
    text: "This service has used the daily quota that the provider gives it for all mailboxes. It continues by itself; only your operator can raise the quota.",
  },
} as const satisfies Record<string, AccessCause>;

export type AccessFault = keyof typeof CAUSES;
export const ACCESS_FAULTS: Readonly<Record<AccessFault, AccessCause>> = CAUSES;

/** Whether a status reason, or the code of an error, is a lost access. */
export function isAccessFault(code: string | null): code is AccessFault {
  return code !== null && Object.hasOwn(CAUSES, code);
}

/** The faults that end without a new consent, and those of them that only the operator can end. */
export const PASSING_FAULTS = faultsWhere(({ needsConsent }) => !needsConsent);
export const OPERATOR_FAULTS = faultsWhere(({ needsConsent, fixedBy }) => !needsConsent && fixedBy === "OPERATOR");

function faultsWhere(is: (cause: AccessCause) => boolean): AccessFault[] {
  return (Object.keys(CAUSES) as AccessFault[]).filter((fault) => is(CAUSES[fault])); // its own keys
}
