import { type Effect as Caused, EFFECTS } from "../../domain/access/policy.ts";
import { AppError } from "../../domain/errors.ts";
import { OPEN } from "../../domain/states.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import type { Owned } from "../../mongo/schema.ts";
import type { Written } from "../../mongo/witness.ts";
import { countLackingIn } from "../../store/campaigns/missing.ts";
import { loadCampaignSources } from "../../store/campaigns/validation.ts";
import { textOf } from "../campaigns/launch-effect.ts";
import { renderAsked } from "../campaigns/rendering.ts";
import type { Context } from "../context.ts";
import type { Effects } from "../effects.ts";
import { causedBy } from "./causes.ts";
import { countMails, joinersAmong } from "./joiners.ts";
import type { Intent } from "./permit.ts";
import type { PlannedEffect } from "./plan.ts";
import { stagedRowsOf } from "./staged-rows.ts";

/** The effect of a call that sends nothing itself, determined at the end of its transaction. */
export interface ChangeEffect extends PlannedEffect {
  /** Emails taken from the budget: one for each person who would be contacted and was not before. */
  cost: number;
}

type Fields = Record<string, unknown>;
type Changed = NonNullable<PlannedEffect["shown"]["changes"]>[number];

/** The names of the models that users know. Models that only the service uses are omitted. */
const KNOWN: Readonly<Record<string, string>> = {
  Lead: "leads",
  LeadList: "lead lists",
  Note: "notes",
  Deal: "deals",
  CustomField: "custom fields",
  Recipient: "recipients",
  Campaign: "campaigns",
  Sequence: "sequences",
  Mailbox: "mailboxes",
  WarmupEnrolment: "warmups",
  WarmupPool: "warmup pools",
  Message: "messages",
  Thread: "threads",
  SavedDraft: "drafts",
  ReplyPromise: "promises",
  ScheduledReply: "scheduled replies",
  WebhookSubscription: "webhooks",
  CrmConnection: "CRM connections",
  CrmConsent: "CRM consents",
  MeetingCalendar: "calendars",
  CalendarConsent: "calendar consents",
  AgentSetup: "agent settings",
  BlockListEntry: "block list entries",
  Guard: "suppressions",
  Template: "templates",
  SavedSearch: "saved searches",
  SearchList: "prospect lists",
  Invite: "invites",
  Send: "emails",
  Job: "jobs",
  CrmImport: "CRM imports",
  PlacementTest: "placement tests",
  Workspace: "the workspace",
};
const SHOWN_EXAMPLES = 10;
const SHOWN_PEOPLE = 3;
/** Fields that change without a request of a person. */
const MOVES = new Set(["updatedAt", "createdAt", "touches", "version", "claims", "unsettled"]);

/** The state before a call: its possible effects, the workspace itself, and the next emails of three people. */
export interface Ground {
  causes: readonly Caused[];
  workspace: Fields | null;
  people: Pick<Recipient, "campaignId" | "leadId" | "email" | "nextStepId">[];
  mails: (Shown | null)[];
}
type Shown = { subject: string; text: string };

/** Reads the state that a call may change, before the call. */
export async function groundOf(ctx: Context, effects: Effects<never>, input: Fields): Promise<Ground> {
  const people = effects.CHANGES_SENDING === undefined ? [] : await peopleOf(ctx, input);
  const causes = await causedBy<never>(ctx, effects, input as never);
  return { causes, workspace: await workspaceOf(ctx), people, mails: await mailsOf(ctx, people) };
}

/** A call at the end of its transaction. `within` contains the intents of sending operations that ran inside it. */
export interface Witnessed {
  effects: Effects<never>;
  input: Fields;
  ground: Ground;
  written: ReadonlyMap<string, Written>;
  within: readonly Intent[];
}

/**
 * Determines the effect of a call. Run it at the end of the call's transaction. Effects count if they apply to the
 * state before the call or to the state after it.
 */
