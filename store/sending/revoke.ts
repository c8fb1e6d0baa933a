import { setTimeout as sleep } from "node:timers/promises";
import { domainOf } from "../../domain/mail/message.ts";
import { beginsWithinMs, ENTERS_WITHIN_MS, TO_THE_WIRE_MS } from "../../domain/sending/last-look.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { afterCommit } from "../../mongo/transaction.ts";
import { domainsOf } from "../suppression/block-list.ts";

/** Which sends a stop concerns. */
type Stopped =
  | { recipientIds: string[] }
  /** The emails of a campaign; null for emails without a campaign. */
  | { campaignId: string | null }
  | { mailboxIds: string[] }
  | { sendIds: string[] }
  | { address: string }
  /** The domain and its sub-domains. */
  | { domain: string };

const POLL_MS = 10;
const EPOCH = new Date(0);
/** The index over all sends in progress in the deployment. There are at most as many as the workers have slots. */
const BY_LEASE = "leaseUntil_1";
const BY_RECIPIENT = "recipientId_1_stepId_1";
const BY_CAMPAIGN = "workspaceId_1_campaignId_1_state_1_stepId_1";

/**
 * Ends the lease of every affected claim that is in phase CLAIMED, so that its last check before transmission refuses
 * it. Claims that commit later conflict with the other documents that the stop writes. An email in phase DATA is still
 * sent. The stop must not return before the transmission of such an email has begun, so it waits until each of them has
 * ended or could no longer begin. Call it in the stop's transaction.
 */
export async function revokeClaims(workspaceId: string, stopped: Stopped): Promise<void> {
  const { Send } = scoped(workspaceId);
  const { filter, hint, isMeant = () => true } = whichOf(stopped);
  const rows = await Send.read(
    { ...filter, state: "SENDING" },
    { select: { to: 1, phase: 1, entersWithinMs: 1 }, hint },
  );
  const sends = rows.filter(isMeant);
  const idsIn = (phase: Send["phase"]) => sends.filter((send) => send.phase === phase).map(({ _id }) => _id);
  const ended = { $set: { leaseUntil: EPOCH } };
  await Send.wroteAll(
    idsIn("CLAIMED").map((_id) => ({ filter: { _id, state: "SENDING", phase: "CLAIMED" }, change: ended })),
  );
  const entered = sends.filter(({ phase }) => phase === "DATA");
  if (entered.length > 0) afterCommit(() => haveBegun(workspaceId, entered));
}

interface Which {
  filter: Record<string, unknown>;
  hint: string;
  isMeant?(send: Send): boolean;
}

function whichOf(stopped: Stopped): Which {
  if ("recipientIds" in stopped) return { filter: { recipientId: { $in: stopped.recipientIds } }, hint: BY_RECIPIENT };
  if ("sendIds" in stopped) return underWay({ _id: { $in: stopped.sendIds } });
  if ("mailboxIds" in stopped) return underWay({ mailboxId: { $in: stopped.mailboxIds } });
  if ("sendIds" in stopped) return { filter: { _id: { $in: stopped.sendIds } }, hint: "_id_" };
  if ("address" in stopped) return underWay({ to: stopped.address });
  if ("domain" in stopped) {
    const { domain } = stopped;
    return { ...underWay({}), isMeant: ({ to }) => domainsOf(domainOf(to)).includes(domain) };
  }
  const { campaignId } = stopped;
  return campaignId === null
    ? underWay({ kind: { $ne: "CAMPAIGN" } })
    : { filter: { campaignId, kind: "CAMPAIGN" }, hint: BY_CAMPAIGN };
}

function underWay(filter: Record<string, unknown>): Which {
  return { filter: { ...filter, leaseUntil: { $gte: EPOCH } }, hint: BY_LEASE };
}

async function haveBegun(workspaceId: string, entered: Send[]): Promise<void> {
  const { Send } = scoped(workspaceId);
  // The previous version stored fractions, which `$dateSubtract` does not accept
  const amount = { $add: [{ $ceil: { $ifNull: ["$entersWithinMs", ENTERS_WITHIN_MS] } }, TO_THE_WIRE_MS] };
  const lately = { $dateSubtract: { startDate: "$$NOW", unit: "millisecond", amount } };
  const ids = entered.map(({ _id }) => _id);
  const mayBegin = { _id: { $in: ids }, state: "SENDING", phase: "DATA", $expr: { $gt: ["$dataAt", lately] } };
  const until = performance.now() + Math.max(...entered.map(({ entersWithinMs }) => beginsWithinMs(entersWithinMs)));
  // After a failed read the answer is not known, so the wait continues
  const mayStillBegin = () =>
    Send.read(mayBegin, { select: { _id: 1 }, limit: 1 }).then(
      ({ length }) => length > 0,
      () => true,
    );
  while (performance.now() < until && (await mayStillBegin())) await sleep(POLL_MS);
}
