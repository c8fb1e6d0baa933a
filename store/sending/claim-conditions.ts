import type { Settings } from "../../domain/campaigns/settings.ts";
import { domainOf } from "../../domain/mail/message.ts";
import type { Band } from "../../domain/mailboxes/band.ts";
import type { AddressGuard, GuardReason } from "../../models/address-guard.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Workspaced } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { gateId, shardOf } from "../campaigns/gates.ts";
import { domainsOf } from "../suppression/block-list.ts";
import { guardId } from "../suppression/suppress.ts";

export interface ClaimRequest {
  send: Send;
  mailbox: Mailbox;
  /** Null for email without a campaign: then the workspace's gates apply, and there is no recipient. */
  campaign: { campaignId: string; fence: number; settings: Settings; shard: number } | null;
  /** What a campaign with an `approvalMode` checks; without it, such a campaign refuses the claim. */
  approval?: { sentCount: number; contentHash: string };
  /** Further addresses whose suppression stops this email too. */
  also?: string[];
  /**
   * The gap after an email without a campaign if the mailbox has no gap of its own (rules/sending 2.3). Warmup has one
   * too.
   */
  gap?: { minGapSeconds: number; maxGapSeconds: number };
  attemptId: string;
  messageId: string;
  bytesHash: string;
  mailRef: string;
  subject: string;
  content: NonNullable<Send["content"]>;
  /**
   * The email's tracking data: stored before its content leaves, because addresses in the email lead there
   * (rules/tracking 1.2).
   */
  tracking: Send["tracking"];
  variantId: string | null;
  /** The share of people for each variant of the step at the draw; absent where there was nothing to draw. */
  variantShares?: Send["variantShares"];
  checks: Record<string, unknown>;
}

export type ClaimRefusal =
  /** By a question: someone first decides whether the person wants no more email. */
  | { kind: "stopped"; by: "recipient" | "approval" | "guard" | "question" | "block-list"; reasons: GuardReason[] }
  | { kind: "parked" }
  | { kind: "replan"; by: "mailbox" | "day" | "send" };
/** Carries a refusal out of the transaction, so that none of its writes are kept. */
export class ClaimRefused extends Error {
  readonly refusal: ClaimRefusal;
  constructor(refusal: ClaimRefusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/** What sets the pace of an email: its campaign, warmup at the same pace, or only the person who asked for it. */
export type MailPace = "campaign" | "warmup" | "person";

export function mailPaceOf({ send, campaign }: Pick<ClaimRequest, "send" | "campaign">): MailPace {
  if (campaign !== null) return "campaign";
  return send.kind === "WARMUP" ? "warmup" : "person";
}

/**
 * The mailbox statuses that may send: campaign and warmup emails need a connected mailbox; emails that a person asked
 * for may also leave a paused one.
 */
export const USABLE = { campaign: ["CONNECTED"], warmup: ["CONNECTED"], person: ["CONNECTED", "PAUSED"] } as const;

/** The bands in which such email is not sent (rules/health 4.2). */
const SHUT_FOR: Record<MailPace, readonly Band[]> = {
  campaign: ["QUARANTINED", "BLOCKED"],
  warmup: ["BLOCKED"],
  person: ["BLOCKED"],
};

/** All addresses to which a claim sends, or whose suppression stops it. */
export function claimAddresses({ send, also = [] }: ClaimRequest): string[] {
  return [...new Set([send.to, ...also])];
}

/** The filter for the recipient of a campaign email while it waits for this step; other email has none. */
export function recipientFilter({ send, campaign }: ClaimRequest): Record<string, unknown>[] {
  return campaign === null
    ? []
    : [{ _id: send.recipientId, status: { $in: ["PENDING", "IN_PROGRESS"] }, nextStepId: send.stepId }];
}

/**
 * The filter for the mailbox while it may send such email. Refusals that arrived after it was read may bar it from this
 * very recipient (rules/sending 10.8), so a campaign email is then checked again.
 */
export function mailboxOf(request: Pick<ClaimRequest, "send" | "mailbox" | "campaign">): Record<string, unknown> {
  const pace = mailPaceOf(request);
  const { _id, refusalTurn = null } = request.mailbox; // mailboxes of earlier versions have none
  const turn = pace === "campaign" ? { refusalTurn } : {};
  return { _id, status: { $in: USABLE[pace] }, "health.band": { $nin: SHUT_FOR[pace] }, ...turn };
}

/**
 * The filter for the gate while it is open and, for a campaign email, has the fence that was read with the campaign.
 */
export function gateOf({ send, campaign }: ClaimRequest): Record<string, unknown> {
  if (campaign === null) return { _id: gateId(send.workspaceId, shardOf(send._id)), isOpen: true };
  const { campaignId, shard, fence } = campaign;
  return { _id: gateId(campaignId, shard), isOpen: true, fence };
}

/**
 * The addresses to which a campaign sends: a person may answer someone who may have asked for no more email, a campaign
 * may not.
 */
export function campaignAddressesOf(request: ClaimRequest): string[] {
  return request.campaign === null ? [] : claimAddresses(request);
}

/**
 * The reads that show whether addresses are suppressed, or whether their domain or a parent is blocked; for
 * `refuseSuppressed`.
 */
export function suppressionParts(
  { AddressGuard, BlockListEntry }: Workspaced,
  addresses: string[],
  ofCampaigns: string[],
) {
  const guardIdsOf = (of: string[]) => of.map((address) => guardId(AddressGuard.workspaceId, address));
  const heldGuards = { _id: { $in: guardIdsOf(ofCampaigns) }, "heldBy.0": { $exists: true } };
  const domains = new Set(addresses.flatMap((to) => domainsOf(domainOf(to))));
  return [
    AddressGuard.part({ $or: [{ _id: { $in: guardIdsOf(addresses) }, "reasons.0": { $exists: true } }, heldGuards] }),
    BlockListEntry.part({ value: { $in: [...domains] } }, { _id: 1 }),
  ] as const;
}

/**
 * @throws ClaimRefused when an address is suppressed, a campaign sends to one about which a question is open, or a
 * domain is blocked
 */
export function refuseSuppressed(shutGuards: readonly AddressGuard[], blocked: readonly unknown[]): void {
  const suppressed = shutGuards.find(({ reasons }) => reasons.length > 0);
  if (suppressed !== undefined) throw new ClaimRefused({ kind: "stopped", by: "guard", reasons: suppressed.reasons });
  if (shutGuards.length > 0) throw new ClaimRefused({ kind: "stopped", by: "question", reasons: [] });
  if (blocked.length > 0) throw new ClaimRefused({ kind: "stopped", by: "block-list", reasons: ["BLOCK_LISTED"] });
}