export async function changeEffectOf(
  ctx: Context,
  { effects, input, ground, written, within }: Witnessed,
): Promise<ChangeEffect> {
  const after = await causedBy<never>(ctx, effects, input as never);
  const causes = EFFECTS.filter((effect) => ground.causes.includes(effect) || after.includes(effect));
  const sent = await Promise.all(
    within.map(async (intent) => ({ ...(await intent.effect()), cost: await intent.cost() })),
  );
  const sum = (numbers: number[]) => numbers.reduce((all, one) => all + one, 0);
  const changes = await changesOf(ctx, ground, causes, written);
  const sends = causes.includes("SENDS");
  const opened = sends ? changes.flatMap(({ opened }) => opened) : [];
  const joiners = sends
    ? await joinersAmong(
        ctx.workspaceId,
        changes.flatMap(({ leadIds }) => leadIds),
      )
    : [];
  // Until the job has processed its rows, any of them may join a campaign, so all are counted
  const rows = sends ? sum(changes.map(({ rows }) => rows)) : 0;
  const people = opened.length + joiners.length + rows;
  const next = await mailsOf(ctx, ground.people);
  const differences = ground.people.flatMap(({ email }, at) => {
    const [before, after] = [ground.mails[at] ?? null, next[at] ?? null];
    return before?.subject === after?.subject && before?.text === after?.text ? [] : [{ to: email, before, after }];
  });
  const texts = [...sent.flatMap(({ shown }) => shown.texts), ...(await textsOf(ctx, opened.slice(0, SHOWN_PEOPLE)))];
  const mails = await countMails(ctx.workspaceId, opened, joiners, rows);
  const recipients = [
    ...sent.flatMap(({ shown }) => shown.recipients),
    ...[...opened, ...joiners].map(({ email }) => email),
  ];
  return {
    cost: people + sum(sent.map(({ cost }) => cost)),
    shown: {
      kind: "CHANGE",
      causes,
      firstSendAt: null,
      lastSendAt: null,
      people: people + sum(sent.map(({ shown }) => shown.people)),
      mails: mails + sum(sent.map(({ shown }) => shown.mails)),
      mailboxes: sent.flatMap(({ shown }) => shown.mailboxes),
      recipients: recipients.slice(0, SHOWN_EXAMPLES),
      texts,
      differences,
      changes: changes.map(({ shown }) => shown),
      destinations: causes.includes("DISCLOSES") ? placesIn(input) : [],
    },
    identity: [
      ...[
        "CHANGE",
        causes,
        changes.map(({ identity }) => identity),
        joiners.map(({ _id, email }) => `${_id} ${email}`).sort(),
      ],
      ...sent.map(({ identity }) => identity),
    ],
  };
}

interface OneChange {
  shown: Changed;
  identity: unknown;
  opened: Recipient[];
  /** The leads that were created or changed. A lead that was only touched is not among them. */
  leadIds: string[];
  /** Rows of a job. */
  rows: number;
}

async function changesOf(
  ctx: Context,
  ground: Ground,
  causes: readonly Caused[],
  written: ReadonlyMap<string, Written>,
): Promise<OneChange[]> {
  const all: OneChange[] = [];
  for (const [model, { of, before }] of [...written].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (model === "Job") all.push(...(await jobsOf(ctx, [...before.keys()], written.get("JobChunk")?.before, causes)));
    const what = KNOWN[model];
    if (what === undefined) continue;
    const after = new Map(
      (await of.read({ _id: { $in: [...before.keys()] } })).map((document) => [document._id, document]),
    );
    const pairs = [...before].map(([id, old]): [Owned | null, Owned | null] => [old, after.get(id) ?? null]);
    const one = changeOf(what, pairs);
    if (one !== null) all.push(one);
  }
  const workspace = changeOf("the workspace", [[ground.workspace, await workspaceOf(ctx)] as never]);
  if (workspace !== null) all.push(workspace);
  return all;
}

