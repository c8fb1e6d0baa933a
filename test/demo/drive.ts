import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { Rest, RestAnswer } from "../support/rest.ts";
import { SETTINGS, stepsOf, TRACKING } from "./campaign.ts";
import type { Row } from "./leads.ts";
import { MAILBOXES, type Outside, trackingNameOf } from "./world.ts";

const CONNECT_MS = 90_000;
const FirstName = /^[a-z]+/;

export interface Prepared {
  campaignId: string;
  /** The secret of the webhook subscription. */
  secret: string;
}

/** Does everything up to the launch, as a caller of the public API would. */
export async function prepare(
  rest: Rest,
  outside: Outside,
  rows: Row[],
  minutes: number,
  say: (line: string) => void,
): Promise<Prepared> {
  const mailboxIds: string[] = [];
  for (const address of MAILBOXES) {
    const mailboxId = await connectMailbox(rest, outside, address);
    await setTrackingDomain(rest, mailboxId, trackingNameOf(address));
    mailboxIds.push(mailboxId);
  }
  say(`  ${mailboxIds.length} mailboxes connected and tested, each with a tracking domain`);
  const url = `${outside.subscriber.url}events`;
  const { signingSecret: secret } = readAnswer(await rest.post("/webhooks", { url, events: [] }), 201);
  say(`  webhook subscription for every event: ${url}`);
  const list = readAnswer(await rest.post("/lead-lists", { name: "Demo" }), 201);
  const found = readAnswer(
    await rest.post("/leads/import", { action: "commit", rows, fileName: "leads.csv", listId: list.id }),
    200,
  );
  say(`  ${found.created} leads imported from leads.csv`);
  const { id: campaignId } = readAnswer(
    await rest.post("/campaigns", { name: "Demo", goal: "Show what is promised" }),
    201,
  );
  readAnswer(await rest.patch(`/campaigns/${campaignId}/settings`, { ...SETTINGS, ...TRACKING, mailboxIds }), 200);
  readAnswer(
    await rest.put(`/campaigns/${campaignId}/sequence`, {
      action: "replaceSteps",
      steps: stepsOf(minutes, outside.site.url),
    }),
    200,
  );
  readAnswer(
    await rest.post(`/campaigns/${campaignId}/recipients`, { action: "addFromList", leadListId: list.id }),
    200,
  );
  return { campaignId, secret };
}

/** Reads the launch card (rules/campaigns 4.1), then launches. */
export async function launch(rest: Rest, campaignId: string, say: (line: string) => void): Promise<void> {
  const card = readAnswer(await rest.get(`/campaigns/${campaignId}/validate`), 200);
  say("  launch card");
  for (const [what, value] of Object.entries(card.summary)) say(`    ${what.padEnd(17)} ${value}`);
  for (const { code, message } of card.warnings) say(`    warning           ${code}: ${message}`);
  for (const { code, message } of card.errors) say(`    error             ${code}: ${message}`);
  const { launched } = readAnswer(await rest.post(`/campaigns/${campaignId}/control`, { action: "launch" }), 200);
  if (!launched) throw new Error("The campaign was not launched");
}

const Stats = z.object({ total: z.number(), byStatus: z.record(z.string(), z.number()) });
export type Stats = z.output<typeof Stats>;

export async function statsOf(rest: Rest, campaignId: string): Promise<Stats> {
  return Stats.parse(readAnswer(await rest.get(`/campaigns/${campaignId}/recipients/stats`), 200));
}

const Send = z.object({
  email: z.string(),
  stepId: z.string(),
  state: z.string(),
  slotAt: z.string().nullable(),
  attempts: z.number(),
  failure: z.object({ reason: z.string() }).nullable(),
});
const Recipient = z.object({
  id: z.string(),
  email: z.string(),
  status: z.string(),
  pauseReason: z.string().nullable(),
  nextSendAt: z.string().nullable(),
  bounce: z.object({ type: z.string() }).nullable(),
  openedAt: z.string().nullable(),
  clickedAt: z.string().nullable(),
});
const Metrics = z.object({
  opened: z.number(),
  clicked: z.number(),
  conversions: z.number(),
  meetings: z.number(),
  revenue: z.array(z.object({ currency: z.string(), amount: z.string() })),
});
export type CampaignMetrics = z.output<typeof Metrics>;

/** Every email, every recipient and the figures of the campaign as REST shows them. */
export async function recordsOf(rest: Rest, campaignId: string) {
  const { steps } = readAnswer(await rest.get(`/campaigns/${campaignId}/sequence`), 200);
  const letterOf = new Map<string, number>(
    steps.map(({ stepId, order }: { stepId: string; order: number }) => [stepId, order]),
  );
  const sends = await all(rest, `/campaigns/${campaignId}/sends`, Send);
  const recipients = await all(rest, `/campaigns/${campaignId}/recipients`, Recipient);
  const metrics = Metrics.parse(readAnswer(await rest.get(`/campaigns/${campaignId}/metrics`), 200).totals);
  return { sends: sends.map((send) => ({ ...send, letter: letterOf.get(send.stepId) ?? 0 })), recipients, metrics };
}

export type Records = Awaited<ReturnType<typeof recordsOf>>;

async function all<T>(rest: Rest, path: string, item: z.ZodType<T>): Promise<T[]> {
  const found: T[] = [];
  for (let page = 1; ; page++) {
    const { items, total } = readAnswer(await rest.get(`${path}?page=${page}&pageSize=200`), 200);
    found.push(...z.array(item).parse(items));
    if (found.length >= total || items.length === 0) return found;
  }
}

/**
 * Connects a mailbox. A worker that is still starting answers 503, and the call is repeated; any other response is
 * final.
 */
export async function connectMailbox(rest: Rest, { sandbox }: Outside, email: string): Promise<string> {
  const credentials = {
    email,
    password: sandbox.password,
    name: FirstName.exec(email)?.[0].replace(/^./, (letter) => letter.toUpperCase()),
    smtpHost: "localhost",
    smtpPort: sandbox.smtpPort,
    imapHost: "localhost",
    imapPort: sandbox.imapPortOf(email),
    security: "SSL_TLS",
  };
  for (const end = Date.now() + CONNECT_MS; ; await sleep(1_000)) {
    const answer = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
    if (answer.status !== 503 || Date.now() > end) return readAnswer(answer, 200).id;
  }
}

/** Sets the name that the mailbox's links begin with, and has its record checked (docs/guides/tracking-domains.md). */
async function setTrackingDomain(rest: Rest, mailboxId: string, domain: string): Promise<void> {
  readAnswer(await rest.post("/mailboxes/tracking-domain", { action: "set", mailboxId, domain }), 200);
  const { trackingDomain } = readAnswer(
    await rest.post("/mailboxes/tracking-domain", { action: "verify", mailboxId }),
    200,
  );
  if (trackingDomain.status !== "VERIFIED")
    throw new Error(`${domain} is ${trackingDomain.status}: ${trackingDomain.error}`);
}

/** The body of a response with the expected status. Any other status ends the demo with the response's text. */
export function readAnswer({ status, body }: RestAnswer, expected: number): RestAnswer["body"] {
  if (status !== expected)
    throw new Error(`The service answered ${status} where ${expected} was expected: ${JSON.stringify(body)}`);
  return body;
}
