import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { until } from "../fakes/wait.ts";
import type { Rest } from "../support/rest.ts";
import { SETTINGS } from "./campaign.ts";
import {
  CATEGORIES,
  DEALS,
  DISCONNECTED_MAILBOX,
  OTHER_CAMPAIGNS,
  OTHER_MAILBOXES,
  type OtherCampaign,
  PAUSED_MAILBOX,
  REMOVED_RECIPIENT,
  SUPPRESSED_LEAD,
  WARM_MAILBOXES,
} from "./cast.ts";
import { connectMailbox, readAnswer } from "./drive.ts";
import type { Row } from "./leads.ts";
import type { Outside } from "./world.ts";

/** For what the service does by itself: a letter, a reply that is read. Its first attempts may meet a busy machine. */
const PATIENCE_MS = 3 * MINUTE_MS;
/** After the first letter of the other campaigns nothing more is due while the demo runs. */
const DELAY = { value: 3, unit: "DAYS" };

/**
 * Fills the workspace around the demo's campaign: mailboxes in good and in bad condition, warmup, and a campaign in
 * every state.
 */
export async function furnish(rest: Rest, outside: Outside, rows: Row[], say: (line: string) => void): Promise<void> {
  const mailboxIds = new Map<string, string>();
  for (const email of OTHER_MAILBOXES) mailboxIds.set(email, await connectMailbox(rest, outside, email));
  const idsOf = (...emails: string[]) => emails.map((email) => mailboxIds.get(email) ?? "");
  readAnswer(await rest.post("/mailboxes/manage", { action: "pause", mailboxIds: idsOf(PAUSED_MAILBOX) }), 200);
  readAnswer(await rest.post(`/mailboxes/${idsOf(DISCONNECTED_MAILBOX)[0]}/disconnect`, {}), 200);
  await startWarmup(rest, idsOf(...WARM_MAILBOXES));
  say(
    `  ${OTHER_MAILBOXES.length} more mailboxes: one paused, one disconnected, one that its server refuses, ${WARM_MAILBOXES.length} warming up`,
  );
  readAnswer(await rest.post("/leads/import", { action: "commit", rows, fileName: "others.csv" }), 200);
  for (const campaign of OTHER_CAMPAIGNS) {
    const emails = rows.filter((row) => row["Tags"] === campaign.tag).map((row) => row["Email"] ?? "");
    await begin(rest, campaign, idsOf(campaign.sender), emails);
  }
  say(`  ${OTHER_CAMPAIGNS.length} more campaigns: ${OTHER_CAMPAIGNS.map(({ name }) => name).join(", ")}`);
}

/** In short hours, so that an email leaves every few minutes (docs/guides/warmup.md). */
async function startWarmup(rest: Rest, mailboxIds: string[]): Promise<void> {
  const to = `${String(Math.min(24, new Date().getUTCHours() + 2)).padStart(2, "0")}:00`;
  const workday = { timezone: "UTC", days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to };
  const patch = { minGapSeconds: 1, maxGapSeconds: 5, workday };
  readAnswer(await rest.post("/mailboxes/manage", { action: "bulkUpdateSettings", mailboxIds, patch }), 200);
  readAnswer(
    await rest.post("/warmup/manage", { action: "start", mailboxIds, preset: "AGGRESSIVE", config: { start: 20 } }),
    200,
  );
}

async function begin(rest: Rest, campaign: OtherCampaign, mailboxIds: string[], emails: string[]): Promise<void> {
  const { id } = readAnswer(await rest.post("/campaigns", { name: campaign.name, goal: "Show every state" }), 201);
  const startAt = campaign.move === "launch later" ? new Date(Date.now() + 7 * DAY_MS).toISOString() : null;
  readAnswer(await rest.patch(`/campaigns/${id}/settings`, { ...SETTINGS, mailboxIds, startAt }), 200);
  const steps = [
    { subject: `${campaign.name}: a question`, bodyText: "Hello {{firstName}},\n\nshall we talk about {{company}}?" },
    { delay: DELAY, bodyText: "Did you see my last letter, {{firstName}}?" },
  ].slice(0, campaign.letters);
  readAnswer(await rest.put(`/campaigns/${id}/sequence`, { action: "replaceSteps", steps }), 200);
  if (emails.length > 0)
    readAnswer(await rest.post(`/campaigns/${id}/recipients`, { action: "addManual", emails }), 200);
  if (campaign.move.startsWith("launch")) {
    const { launched, errors } = readAnswer(await rest.post(`/campaigns/${id}/control`, { action: "launch" }), 200);
    if (!launched) throw new Error(`The campaign ${campaign.name} was not launched: ${JSON.stringify(errors)}`);
  }
  if (campaign.move === "launch and pause")
    readAnswer(await rest.post(`/campaigns/${id}/control`, { action: "pause" }), 200);
  if (campaign.move === "archive") readAnswer(await rest.post(`/campaigns/${id}/archive`, {}), 200);
}

/** What a person does after a day of letters: files the replies, closes deals, takes people out. */
export async function workOn(rest: Rest): Promise<void> {
  for (const { email, category } of CATEGORIES) {
    const messageId = await findReply(rest, email);
    readAnswer(await rest.post(`/inbox/messages/${messageId}/category`, { category }), 200);
  }
  for (const { email, ...deal } of DEALS)
    readAnswer(await rest.post("/deals", { ...deal, leadId: await findLead(rest, email) }), 201);
  const { items } = readAnswer(await rest.get("/campaigns?search=Partners"), 200);
  const path = `/campaigns/${items[0].id}/recipients`;
  await findWritten(rest, path, SUPPRESSED_LEAD);
  readAnswer(
    await rest.post("/leads/suppress", { action: "suppress", ids: [await findLead(rest, SUPPRESSED_LEAD)] }),
    200,
  );
  const recipientIds = [await findWritten(rest, path, REMOVED_RECIPIENT)];
  readAnswer(await rest.post(path, { action: "bulkRemove", recipientIds }), 200);
}

async function findReply(rest: Rest, from: string): Promise<string> {
  const find = async () => {
    const { items } = readAnswer(await rest.get(`/inbox/threads?search=${encodeURIComponent(from)}`), 200);
    if (items.length === 0) return null;
    const { messages } = readAnswer(await rest.get(`/inbox/threads/${items[0].id}`), 200);
    return messages.find(({ direction }: { direction: string }) => direction === "INBOUND")?.id ?? null;
  };
  return until(find, { deadlineMs: PATIENCE_MS, what: `a reply of ${from} in the inbox` });
}

async function findLead(rest: Rest, email: string): Promise<string> {
  const { items } = readAnswer(await rest.get(`/leads?search=${encodeURIComponent(email)}`), 200);
  return items[0].id;
}

/** The id of a recipient, once the first letter to them is out. */
async function findWritten(rest: Rest, path: string, email: string): Promise<string> {
  const find = async () => {
    const { items } = readAnswer(await rest.get(`${path}?status=IN_PROGRESS&search=${encodeURIComponent(email)}`), 200);
    return items[0]?.id ?? null;
  };
  return until(find, { deadlineMs: PATIENCE_MS, what: `the first letter to ${email}` });
}