/** The work of new jobs: the leads that they change or delete, or the rows that they import. */
async function jobsOf(
  ctx: Context,
  jobIds: readonly string[],
  chunks: Written["before"] = new Map(),
  causes: readonly Caused[],
): Promise<OneChange[]> {
  const made = await scoped(ctx.workspaceId).Job.find({
    _id: trusted({ $in: jobIds }),
    chunkCount: trusted({ $gt: 0 }),
  });
  return Promise.all(
    made.map(async (job) => {
      const { digest, areLeads, examples } = await stagedRowsOf(ctx, job, (chunkId) => chunks.has(chunkId));
      const rows = job.total;
      const isLost = areLeads && causes.includes("DESTROYS");
      const counts = {
        created: areLeads ? 0 : rows,
        changed: areLeads && !isLost ? rows : 0,
        deleted: isLost ? rows : 0,
      };
      const what = areLeads ? "leads" : "rows";
      return {
        shown: { what, ...counts, fields: [], examples },
        identity: [what, rows, digest],
        opened: [],
        leadIds: [],
        rows,
      };
    }),
  );
}

/** Summarises pairs of documents before and after; null when none differs. */
function changeOf(what: string, pairs: readonly [Owned | null, Owned | null][]): OneChange | null {
  const created = pairs.flatMap(([before, after]) => (before === null && after !== null ? [after] : []));
  const deleted = pairs.flatMap(([before, after]) => (before !== null && after === null ? [before] : []));
  const changed = pairs.flatMap(([before, after]) => {
    if (before === null || after === null) return [];
    const fields = fieldsThatDiffer(before, after);
    return fields.length === 0 ? [] : [{ before, after, fields }];
  });
  if (created.length + deleted.length + changed.length === 0) return null;
  const fields = [...new Set(changed.flatMap((one) => one.fields))].sort();
  const examples = [...deleted, ...created, ...changed.map(({ after }) => after)]
    .map(nameIn)
    .filter((name) => name !== "")
    .slice(0, SHOWN_EXAMPLES);
  const isPerson = what === KNOWN["Recipient"];
  const counts = { created: created.length, changed: changed.length, deleted: deleted.length };
  return {
    shown: { what, ...counts, fields, examples },
    identity: [
      what,
      created.map(nameIn).sort(),
      idsOf(deleted),
      isPerson ? idsOf(movedIn(changed)) : changed.map(identityOf).sort(),
    ],
    opened: isPerson ? [...created, ...movedIn(changed)].filter(isWrittenTo) : [],
    leadIds: what === KNOWN["Lead"] ? [...created, ...changed.map(({ after }) => after)].map(({ _id }) => _id) : [],
    rows: 0,
  };
}

/** People whose status changed. Campaigns update the other fields of a recipient by themselves. */
function movedIn(changed: readonly { after: Owned; fields: string[] }[]): Owned[] {
  return changed.filter(({ fields }) => fields.includes("status")).map(({ after }) => after);
}

/** Returns true when a campaign sends to the person, now or later. */
function isWrittenTo(document: Owned): document is Recipient {
  return "status" in document && (document.status === "PENDING" || document.status === "IN_PROGRESS");
}

function idsOf(documents: readonly Owned[]): string[] {
  return documents.map(({ _id }) => _id).sort();
}

/**
 * The identity of a change: which fields of which document get which text. Numbers and times are omitted, because a
 * running campaign changes them by itself; ids that the call created are omitted, because they differ each time.
 */
function identityOf({ before, after, fields }: { before: Owned; after: Owned; fields: string[] }): string {
  const known = new Set(JSON.stringify(before).match(ID) ?? []);
  const values = fields.map((field) => [
    field,
    wordsIn(Reflect.get(before, field)),
    wordsIn(Reflect.get(after, field)),
  ]);
  return JSON.stringify([after._id, values, ...editedFrom(before)]).replaceAll(ID, (id) =>
    known.has(id) ? id : "new",
  );
}

