import type { GoogleCredentials } from "../access/google-credentials.ts";
import { DAY_MS } from "../time/durations.ts";
import type { MailServer } from "./server.ts";
import type { MailApi } from "./transport.ts";

export const PROVIDERS = ["A", "B"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Where the provider's users consent, and where the tokens come from (RFC 6749). */
export interface OAuthClient {
  clientId: string;
  clientSecret: string;
  authUrl: string;
  tokenUrl: string;
  /** Where the provider returns the address of an account; null when its ID token states it. */
  userinfoUrl: string | null;
  /** The URL at which the provider revokes tokens (RFC 7009); null when the provider has none. */
  revocationUrl: string | null;
  scope: string;
  /** Whether the client sends its id and secret by HTTP Basic authentication instead of in the body. */
  isBasic?: boolean;
  /** How many seconds a token lasts if the provider does not say. */
  lifeSeconds?: number;
}

type ServiceAccount = Extract<GoogleCredentials, { type: "service_account" }>;

/**
 * How this deployment opens mailboxes that an organisation's admin has allowed, without a consent of each user
 * (rules/sending 5.15). GOOGLE: a service account with domain-wide delegation. MICROSOFT: the application itself, in
 * the tenant of its settings.
 */
export type Delegation =
  | { kind: "GOOGLE"; account: ServiceAccount; scope: string }
  | { kind: "MICROSOFT"; scope: string };

/** What Google's admin console and Microsoft Entra call the permission to read and send in every allowed mailbox. */
export const DELEGATED_SCOPES = {
  GOOGLE: "https://www.googleapis.com/auth/gmail.modify",
  MICROSOFT: "https://graph.microsoft.com/.default",
} as const satisfies Record<Delegation["kind"], string>;

/** Values of MICROSOFT_TENANT that are no single tenant, in which an application cannot log in by itself. */
export const MANY_TENANTS: readonly string[] = ["common", "organizations", "consumers"];

/** What this deployment knows about a mail provider; null if it is not configured. */
export interface MailProvider {
  /** What people call it. */
  name: string;
  /** The provider's logo as a `data:` URL; null if none is configured. */
  logo: string | null;
  servers: { smtp: MailServer; imap: MailServer } | null;
  oauth: OAuthClient | null;
  /** How mailboxes are opened without a consent of their users; null or absent where no admin has allowed it. */
  delegation?: Delegation | null;
  /** The day on which its client secret expires, as midnight UTC; null when the operator has not named it. */
  secretExpires?: Date | null;
  /** Its API, where its mailboxes use that instead of its servers; null otherwise. */
  api?: MailApi | null;
  /**
   * Suffixes of the names of the hosts that receive the email of the provider's customers, lower-case. If the list is
   * empty, no domain is recognised as the provider's.
   */
  mx: readonly string[];
}

export type MailProviders = Record<ProviderName, MailProvider>;

/** The name of a provider if the operator gives it none. */
export const PROVIDER_NAMES: Readonly<Record<ProviderName, string>> = { A: "Provider A", B: "Provider B" };

const NOTHING = { logo: null, servers: null, oauth: null, secretExpires: null, delegation: null, api: null, mx: [] };
export const NO_PROVIDERS: MailProviders = {
  A: { name: PROVIDER_NAMES.A, ...NOTHING },
  B: { name: PROVIDER_NAMES.B, ...NOTHING },
};

/** Milliseconds before the day on which a client secret expires, from which the operator is warned. */
const WARNED_MS = 30 * DAY_MS;

/** The warning that a client secret expires soon, as a sentence; null while it does not. */
export function warnOfSecret({ name, secretExpires = null }: MailProvider, now: number): string | null {
  if (secretExpires === null || secretExpires.getTime() - now > WARNED_MS) return null;
  const day = secretExpires.toISOString().slice(0, 10);
  return secretExpires.getTime() > now
    ? `The client secret of ${name} expires on ${day}. Create a new one before that day, or all its mailboxes stop`
    : `The client secret of ${name} expired on ${day}. Create a new one, so that its mailboxes continue`;
}

/**
 * The page on which an admin of an organisation allows this deployment's app; null for a provider without one. It is
 * recognised by the path of its sign-in page, which contains the tenant.
 */
export function adminConsentUrl({ authUrl, clientId }: Pick<OAuthClient, "authUrl" | "clientId">): string | null {
  const [, origin, tenant] = /^(https?:\/\/[^/]+)\/([^/]+)\/oauth2\/v2\.0\/authorize$/.exec(authUrl) ?? [];
  if (origin === undefined || tenant === undefined || tenant === "consumers") return null;
  const whose = tenant === "common" ? "organizations" : tenant;
  return `${origin}/${whose}/adminconsent?client_id=${encodeURIComponent(clientId)}`;
}

/**
 * Whether an organisation asks for its admin's approval, by the error that a browser brings back (RFC 6749 4.1.2.1).
 * At Microsoft that is the usual answer to the first user of an organisation.
 */
export function needsAdminApproval(error: string, description: string): boolean {
  if (error === "consent_required" || error === "admin_policy_enforced") return true;
  return (
    /\bAADSTS(?:65001|90094|90095)\b/.test(description) ||
    /\badmin(?:istrator)?\b.{0,40}\b(?:approv|consent)/i.test(description)
  );
}

/** What a user does when an admin must approve: a text to forward, with the link of the admin where there is one. */
export function adminApprovalText(name: string, url: string | null): string {
  const where = url === null ? `this app at ${name}` : `this app at ${url}`;
  return `${CONSENT_REFUSALS.ADMIN_APPROVAL_NEEDED.replace(/^The provider/, name)}. Forward this to your admin: "Please approve ${where} so that I can connect my mailbox". After the approval, start again`;
}

/** The ids that an OAuth consent passes to its workflow. */
export interface ConsentIds {
  v: 1;
  workspaceId: string;
  consentId: string;
}

/** Why a consent failed, by code and in our own words. `{address}` is the mailbox that was to be connected. */
export const CONSENT_REFUSALS = {
  GONE: "This consent has been used already",
  CODE_REFUSED: "The provider did not accept the consent: start again",
  CLIENT_REFUSED: "The provider does not accept this service: its operator must check the client id and its secret",
  ADMIN_APPROVAL_NEEDED: "The provider lets only an admin of your organisation allow this app",
  PERMISSION_MISSING: "The provider gave only some of the permissions: start again and allow all of them",
  NO_LASTING_TOKEN: "The provider gave no lasting permission: start again and allow all requested permissions",
  NO_ADDRESS: "The provider did not state the address of the mailbox",
  PROVIDER_AWAY: "The provider did not answer: start again in a moment",
  LIMIT_EXCEEDED: "This workspace has reached its limit of mailboxes",
  SERVERS_REFUSED: "The mail servers refused the mailbox's login",
  SHARED_MAILBOX_DENIED:
    "The provider does not let the user who signed in open {address}: in the Exchange admin center, give this user the permissions “Read and manage (Full Access)” and “Send as” for it, then start again",
  SENDER_NOT_ACCEPTED:
    "The provider does not let this account send as {address}: in Gmail, open Settings > Accounts > Send mail as, add and confirm the address, then start again",
} as const;
export type ConsentRefusal = keyof typeof CONSENT_REFUSALS;

export type ConsentOutcome =
  | { kind: "connected"; mailboxId: string; email: string }
  | { kind: "refused"; reason: ConsentRefusal; email?: string };

/** The ids that the revocation of a grant passes to its workflow. */
export interface GrantIds {
  v: 1;
  workspaceId: string;
  grantId: string;
}

/** An authorisation code can be exchanged only once, so nothing is retried. */
export const CONSENT = { workflow: "connectConsent", startToCloseTimeout: "45s", deadlineMs: 48_000 } as const;

/**
 * The revocation is tried once, as a best effort. When the provider does not receive it, the grant expires by itself.
 */
export const REVOCATION = { workflow: "revokeGrant", startToCloseTimeout: "20s" } as const;
