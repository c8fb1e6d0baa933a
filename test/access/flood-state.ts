import { settingsOf } from "../../domain/campaigns/settings.ts";
import { OPEN } from "../../domain/states.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { renderAsked } from "../../operations/campaigns/rendering.ts";
import type { Context } from "../../operations/context.ts";

type Row = { _id: string } & Record<string, unknown>;
export type State = Record<string, Row[]>;
/** Where a loss would show; ending a connection only withdraws access. */
const KEPT = [
  ...[
    "Lead",
    "Note",
    "Deal",
    "LeadList",
    "CustomField",
    "Mailbox",
    "WebhookSubscription",
    "SearchList",
    "SavedSearch",
    "Template",
    "WarmupPool",
  ],
  ...["Campaign", "Sequence", "Message", "Thread", "SavedDraft"],
];
const SENDING = ["ACTIVE", "SCHEDULED"];
const BEGUN = [...SENDING, "PAUSED"];

/** The documents of a workspace that decide about emails, data and destinations. */
export async function stateOf(workspaceId: string): Promise<State> {
  const own = scoped(workspaceId);
  const known = {
    Recipient: own.Recipient,
    Sequence: own.Sequence,
    Campaign: own.Campaign,
    Send: own.Send,
    ScheduledReply: own.ScheduledReply,
    Lead: own.Lead,
    Note: own.Note,
    Deal: own.Deal,
    LeadList: own.LeadList,
    CustomField: own.CustomField,
    Mailbox: own.Mailbox,
    WebhookSubscription: own.WebhookSubscription,
    CrmConnection: own.CrmConnection,
    Invite: own.Invite,
    AgentSetup: own.AgentSetup,
    SearchList: own.SearchList,
    SavedSearch: own.SavedSearch,
    Template: own.Template,
    WarmupPool: own.WarmupPool,
    WarmupEnrolment: own.WarmupEnrolment,
    BlockListEntry: own.BlockListEntry,
    ReplyPromise: own.ReplyPromise,
    SavedDraft: own.SavedDraft,
    Job: own.Job,
    Message: own.Message,
    Thread: own.Thread,
    MeetingCalendar: own.MeetingCalendar,
    CrmImport: own.CrmImport,
  };
  const rows = await Promise.all(
    Object.entries(known).map(
      async ([name, model]): Promise<[string, Row[]]> => [name, (await model.find({})).map((one) => ({ ...one }))],
    ),
  );
  const workspace = await Workspace.findOne({ _id: workspaceId }).lean<Workspace>();
  return { ...Object.fromEntries(rows), Workspace: [{ ...workspace, _id: workspaceId }] };
}

/** The effects that a call has had although its key may cause nothing; none, if the gate holds. */
export function causedIn(before: State, after: State): string[] {
  const sendingIn = (state: State) =>
    new Set((state["Campaign"] ?? []).filter(({ status }) => SENDING.includes(String(status))).map(({ _id }) => _id));
  const [began, sending] = [sendingIn(before), sendingIn(after)];
  const isOpen = ({ status }: Row) => status === "PENDING" || status === "IN_PROGRESS";
  const rowsOf = (state: State, name: string) => new Map((state[name] ?? []).map((row) => [row._id, row]));
  const opened = [...rowsOf(after, "Recipient").values()].filter(
    (row) =>
      sending.has(String(row["campaignId"])) &&
      isOpen(row) &&
      !isOpen(rowsOf(before, "Recipient").get(row._id) ?? { _id: "" }),
  );
  const named = (name: string) => [...rowsOf(after, name).keys()].filter((id) => !rowsOf(before, name).has(id));
  const started = [...rowsOf(after, "Campaign").values()].filter(({ _id }) => sending.has(_id) && !began.has(_id));
  const told = [...rowsOf(after, "WebhookSubscription").values()].filter(
    ({ _id, url }) => rowsOf(before, "WebhookSubscription").get(_id)?.["url"] !== url,
  );
  const lost = KEPT.flatMap((name) => [...rowsOf(before, name).keys()].filter((id) => !rowsOf(after, name).has(id)));
  const places = ["Send", "ScheduledReply", "WarmupEnrolment", "Invite", "CrmConnection", "CrmImport"].flatMap(named);
  return [...[...opened, ...started, ...told].map(({ _id }) => _id), ...places, ...lost];
}

/** Where future emails come from. */
const OF_MAILS = ["Lead", "Recipient", "Sequence", "Campaign", "Mailbox", "Workspace", "CustomField"];

/** Whether emails that are still to come might be others. */
export function mayDiffer(before: State | null, after: State): boolean {
  return OF_MAILS.some((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]));
}

/**
 * Every email that people of launched campaigns are still to get, as it would be rendered now, with everything that
 * decides when it leaves: the settings of the campaign, and sender, limits and hours of its mailboxes.
 */
export async function futureOf(ctx: Context): Promise<Map<string, string>> {
  const own = scoped(ctx.workspaceId);
  const future = new Map<string, string>();
  for (const { _id: campaignId, settings, status } of await own.Campaign.find({ status: trusted({ $in: BEGUN }) })) {
    const name = `${status === "PAUSED" ? PAUSED : ""}${campaignId}`;
    future.set(name, JSON.stringify(settings));
    const { mailboxIds } = settingsOf(settings);
    for (const mailbox of await own.Mailbox.find({ _id: trusted({ $in: mailboxIds }) }))
      future.set(mailbox._id, senderOf({ ...mailbox }));
    const people = await own.Recipient.find({ campaignId, status: trusted({ $in: [...OPEN] }) });
    const steps = (await own.Sequence.findOne({ campaignId }))?.steps ?? [];
    const wanted = people.flatMap((person) => steps.map(({ stepId }) => ({ person, stepId })));
    for (const { person, stepId } of wanted)
      future.set(`${name} ${person.email} ${stepId}`, await mailOf(ctx, person, stepId));
  }
  return future;
}

const PAUSED = "paused ";
const SENDER = ["email", "name", "replyTo", "signatureHtml", "dailySendLimit", "workday", "trackingDomain", "bccList"];

function senderOf(mailbox: Record<string, unknown>): string {
  return JSON.stringify(SENDER.map((field) => mailbox[field] ?? null));
}

async function mailOf(ctx: Context, { campaignId, leadId, nextSendAt }: Recipient, stepId: string): Promise<string> {
  const { rendered } = await renderAsked(ctx, { campaignId, leadId, stepId });
  return JSON.stringify([rendered.subject, rendered.text, rendered.html, nextSendAt]);
}

/** The documents that changed, or are new among those that send. A document that was only stopped does not count. */
export function changedIn(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] {
  return [...after]
    .filter(([name, value]) => (before.has(name) ? before.get(name) !== value : !name.startsWith(PAUSED)))
    .map(([name]) => name);
}
