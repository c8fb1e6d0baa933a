import type { MailServer } from "./server.ts";

export const PROVIDERS = ["A", "B"] as const;
export type ProviderName = (typeof PROVIDERS)[number];

/** Where a provider's users consent, and where tokens come from (RFC 6749). */
export interface OAuthClient {
  clientId: string;
  clientSecret: string;
  authUrl: string;
  tokenUrl: string;
  userinfoUrl: string;
  /** Where it takes tokens back (RFC 7009); null where it does not say. */
  revocationUrl: string | null;
  scope: string;
}

/** What this installation knows of a mail provider; null where it is not configured. */
export interface MailProvider {
  servers: { smtp: MailServer; imap: MailServer } | null;
  oauth: OAuthClient | null;
  /** Ends of the names of the hosts that receive its customers' mail, lower-cased; none: nobody is known to be at it. */
  mx: readonly string[];
}

export type MailProviders = Record<ProviderName, MailProvider>;

const NOTHING: MailProvider = { servers: null, oauth: null, mx: [] };
export const NO_PROVIDERS: MailProviders = { A: NOTHING, B: NOTHING };

/** What a consent and its workflow agree on. */
export interface ConsentIds {
  v: 1;
  workspaceId: string;
  consentId: string;
}

/** Why a consent came to nothing, as one of our codes; in our own words. */
export const CONSENT_REFUSALS = {
  GONE: "This consent has been used already",
  CODE_REFUSED: "The provider did not accept the consent: start again",
  NO_LASTING_TOKEN: "The provider gave no lasting permission: start again and allow all that is asked",
  NO_ADDRESS: "The provider did not tell the address of the mailbox",
  PROVIDER_AWAY: "The provider did not answer: start again in a moment",
  LIMIT_EXCEEDED: "This workspace has as many mailboxes as it may have",
  SERVERS_REFUSED: "The mail servers did not let the mailbox in",
} as const;
export type ConsentRefusal = keyof typeof CONSENT_REFUSALS;

export type ConsentOutcome = { kind: "connected"; mailboxId: string; email: string } | { kind: "refused"; reason: ConsentRefusal };

/** What taking a consent back and its workflow agree on. */
export interface GrantIds {
  v: 1;
  workspaceId: string;
  grantId: string;
}

/** The code is good for one exchange, so nothing is tried twice. */
export const CONSENT = { workflow: "connectConsent", startToCloseTimeout: "45s", deadlineMs: 48_000 } as const;

/** Best effort, once: what the provider does not hear of then ends by itself. */
export const REVOCATION = { workflow: "revokeGrant", startToCloseTimeout: "20s" } as const;
