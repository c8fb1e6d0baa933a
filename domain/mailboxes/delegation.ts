import type { GoogleCredentials } from "../access/google-credentials.ts";

export type ServiceAccount = Extract<GoogleCredentials, { type: "service_account" }>;

/**
 * How this deployment opens mailboxes that an organisation's admin has allowed, without a consent of each user
 * (rules/sending 5.14). GOOGLE: a service account with domain-wide delegation. MICROSOFT: the application itself, in
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
