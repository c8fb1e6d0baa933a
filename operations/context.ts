import type { Policy } from "../domain/access/policy.ts";
import type { KeyRing } from "../domain/access/seal.ts";
import type { CalendarProviders } from "../domain/agent/calendar-provider.ts";
import type { BillingSettings } from "../domain/billing/plans.ts";
import type { CrmProviders } from "../domain/crm/provider.ts";
import { AppError } from "../domain/errors.ts";
import type { MailProviders } from "../domain/mailboxes/provider.ts";
import type { Scope } from "../domain/scopes.ts";
import type { Session } from "../models/sign-in/session.ts";
import type { Engine } from "../temporal/engine.ts";
import type { SigningKeys } from "./access/signing-keys.ts";

/** The caller: an API key, an OAuth connector or a person's session, resolved to the same shape. */
export interface Principal {
  /** The id of the key, of the connector's grant, or of the session. */
  credentialId: string;
  kind: PrincipalKind;
  workspaceId: string;
  userId: string;
  scopes: ReadonlySet<Scope>;
  name: string;
  /** The effects that it may cause by itself. */
  policy: Policy;
}

export const PRINCIPAL_KINDS = ["API_KEY", "OAUTH", "CONSOLE"] as const;
type PrincipalKind = (typeof PRINCIPAL_KINDS)[number];

/** What an operation may use besides MongoDB; created once per process. */
export interface Services {
  engine: Engine;
  keyRing: KeyRing;
  signing: SigningKeys;
  settings: ServiceSettings;
}

/** The part of the configuration that operations return or decide by. */
export interface ServiceSettings {
  publicUrl: string;
  trackUrl: string;
  /** What express takes for the proxies whose X-Forwarded-For counts. */
  trustProxy: number | string[] | false;
  /** Addresses and networks from which a proxy may ask for which names it gets certificates. */
  proxyNetworks: readonly string[];
  /** Further names under which the whole service answers, beside that of `publicUrl`. */
  ownHosts: readonly string[];
  egressAllow: string;
  /** Whether the service can send emails of its own, such as invites. */
  hasSystemMail: boolean;
  /** Whether the service reads Google's Postmaster Tools. */
  hasPostmaster: boolean;
  /** Whether people are searched at a provider over HTTP. */
  hasLeadSearchProvider: boolean;
  /** Whether there is a model server for the inbox agent, and the model that it asks where a workspace names none. */
  hasAgent: boolean;
  agentModel: string | null;
  /** Credits that every workspace gets each month. */
  creditsPerMonth: number;
  /** The plans for sale, and how Stripe signs; null: there is no billing. */
  billing: BillingSettings | null;
  /** Whether strangers may make an account and a workspace. */
  allowSignUp: boolean;
  allowInsecureMail: boolean;
  providers: MailProviders;
  /** How calendars are read. */
  calendars: CalendarProviders;
  crm: CrmProviders;
  /** Base URL of the spreadsheet server; null when none is configured. */
  sheetsUrl: string | null;
  /** Base URL of the spam filter that scores emails; null when none is configured. */
  rspamdUrl: string | null;
  /** Where the engine's own pages list the runs of workflows; null when they are not known. */
  engineRunsUrl: string | null;
  version: string;
}

export interface Context extends Principal {
  /** The session of a person in a browser; keys and connectors have none. */
  session?: Session;
  services: Services;
  ip: string | null;
  traceId: string;
}

export function lacks(scope: Scope): AppError {
  return new AppError("INSUFFICIENT_SCOPE", `This credential lacks ${scope}`, { requiredScope: scope });
}
