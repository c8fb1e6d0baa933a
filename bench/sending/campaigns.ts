import { type KeyRing, seal } from "../../domain/access/seal.ts";
import { type Delay, NO_WINNER, type Step } from "../../domain/sequences/sequence.ts";
import { scoped } from "../../models/scoped.ts";
import { newId, randomBase62 } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { createGates, shardOf } from "../../store/campaigns/gates.ts";

const PAGE = 1_000;
const NOW: Delay = { value: 0, unit: "MINUTES" };
const ALWAYS = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }];

/** Stores connected mailboxes without gaps or limits, so that only the service limits the rate. Returns their ids. */
export async function storeMailboxes(
  workspaceId: string,
  ring: KeyRing,
  smtpPort: number,
  count: number,
): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const _id = newId("mbx");
    const email = `${_id.toLowerCase()}@sender.test`;
    const server = { host: "localhost", port: smtpPort, security: "SSL_TLS" as const };
    const place = { workspaceId, collection: "mailboxes", documentId: _id, field: "password" };
    const sealedPassword = seal(ring, place, "secret");
    const rest = {
      name: "Grace Hopper",
      saveToSent: false,
      dailySendLimit: 0,
      smtp: server,
      imap: server,
      sealedPassword,
    };
    await scoped(workspaceId).Mailbox.insert({ _id, email, username: email, ...rest });
    ids.push(_id);
  }
  return ids;
}

export interface CampaignOrders {
  recipients: number;
  mailboxIds: string[];
  /** One delay per step. */
  delays?: Delay[];
}

/**
 * Stores a draft campaign with its leads and recipients, as the API operations would; enrolling is not measured.
 * Returns its id.
 */
export async function storeCampaign(
  workspaceId: string,
  { recipients, mailboxIds, delays = [NOW] }: CampaignOrders,
): Promise<string> {
  const { Campaign, Sequence } = scoped(workspaceId);
  const campaignId = newId("cmp");
  const sequenceId = newId("seq");
  await Sequence.insert({ _id: sequenceId, campaignId, steps: delays.map(stepAfter) });
  const settings = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0, mailboxIds };
  await Campaign.insert({
    _id: campaignId,
    name: "Bench",
    statusChangedAt: new Date(),
    sequenceId,
    recipientCount: recipients,
    settings,
  });
  await inTransaction(() => createGates(workspaceId, campaignId, false));
  await storeRecipients(workspaceId, campaignId, recipients);
  return campaignId;
}

function stepAfter(delay: Delay, index: number): Step {
  const isFirst = index === 0;
  const text = "<p>Hello {{email}}, a few words about what we do and why it may help you.</p>";
  const variant = {
    variantId: `var_${index}`,
    label: "A",
    weight: 50,
    enabled: true,
    attachments: [],
    subject: isFirst ? "A question" : null,
    bodyHtml: text,
    bodyText: null,
  };
  const threadMode = isFirst ? ("NEW_THREAD" as const) : ("SAME_THREAD" as const);
  return {
    stepId: `stp_${index}`,
    order: index + 1,
    type: "EMAIL",
    delay,
    threadMode,
    conditions: [],
    config: {},
    variants: [variant],
    winner: NO_WINNER,
  };
}

async function storeRecipients(workspaceId: string, campaignId: string, count: number): Promise<void> {
  if (count === 0) return;
  const { Lead, Recipient } = scoped(workspaceId);
  const people = Array.from({ length: count }, () => personOf());
  const [first, ...others] = people;
  if (first === undefined) return;
  // The first document is created by its schema and copied for the others, because using the schema for all would take
  // minutes
  const lead = await Lead.insert({
    _id: first.leadId,
    email: first.email,
    emailDomain: "people.test",
    customFields: {},
  });
  const recipient = await Recipient.insert({ ...first.recipient, campaignId });
  for (let start = 0; start < others.length; start += PAGE) {
    const page = others.slice(start, start + PAGE);
    await Lead.bulk(page.map(({ leadId, email }) => ({ insert: { ...lead, _id: leadId, email } })));
    await Recipient.bulk(page.map((person) => ({ insert: { ...recipient, ...person.recipient } })));
  }
}

function personOf() {
  const [leadId, _id, cid] = [newId("led"), newId("rcp"), randomBase62(14)];
  const email = `${cid.toLowerCase()}${_id.slice(-6).toLowerCase()}@people.test`;
  return { leadId, email, recipient: { _id, leadId, email, cid, shard: shardOf(_id) } };
}
