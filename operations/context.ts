import type { ConductLimits } from "../domain/access/conduct.ts";
import type { NewcomerLimits } from "../domain/access/newcomer.ts";
import type { Policy } from "../domain/access/policy.ts";
import type { KeyRing } from "../domain/access/seal.ts";
import type { SignUpLimits } from "../domain/access/sign-up.ts";
import type { CalendarProviders } from "../domain/agent/calendar-provider.ts";
import type { BillingSettings } from "../domain/billing/plans.ts";
import type { CrmProviders } from "../domain/crm/provider.ts";
import { AppError } from "../domain/errors.ts";
import type { LeadActor } from "../domain/lead-source.ts";
import type { MailProviders } from "../domain/mailboxes/provider.ts";
import type { SetupFinding } from "../domain/readiness.ts";
import type { Scope } from "../domain/scopes.ts";
import type { Session } from "../models/sign-in/session.ts";
import type { Engine } from "../temporal/engine.ts";
import type { SigningKeys } from "./access/signing-keys.ts";

/** The caller: an API key, an OAuth connector or a person's session, resolved to the same shape. */
export interface Principal {
  /** The id of the API key, of the connector's grant, or of the session. */
  credentialId: string;
  kind: PrincipalKind;
  workspaceId: string;
  userId: string;
  scopes: ReadonlySet<Scope>;
  name: string;
  /** The effects that the caller may cause, and how. */
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
  /** Checks the whole deployment, as `npm run doctor` does; takes seconds. */
  checkSetup: () => Promise<SetupFinding[]>;
}

/** The part of the configuration that operations return or decide by. */
export interface ServiceSettings {
  publicUrl: string;
  trackUrl: string;
  /** The value of Express's `trust proxy`: the proxies whose X-Forwarded-For header is trusted. */
  trustProxy: number | string[] | false;
  /** Addresses and networks of proxies that may ask for which domains they can get certificates. */
  proxyNetworks: readonly string[];
  /** Further host names at which the whole service responds, besides that of `publicUrl`. */
  ownHosts: readonly string[];
  egressAllow: string;
  /** Whether the service can send emails of its own, such as invites. */
  hasSystemMail: boolean;
  /** Whether the service reads Google's Postmaster Tools. */
  hasPostmaster: boolean;
  /** Whether the lead search uses a provider over HTTP. */
  hasLeadSearchProvider: boolean;
  /** Whether a model server for the inbox agent is configured, and its default model. */
  hasAgent: boolean;
  agentModel: string | null;
  /** Credits that every workspace gets each month. */
  creditsPerMonth: number;
  /** The plans for sale and the secret of Stripe's signatures; null without billing. */
  billing: BillingSettings | null;
  /** Whether visitors may create an account and a workspace. */
  allowSignUp: boolean;
  /** How many sign-ups are accepted within 24 hours (rules/access 2.6). */
  signUp: SignUpLimits;
  /** By which workspaces are judged (rules/access 8.2); null where they are not. */
  conduct: ConductLimits | null;
  /** The first limits of workspaces of people who signed up (rules/access 8.4); null where they have none. */
  newcomer: NewcomerLimits | null;
  allowInsecureMail: boolean;
  providers: MailProviders;
  /** OAuth clients and URLs of the calendar providers. */
  calendars: CalendarProviders;
  crm: CrmProviders;
  /** Base URL of the spreadsheet server; null when none is configured. */
  sheetsUrl: string | null;
  /** Base URL of the spam filter that scores emails; null when none is configured. */
  rspamdUrl: string | null;
  /** The URL of the workflow list in Temporal's web UI; null when it is unknown. */
  engineRunsUrl: string | null;
  version: string;
}

export interface Context extends Principal {
  /**
   * Why the workspace may not send, in a call that could send or change what is sent: it is suspended (rules/access 7.2),
   * or no owner has confirmed the address (2.7).
   */
  barred?: AppError;
  /** The caller shows a plan to a person at once, so a refusal with PLAN_REQUIRED contains it. */
  showsPlan?: boolean;
  /** The session of a person in a browser. API keys and connectors have none. */
  session?: Session;
  services: Services;
  ip: string | null;
  traceId: string;
}

/** The actor of a call in records. For a console call it is the person, because a session ends within a day. */
export function actorOf({ kind, credentialId, userId }: Principal): LeadActor {
  return { kind, id: kind === "CONSOLE" ? userId : credentialId };
}

export function lacks(scope: Scope): AppError {
  return new AppError("INSUFFICIENT_SCOPE", `This credential lacks ${scope}`, { requiredScope: scope });
}
