import { type Effect as Caused, EFFECTS } from "../../domain/access/policy.ts";
import { AppError } from "../../domain/errors.ts";
import { OPEN } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { Workspace } from "../../models/workspace.ts";
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
import type { PlannedEffect } from "./plan.ts";
import { stagedRowsOf } from "./staged-rows.ts";

/** What a call that is no sending one did, or would do, as it is read at the end of its transaction. */
export interface ChangeEffect extends PlannedEffect {
  /** Emails that it takes from the budget: one for each person who would be written to and was not before. */
  cost: number;
}

type Fields = Record<string, unknown>;
type Changed = NonNullable<PlannedEffect["shown"]["changes"]>[number];

/** What people know, by the names of the models. Books that only the service keeps are left out. */
const KNOWN: Readonly<Record<string, string>> = {
  ...{ Lead: "leads", LeadList: "lead lists", Note: "notes", Deal: "deals", CustomField: "custom fields", Recipient: "recipients" },
  ...{ Campaign: "campaigns", Sequence: "sequences", Mailbox: "mailboxes", WarmupEnrolment: "warmups", WarmupPool: "warmup pools" },
  ...{ Message: "messages", Thread: "threads", SavedDraft: "drafts", ReplyPromise: "promises", ScheduledReply: "scheduled replies" },
  ...{ WebhookSubscription: "webhooks", CrmConnection: "CRM connections", CrmConsent: "CRM consents", MeetingCalendar: "calendars" },
  ...{ CalendarConsent: "calendar consents", AgentSetup: "agent settings", BlockListEntry: "block list entries", Guard: "suppressions" },
  ...{
    SavedSearch: "saved searches",
    SearchList: "prospect lists",
    Invite: "invites",
    Send: "emails",
    Job: "jobs",
    CrmImport: "CRM imports",
  },
  ...{ PlacementTest: "placement tests", Workspace: "the workspace" },
};
const SHOWN_EXAMPLES = 10;
const SHOWN_PEOPLE = 3;
/** What moves without anybody having asked for it. */
const MOVES = new Set(["updatedAt", "createdAt", "touches", "version", "claims"]);

/** What stood before a call: the workspace itself, and the next emails of three people. */
export interface Ground {
  workspace: Fields | null;
  people: Pick<Recipient, "campaignId" | "leadId" | "email" | "nextStepId">[];
  mails: (Shown | null)[];
}
type Shown = { subject: string; text: string };

/** Reads what a call may change, before it. */
export async function groundOf(ctx: Context, effects: Effects<never>, input: Fields): Promise<Ground> {
  const people = effects.CHANGES_SENDING === undefined ? [] : await peopleOf(ctx, input);
  return { workspace: await workspaceOf(ctx), people, mails: await mailsOf(ctx, people) };
}

/** What the writes of a call come to; call it at the end of its transaction. */
export async function changeEffectOf(
  ctx: Context,
  { input, ground, causes, written }: { input: Fields; ground: Ground; causes: readonly Caused[]; written: ReadonlyMap<string, Written> },
): Promise<ChangeEffect> {
  const changes = await changesOf(ctx, ground, causes, written);
  const opened = causes.includes("SENDS") ? changes.flatMap(({ opened }) => opened) : [];
  const mails = await mailsOf(ctx, ground.people);
  const differences = ground.people.flatMap(({ email }, at) => {
    const [before, after] = [ground.mails[at] ?? null, mails[at] ?? null];
    return before?.subject === after?.subject && before?.text === after?.text ? [] : [{ to: email, before, after }];
  });
  const texts = causes.includes("SENDS") ? await textsOf(ctx, opened.slice(0, SHOWN_PEOPLE)) : [];
  const perPerson = await mailStepsOf(ctx, opened);
  return {
    cost: opened.length,
    shown: {
      ...{ kind: "CHANGE", causes: [...causes], people: opened.length, mails: perPerson, firstSendAt: null, lastSendAt: null },
      ...{ mailboxes: [], recipients: opened.slice(0, SHOWN_EXAMPLES).map(({ email }) => email), texts, differences },
      changes: changes.map(({ shown }) => shown),
      lacking: await lackingIn(ctx, input),
      destinations: causes.includes("DISCLOSES") ? placesIn(input) : [],
    },
    identity: ["CHANGE", causes, changes.map(({ identity }) => identity)],
  };
}

interface OneChange {
  shown: Changed;
  identity: unknown;
  opened: Recipient[];
}

async function changesOf(
  ctx: Context,
  ground: Ground,
  causes: readonly Caused[],
  written: ReadonlyMap<string, Written>,
): Promise<OneChange[]> {
  const all: OneChange[] = [];
  for (const [model, { of, before }] of [...written].sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (model === "JobChunk") all.push(await jobOf(ctx, [...before.keys()], causes));
    const what = KNOWN[model];
    if (what === undefined) continue;
    const after = new Map((await of.read({ _id: { $in: [...before.keys()] } })).map((document) => [document._id, document]));
    const pairs = [...before].map(([id, old]): [Owned | null, Owned | null] => [old, after.get(id) ?? null]);
    const one = changeOf(what, pairs);
    if (one !== null) all.push(one);
  }
  const workspace = changeOf("the workspace", [[ground.workspace, await workspaceOf(ctx)] as never]);
  if (workspace !== null) all.push(workspace);
  return all;
}

