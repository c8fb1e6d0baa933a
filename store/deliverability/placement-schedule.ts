import { createHash } from "node:crypto";
import { maySend } from "../../domain/access/suspension.ts";
import { type MailReceiver, MOST_PLACEMENT_MAILS, placementPeriodOf } from "../../domain/deliverability/placement.ts";
import { neutralText } from "../../domain/deliverability/placement-text.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { providerOf } from "../../domain/mailboxes/mail-exchange.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import { MailDomain } from "../../models/deliverability/mail-domain.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadWorkspace } from "../campaigns/load.ts";
import { loadSettings } from "./domains.ts";
import { storePlacement } from "./placement-tests.ts";

/**
 * Creates the test that a workspace's schedule requires, once per day or week however often it is called. Every
 * connected mailbox that is not a test mailbox sends to the test mailboxes, up to the limit of a test. Returns the id
 * of the test; null when none is due.
 */
export async function makeDuePlacement(
  workspaceId: string,
  providers: MailProviders,
  now: number,
): Promise<string | null> {
  const { schedule, testMailboxIds } = (await loadSettings(workspaceId)).placement;
  // While the workspace's sending is paused, each email would be refused, so no test is created and the day or week
  // stays open
  if (schedule === null || testMailboxIds.length === 0 || !maySend(await loadWorkspace(workspaceId))) return null;
  const { Mailbox, PlacementTest } = scoped(workspaceId);
  const period = placementPeriodOf(schedule, now);
  if ((await PlacementTest.findOne({ period }, { select: { _id: 1 } })) !== null) return null;
  const connected = await Mailbox.find({ status: "CONNECTED" }, { sort: { _id: 1 } });
  const isKept = ({ _id }: { _id: string }) => testMailboxIds.includes(_id);
  const testMailboxes = await Mailbox.find(
    { _id: trusted({ $in: testMailboxIds }), status: trusted({ $in: ["CONNECTED", "PAUSED"] }) },
    { sort: { _id: 1 } },
  );
  const most = testMailboxes.length === 0 ? 0 : Math.floor(MOST_PLACEMENT_MAILS / testMailboxes.length);
  // If there are more mailboxes than the limit allows, each period selects different ones
  const turnOf = (mailboxId: string) => createHash("sha256").update(`${period} ${mailboxId}`).digest("hex");
  const senders = connected
    .filter((mailbox) => !isKept(mailbox))
    .map((mailbox) => ({ mailbox, turn: turnOf(mailbox._id) }))
    .sort((one, other) => (one.turn < other.turn ? -1 : 1))
    .slice(0, most)
    .map(({ mailbox: { _id, email, name } }, number) => {
      const written = { ...neutralText(number, name), html: null, attachments: [], hasUnsubscribe: true };
      return { mailboxId: _id, email, written };
    });
  if (senders.length === 0) return null;
  const fields = {
    name: `Placement test of ${period.split(":")[1]}`,
    campaignId: null,
    stepId: null,
    variantId: null,
    requestKey: null,
    period,
  };
  const order = {
    ...fields,
    senders,
    testMailboxes: await withReceivers(testMailboxes, providers),
    linked: ({ text, html }: { text: string; html: string | null }) => ({ text, html }),
  };
  try {
    return (await inTransaction(() => storePlacement(workspaceId, order)))._id;
  } catch (err) {
    // Another round made it first
    if (isDuplicateKey(err)) return null;
    throw err;
  }
}

/**
 * Adds the provider that receives each mailbox's email: the provider of its OAuth connection, otherwise the one that
 * its domain's mail servers belong to. OTHER when neither is known.
 */
export async function withReceivers<M extends Pick<Mailbox, "email" | "provider">>(
  mailboxes: readonly M[],
  providers: MailProviders,
): Promise<(M & { receiver: MailReceiver })[]> {
  const domains = [...new Set(mailboxes.map(({ email }) => domainOf(email)))];
  const found = await MailDomain.find({ _id: trusted({ $in: domains }) }).lean<MailDomain[]>();
  const hostsOf = new Map(found.map(({ _id, hosts }) => [_id, hosts ?? []]));
  return mailboxes.map((mailbox) => {
    const byHosts = providerOf(hostsOf.get(domainOf(mailbox.email)) ?? [], providers);
    const provider = mailbox.provider === "SMTP" ? byHosts : mailbox.provider;
    return { ...mailbox, receiver: provider === "PROVIDERA" || provider === "PROVIDERB" ? provider : "OTHER" };
  });
}
