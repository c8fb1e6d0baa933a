import { operatorsDeclaration } from "./abuse/operator-verbs.ts";
import { accountDeclaration } from "./access/account.ts";
import { auditLogDeclaration } from "./access/audit-log.ts";
import { connectionsDeclaration } from "./access/connections.ts";
import { invitesDeclaration, membersDeclaration, workspaceDeclaration } from "./access/declaration.ts";
import { apiKeysDeclaration } from "./access/keys.ts";
import { workspacesDeclaration } from "./access/own-workspaces.ts";
import { meetingCalendarDeclaration } from "./agent/calendar.ts";
import { agentDeclaration } from "./agent/declaration.ts";
import { promisesDeclaration } from "./agent/promises.ts";
import { analyticsDeclaration } from "./analytics/declaration.ts";
import { billingDeclaration, creditsDeclaration } from "./billing/declaration.ts";
import { campaignsDeclaration } from "./campaigns/declaration.ts";
import type { Choice } from "./choice.ts";
import { crmDeclaration } from "./crm/declaration.ts";
import type { Declaration } from "./declaration.ts";
import { deliverabilityDeclaration } from "./deliverability/declaration.ts";
import { placementTestsDeclaration } from "./deliverability/placement-tests.ts";
import { workspaceExportDeclaration } from "./evidence/export-workspace.ts";
import { evidenceDeclaration } from "./evidence/lead-evidence.ts";
import { retentionDeclaration } from "./evidence/retention.ts";
import { filesDeclaration } from "./files.ts";
import { inboxDeclaration } from "./inbox/declaration.ts";
import { jobsDeclaration } from "./job-verbs.ts";
import { peopleSearchDeclaration } from "./lead-search/browse.ts";
import { prospectListsDeclaration } from "./lead-search/list-declaration.ts";
import { revealsDeclaration } from "./lead-search/reveal-jobs.ts";
import { savedSearchesDeclaration } from "./lead-search/saved-searches.ts";
import { dealsDeclaration } from "./leads/deals.ts";
import { leadsDeclaration } from "./leads/declaration.ts";
import { customFieldsDeclaration, leadListsDeclaration } from "./leads/list-declaration.ts";
import { mailboxesDeclaration } from "./mailboxes/declaration.ts";
import type { AnyOperation } from "./operation.ts";
import { privacyDeclaration } from "./privacy/declaration.ts";
import { recipientsDeclaration, sendsDeclaration } from "./recipients/declaration.ts";
import { searchDeclaration } from "./search/search.ts";
import { approvalsDeclaration } from "./sending/declaration.ts";
import { nameVerbs } from "./sending/named-verbs.ts";
import { sequencesDeclaration } from "./sequences/declaration.ts";
import { templatesDeclaration } from "./sequences/templates-declaration.ts";
import { secondFactorDeclaration, sessionDeclaration } from "./sign-in/declaration.ts";
import { blockListDeclaration } from "./suppression/block-list.ts";
import { suppressionDeclaration } from "./suppression/suppress.ts";
import { systemDeclaration } from "./system/overview.ts";
import { conversionsDeclaration } from "./tracking/declaration.ts";
import { verificationDeclaration } from "./verification/declaration.ts";
import { warmupDeclaration } from "./warmup/declaration.ts";
import { webhookDeliveriesDeclaration, webhooksDeclaration } from "./webhooks/declaration.ts";

/**
 * The endpoints and tools that each noun declares. The API lists them in this order, except for rows that name the row
 * that they follow.
 */
export const declarations = [
  accountDeclaration,
  workspaceDeclaration,
  workspaceExportDeclaration,
  retentionDeclaration,
  workspacesDeclaration,
  membersDeclaration,
  invitesDeclaration,
  auditLogDeclaration,
  sessionDeclaration,
  secondFactorDeclaration,
  apiKeysDeclaration,
  connectionsDeclaration,
  campaignsDeclaration,
  sequencesDeclaration,
  templatesDeclaration,
  recipientsDeclaration,
  sendsDeclaration,
  leadsDeclaration,
  suppressionDeclaration,
  evidenceDeclaration,
  blockListDeclaration,
  leadListsDeclaration,
  customFieldsDeclaration,
  dealsDeclaration,
  mailboxesDeclaration,
  warmupDeclaration,
  deliverabilityDeclaration,
  placementTestsDeclaration,
  verificationDeclaration,
  peopleSearchDeclaration,
  revealsDeclaration,
  prospectListsDeclaration,
  savedSearchesDeclaration,
  billingDeclaration,
  creditsDeclaration,
  crmDeclaration,
  inboxDeclaration,
  agentDeclaration,
  approvalsDeclaration,
  promisesDeclaration,
  meetingCalendarDeclaration,
  filesDeclaration,
  jobsDeclaration,
  searchDeclaration,
  conversionsDeclaration,
  analyticsDeclaration,
  webhooksDeclaration,
  webhookDeliveriesDeclaration,
  systemDeclaration,
  operatorsDeclaration,
  privacyDeclaration,
] as const satisfies readonly Declaration[];

type Declared = (typeof declarations)[number];

/** The rows of a table of all declarations. */
export type RowsOf<Part extends "routes" | "consoleRoutes"> = RowOf<Declared, Part>;
type RowOf<D, Part extends string> = D extends { readonly [P in Part]: readonly (infer Row)[] } ? Row : never;

type NameOf<Verbs> = Verbs extends unknown ? keyof Verbs & string : never;
type VerbOf<Verbs, Name extends string> = Verbs extends { readonly [N in Name]: infer Verb } ? Verb : never;

export type VerbName = NameOf<Declared["verbs"]>;

/** The catalogue: every operation under its name. */
export const verbs = Object.fromEntries(declarations.flatMap(entriesOf)) as {
  readonly [Name in VerbName]: VerbOf<Declared["verbs"], Name>;
}; // each declaration names its own

nameVerbs(verbs);

function entriesOf({ verbs }: Declaration): [string, AnyOperation | Choice][] {
  return Object.entries(verbs);
}