/** What a job will work through: leads that are changed or deleted, or rows that are brought in. */
async function jobOf(ctx: Context, chunkIds: readonly string[], causes: readonly Caused[]): Promise<OneChange> {
  const { total, digest, areLeads, examples } = await stagedRowsOf(ctx, chunkIds);
  const isLost = areLeads && causes.includes("DESTROYS");
  const counts = { created: areLeads ? 0 : total, changed: areLeads && !isLost ? total : 0, deleted: isLost ? total : 0 };
  const what = areLeads ? "leads" : "rows";
  return { shown: { what, ...counts, fields: [], examples }, identity: [what, digest], opened: [] };
}

/** The pairs of before and after as one line; null when none differs. */
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
    identity: [what, created.map(nameIn).sort(), idsOf(deleted), isPerson ? idsOf(movedIn(changed)) : changed.map(identityOf).sort()],
    opened: isPerson ? [...created, ...movedIn(changed)].filter(isWrittenTo) : [],
  };
}

/** People whose state is another: what else a campaign notes of a person moves by itself. */
function movedIn(changed: readonly { after: Owned; fields: string[] }[]): Owned[] {
  return changed.filter(({ fields }) => fields.includes("status")).map(({ after }) => after);
}

/** Whether a campaign writes to the person, or will. */
function isWrittenTo(document: Owned): document is Recipient {
  return "status" in document && (document.status === "PENDING" || document.status === "IN_PROGRESS");
}

function idsOf(documents: readonly Owned[]): string[] {
  return documents.map(({ _id }) => _id).sort();
}

/**
 * Which fields of which document get which text; numbers and instants of a running campaign move by themselves, and an id that the call
 * drew is another each time.
 */
function identityOf({ before, after, fields }: { before: Owned; after: Owned; fields: string[] }): string {
  const known = new Set(JSON.stringify(before).match(ID) ?? []);
  const values = fields.map((field) => [field, wordsIn(Reflect.get(before, field)), wordsIn(Reflect.get(after, field))]);
  return JSON.stringify([after._id, values]).replaceAll(ID, (id) => (known.has(id) ? id : "new"));
}

/** An id as `newId` draws it. */
const ID = /\b[a-z]{3,4}_[0-9A-HJKMNP-TV-Z]{26}\b/g;

function wordsIn(value: unknown): unknown {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (Array.isArray(value)) return value.map(wordsIn);
  if (typeof value !== "object" || value === null || value instanceof Date) return null;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wordsIn(inner)]));
}

function fieldsThatDiffer(before: Owned, after: Owned): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)].filter((name) => !MOVES.has(name)));
  return [...names].filter((name) => JSON.stringify(Reflect.get(before, name)) !== JSON.stringify(Reflect.get(after, name)));
}

const NAMES = ["email", "name", "value", "url", "title", "label", "subject", "to", "type", "body"];
const LONGEST_NAME = 80;

/** What a person calls the document; empty where it has no name. */
function nameIn(document: Owned): string {
  const name = NAMES.map((field): unknown => Reflect.get(document, field)).find((value) => typeof value === "string" && value !== "");
  return typeof name === "string" ? name.slice(0, LONGEST_NAME) : "";
}

async function workspaceOf({ workspaceId }: Context): Promise<Fields | null> {
  const found = await Workspace.findOne({ _id: workspaceId }, null, sessionOption()).lean<Workspace>();
  return found === null ? null : { ...found };
}

/** Three people whose next email a call may change: of the campaign or the leads that it names, else of the workspace. */
async function peopleOf({ workspaceId }: Context, { campaignId, leadId, ids }: Fields): Promise<Ground["people"]> {
  const leads = [leadId, ...(Array.isArray(ids) ? ids : [])].filter((id) => typeof id === "string");
  const about = typeof campaignId === "string" ? { campaignId } : leads.length > 0 ? { leadId: trusted({ $in: leads }) } : {};
  const { Recipient } = scoped(workspaceId);
  return Recipient.find({ ...about, status: trusted({ $in: [...OPEN] }) }, { sort: { _id: 1 }, limit: SHOWN_PEOPLE });
}

/** The next email of each as it would be rendered now; null where there is none. */
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

/** What people of the campaign that the call names lack for its emails, as they would be then. */
async function lackingIn({ workspaceId }: Context, { campaignId }: Fields) {
  const campaign = typeof campaignId === "string" ? await scoped(workspaceId).Campaign.get(campaignId) : null;
  return campaign === null ? [] : countLackingIn(await loadCampaignSources(campaign));
}

/** The most emails that these people get, if nobody answers or stops. */
async function mailStepsOf({ workspaceId }: Context, people: readonly Recipient[]): Promise<number> {
  const counts = new Map<string, number>();
  for (const campaignId of new Set(people.map((person) => person.campaignId))) {
    const steps = (await scoped(workspaceId).Sequence.findOne({ campaignId }))?.steps ?? [];
    counts.set(campaignId, steps.filter(({ type }) => type === "EMAIL").length);
  }
  return people.reduce((sum, { campaignId, sentCount }) => sum + Math.max(0, (counts.get(campaignId) ?? 0) - sentCount), 0);
}

const PLACE = /^(?:https?:\/\/\S+|[^\s@]+@[^\s@]+)$/;
const MOST_PLACES = 50;

/** Every web and email address that the fields of a call name. */
function placesIn(value: unknown): string[] {
  if (typeof value === "string") return PLACE.test(value) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return [...new Set(Object.values(value).flatMap(placesIn))].slice(0, MOST_PLACES);
}

/** The effects that a call causes as things are. */
export async function causedBy<In>(ctx: Context, effects: Effects<In>, input: In, among: readonly Caused[] = EFFECTS): Promise<Caused[]> {
  const caused: Caused[] = [];
  for (const effect of among) {
    const cause = effects[effect];
    if (typeof cause === "function" ? await cause(ctx, input) : cause === true) caused.push(effect);
  }
  return caused;
}
