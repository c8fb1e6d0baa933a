import type { Model } from "mongoose";
import { Collection } from "../mongo/collection.ts";
import { idIndexOf, type Owned, openFieldsOf, workspaceIndexOf } from "../mongo/schema.ts";
import { AddressGuard } from "./address-guard.ts";
import { AgentDay } from "./agent-day.ts";
import { AgentSetup } from "./agent-setup.ts";
import { AgentTask } from "./agent-task.ts";
import { Approval } from "./approval.ts";
import { AuditDeed } from "./audit-deed.ts";
import { AuditEntry } from "./audit-entry.ts";
import { AuditHead } from "./audit-head.ts";
import { AuditRefusals } from "./audit-refusals.ts";
import { BillingAccount } from "./billing-account.ts";
import { BillingOrder } from "./billing-order.ts";
import { BlockListEntry } from "./block-list-entry.ts";
import { CalendarConsent } from "./calendar-consent.ts";
import { Campaign } from "./campaign.ts";
import { CampaignDay } from "./campaign-day.ts";
import { CampaignVersion } from "./campaign-version.ts";
import { ChangedDay } from "./changed-day.ts";
import { ConnectionBatch } from "./connection-batch.ts";
import { ConnectionTest } from "./connection-test.ts";
import { ConnectorGrant } from "./connector-grant.ts";
import { ContentScore } from "./content-score.ts";
import { Conversion } from "./conversion.ts";
import { CreditBalance } from "./credit-balance.ts";
import { CreditEntry } from "./credit-entry.ts";
import { CrmActivity } from "./crm-activity.ts";
import { CrmConnection } from "./crm-connection.ts";
import { CrmConsent } from "./crm-consent.ts";
import { CrmImport } from "./crm-import.ts";
import { CrmMember } from "./crm-member.ts";
import { CrmSegments } from "./crm-segments.ts";
import { CustomField } from "./custom-field.ts";
import { Deal } from "./deal.ts";
import { DeliverabilityAlert } from "./deliverability-alert.ts";
import { DomainCheck } from "./domain-check.ts";
import { DueCopy } from "./due-copy.ts";
import { EmailConversion } from "./email-conversion.ts";
import { ActivityEvent } from "./event.ts";
import { FileChunk } from "./file-chunk.ts";
import { Gate } from "./gate.ts";
import { Hit } from "./hit.ts";
import { IdempotencyKey } from "./idempotency-key.ts";
import { Invite } from "./invite.ts";
import { Job } from "./job.ts";
import { JobChunk } from "./job-chunk.ts";
import { KnownProspect } from "./known-prospect.ts";
import { Lead } from "./lead.ts";
import { LeadList } from "./lead-list.ts";
import { MailFiguresDay } from "./mail-figures.ts";
import { Mailbox } from "./mailbox.ts";
import { MailboxCursor } from "./mailbox-cursor.ts";
import { MailboxDay } from "./mailbox-day.ts";
import { MailboxFacts } from "./mailbox-facts.ts";
import { MailboxGrant } from "./mailbox-grant.ts";
import { MailboxHealthChange } from "./mailbox-health-change.ts";
import { MeetingCalendar } from "./meeting-calendar.ts";
import { Message } from "./message.ts";
import { Note } from "./note.ts";
import { OAuthState } from "./oauth-state.ts";
import { OutboxRow } from "./outbox-row.ts";
import { OutgoingMail } from "./outgoing-mail.ts";
import { PlacementMail } from "./placement-mail.ts";
import { PlacementTest } from "./placement-test.ts";
import { PlanCommit } from "./plan-commit.ts";
import { PostmasterDay } from "./postmaster-day.ts";
import { PostmasterDomain } from "./postmaster-domain.ts";
import { Recipient } from "./recipient.ts";
import { RefusalEvidence } from "./refusal-evidence.ts";
import { ReplyPromise } from "./reply-promise.ts";
import { ReportDay, ReportedDays } from "./report-day.ts";
import { ReportLink } from "./report-link.ts";
import { SavedDraft } from "./saved-draft.ts";
import { SavedSearch } from "./saved-search.ts";
import { ScheduledReply } from "./scheduled-reply.ts";
import { SearchList } from "./search-list.ts";
import { Send } from "./send.ts";
import { SendBudget } from "./send-budget.ts";
import { SentFolderCheck } from "./sent-folder-check.ts";
import { Sequence } from "./sequence.ts";
import { StepExecution } from "./step-execution.ts";
import { StoredFile } from "./stored-file.ts";
import { Thread } from "./thread.ts";
import { ThrottleCount } from "./throttle-count.ts";
import { ToolCall } from "./tool-call.ts";
import { VerificationBatch } from "./verification-batch.ts";
import { VerificationDay } from "./verification-day.ts";
import { VerificationResult } from "./verification-result.ts";
import { VerificationSchedule } from "./verification-schedule.ts";
import { WarmupDay } from "./warmup-day.ts";
import { WarmupEnrolment } from "./warmup-enrolment.ts";
import { WarmupPool } from "./warmup-pool.ts";
import { WebhookDelivery } from "./webhook-delivery.ts";
import { WebhookSubscription } from "./webhook-subscription.ts";