/**
 * Values that only edits change. Delays, weights and limits are numbers, so without these values a plan made before
 * another edit would seem unchanged.
 */
function editedFrom(before: Owned): unknown[] {
  if ("steps" in before && "version" in before) return [before.version];
  return "settings" in before && "sequenceId" in before ? [before.settings] : [];
}

/** Matches an id of `newId`. */
const ID = /\b[a-z]{3,4}_[0-9A-HJKMNP-TV-Z]{26}\b/g;

function wordsIn(value: unknown): unknown {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(wordsIn);
  if (typeof value !== "object" || value === null || value instanceof Date) return null;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wordsIn(inner)]));
}

function fieldsThatDiffer(before: Owned, after: Owned): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)].filter((name) => !MOVES.has(name)));
  return [...names].filter(
    (name) => JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(Reflect.get(after, name)),
  );
}

const NAMES = ["email", "name", "value", "url", "title", "label", "subject", "to", "type", "body"];
const LONGEST_NAME = 80;

/** The name of the document as a person knows it; empty without one. */
function nameIn(document: Owned): string {
  const name = NAMES.map((field): unknown => Reflect.get(document, field)).find(
    (value) => typeof value === "string" && value !== "",
  );
  return typeof name === "string" ? name.slice(0, LONGEST_NAME) : "";
}

async function workspaceOf({ workspaceId }: Context): Promise<Fields | null> {
  const found = await Workspace.findOne({ _id: workspaceId }, null, sessionOption()).lean<Workspace>();
  return found === null ? null : { ...found };
}

/** Three people whose next email the call may change: from the named campaign or leads, else from the workspace. */
async function peopleOf({ workspaceId }: Context, { campaignId, leadId, ids }: Fields): Promise<Ground["people"]> {
  const leads = [leadId, ...(Array.isArray(ids) ? ids : [])].filter((id) => typeof id === "string");
  const about =
    typeof campaignId === "string" ? { campaignId } : leads.length > 0 ? { leadId: trusted({ $in: leads }) } : {};
  const { Recipient } = scoped(workspaceId);
  return Recipient.find({ ...about, status: trusted({ $in: [...OPEN] }) }, { sort: { _id: 1 }, limit: SHOWN_PEOPLE });
}

/** The next email of each person, rendered in the current state; null without one. */
function mailsOf(ctx: Context, people: Ground["people"]): Promise<(Shown | null)[]> {
  return Promise.all(
    people.map(async (person) => {
      const mail = await mailOf(ctx, person);
      return mail === null ? null : { subject: mail.subject, text: mail.text };
    }),
  );
}

async function textsOf(ctx: Context, people: readonly Recipient[]) {
  const texts = await Promise.all(people.map((person) => mailOf(ctx, person)));
  return texts.filter((text) => text !== null);
}

async function mailOf(ctx: Context, { campaignId, leadId, nextStepId }: Ground["people"][number]) {
  try {
    return textOf(await renderAsked(ctx, { campaignId, leadId, ...(nextStepId !== null && { stepId: nextStepId }) }));
  } catch (err) {
    if (err instanceof AppError) return null;
    throw err;
  }
}

/** The variables that recipients of the named campaign lack for its emails, in the state after the call. */
export async function lackingIn({ workspaceId }: Context, { campaignId }: Fields) {
  const campaign = typeof campaignId === "string" ? await scoped(workspaceId).Campaign.get(campaignId) : null;
  return campaign === null ? [] : countLackingIn(await loadCampaignSources(campaign));
}

const PLACE = /^(?:https?:\/\/\S+|[^\s@]+@[^\s@]+)$/;
const MOST_PLACES = 50;

/** Every web or email address in the fields of a call. */
function placesIn(value: unknown): string[] {
  if (typeof value === "string") return PLACE.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap(placesIn))].slice(0, MOST_PLACES);
}