const models = {
  StepExecution,
  ActivityEvent,
  AgentDay,
  AgentSetup,
  AgentTask,
  Approval,
  AuditDeed,
  AuditEntry,
  AuditHead,
  AuditRefusals,
  BillingAccount,
  BillingOrder,
  BlockListEntry,
  CalendarConsent,
  MeetingCalendar,
  Campaign,
  CampaignDay,
  CampaignVersion,
  ChangedDay,
  SentFolderCheck,
  ConnectionBatch,
  ConnectionTest,
  ConnectorGrant,
  ContentScore,
  Conversion,
  CreditBalance,
  CreditEntry,
  EmailConversion,
  CrmActivity,
  CrmConnection,
  CrmConsent,
  CrmImport,
  CrmMember,
  CrmSegments,
  CustomField,
  Deal,
  DeliverabilityAlert,
  DomainCheck,
  DueCopy,
  OutgoingMail,
  FileChunk,
  Gate,
  AddressGuard,
  Hit,
  IdempotencyKey,
  Invite,
  Job,
  JobChunk,
  KnownProspect,
  Lead,
  LeadList,
  MailFiguresDay,
  Mailbox,
  MailboxCursor,
  MailboxDay,
  MailboxFacts,
  MailboxGrant,
  MailboxHealthChange,
  Message,
  Note,
  OAuthState,
  OutboxRow,
  PlacementMail,
  PlacementTest,
  PlanCommit,
  PostmasterDay,
  PostmasterDomain,
  Recipient,
  RefusalEvidence,
  ReplyPromise,
  ReportDay,
  ReportedDays,
  ReportLink,
  SavedDraft,
  SavedSearch,
  ScheduledReply,
  SearchList,
  Send,
  SendBudget,
  Sequence,
  StoredFile,
  Thread,
  ThrottleCount,
  ToolCall,
  VerificationBatch,
  VerificationDay,
  VerificationResult,
  VerificationSchedule,
  WarmupDay,
  WarmupEnrolment,
  WarmupPool,
  WebhookDelivery,
  WebhookSubscription,
};

type Documents<M> = M extends Model<infer T> ? ([T] extends [Owned] ? Collection<T> : never) : never; // a union of documents is one collection
export type Workspaced = { readonly [K in keyof typeof models]: Documents<(typeof models)[K]> };

/** The documents of one workspace. This is the only way in which other rooms reach them. */
export function scoped(workspaceId: string): Workspaced {
  const seen = views.get(workspaceId);
  if (seen !== undefined) return seen;
  const entries = Object.entries(models).map(([name, model]) => [name, new Collection(model as unknown as Model<Owned>, workspaceId)]);
  const view = Object.freeze(Object.fromEntries(entries)) as Workspaced; // built from the same keys
  if (views.size > 1_000) views.clear();
  views.set(workspaceId, view);
  return view;
}

const views = new Map<string, Workspaced>();

/** A collection of workspaces as a whole: what to read of its documents, and by which index in the order of their ids. */
export interface CollectionShape {
  model: keyof Workspaced;
  collection: string;
  fields: readonly string[];
  idIndex: string;
  /** By which all of them are found, in whatever order, where `idIndex` has those of all workspaces; null where nothing better is there. */
  workspaceIndex: string | null;
}

/** Every collection that `scoped` shows, in the order of the collections' names, each with the fields that are no secrets. */
export function describeCollections(): CollectionShape[] {
  const names = Object.keys(models) as (keyof Workspaced)[]; // the keys of an object of ours
  const shapes = names.map((name) => {
    const model = models[name] as unknown as Model<Owned>; // of any of them only what all have is read
    const indexes = { idIndex: idIndexOf(model), workspaceIndex: workspaceIndexOf(model) };
    return { model: name, collection: model.collection.name, fields: openFieldsOf(model), ...indexes };
  });
  return shapes.sort((one, other) => (one.collection < other.collection ? -1 : 1));
}
