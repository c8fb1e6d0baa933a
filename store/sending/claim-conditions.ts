import type { Settings } from "../../domain/campaigns/settings.ts";
import { domainOf } from "../../domain/mail/message.ts";
import type { Band } from "../../domain/mailboxes/band.ts";
import type { AddressGuard, GuardReason } from "../../models/address-guard.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Workspaced } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { gateId, shardOf } from "../campaigns/gates.ts";
import { domainsOf } from "../suppression/block-list.ts";
import { guardId } from "../suppression/guard-id.ts";

export interface ClaimRequest {
  send: Send;
  mailbox: Mailbox;
  /** Null for email without a campaign. The gates of the workspace apply then, and there is no recipient. */
  campaign: { campaignId: string; fence: number; settings: Settings; shard: number } | null;
  /**
   * The data to check an approval, for a campaign with an `approvalMode`. Without it, such a campaign refuses the
   * claim.
   */
  approval?: { sentCount: number; contentHash: string };
  /** Further addresses whose suppression also stops this email. */
  also?: string[];
  /**
   * The gap after an email without a campaign, such as a warmup email, if the mailbox has no gap of its own
   * (rules/sending 2.3).
   */
  gap?: { minGapSeconds: number; maxGapSeconds: number };
  attemptId: string;
  messageId: string;
  bytesHash: string;
  mailRef: string;
  subject: string;
  content: NonNullable<Send["content"]>;
  /**
   * The email's tracking data. It is stored before the email is transmitted, because links in the email need it
   * (rules/tracking 1.2).
   */
  tracking: Send["tracking"];
  variantId: string | null;
  /** The share of people for each variant of the step when the variant was drawn; absent when there was only one. */
  variantShares?: Send["variantShares"];
  checks: Record<string, unknown>;
}

export type ClaimRefusal =
  /** `question`: a person must first decide whether the recipient has opted out. */
  | { kind: "stopped"; by: "recipient" | "approval" | "guard" | "question" | "block-list"; reasons: GuardReason[] }
  | { kind: "parked" }
  | { kind: "replan"; by: "mailbox" | "send" }
  /**
   * The limit of the day is reached, the mailbox's or the workspace's (rules/access 8.1). `resetsAt` is null for a limit
   * of 0.
   */
  | { kind: "replan"; by: "day" | "workspace"; resetsAt: Date | null };
/** Thrown to roll back the transaction of a claim that was refused. */
export class ClaimRefused extends Error {
  readonly refusal: ClaimRefusal;
  constructor(refusal: ClaimRefusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/**
 * The rules for the pace of an email: those of its campaign, the same for warmup, or only the provider's pace for email
 * that a person requested.
 */
export type MailPace = "campaign" | "warmup" | "person";

export function mailPaceOf({ send, campaign }: Pick<ClaimRequest, "send" | "campaign">): MailPace {
  if (campaign !== null) return "campaign";
  return send.kind === "WARMUP" ? "warmup" : "person";
}

/**
 * The mailbox statuses that may send. Campaign and warmup emails need a connected mailbox; emails that a person
 * requested may also be sent from a paused one.
 */
export const USABLE = { campaign: ["CONNECTED"], warmup: ["CONNECTED"], person: ["CONNECTED", "PAUSED"] } as const;

/** The health bands in which email of each kind is not sent (rules/health 4.2). */
const SHUT_FOR: Record<MailPace, readonly Band[]> = {
  campaign: ["QUARANTINED", "BLOCKED"],
  warmup: ["BLOCKED"],
  person: ["BLOCKED"],
};

/** All addresses that a claim sends to, or whose suppression stops the claim. */
export function claimAddresses({ send, also = [] }: ClaimRequest): string[] {
  return [...new Set([send.to, ...also])];
}

/**
 * The filter that matches the recipient of a campaign email while it waits for this step. Other email has no recipient.
 */
export function recipientFilter({ send, campaign }: ClaimRequest): Record<string, unknown>[] {
  return campaign === null
    ? []
    : [{ _id: send.recipientId, status: { $in: ["PENDING", "IN_PROGRESS"] }, nextStepId: send.stepId }];
}

/**
 * The filter that matches the mailbox while it may send this kind of email. A refusal that arrived after the mailbox
 * was read may forbid email to this recipient (rules/sending 10.8), so it changes `refusalTurn`, and a campaign email
 * is checked again.
 */
export function mailboxOf(request: Pick<ClaimRequest, "send" | "mailbox" | "campaign">): Record<string, unknown> {
  const pace = mailPaceOf(request);
  const { _id, refusalTurn = null } = request.mailbox; // Absent in mailboxes of earlier versions
  const turn = pace === "campaign" ? { refusalTurn } : {};
  return { _id, status: { $in: USABLE[pace] }, "health.band": { $nin: SHUT_FOR[pace] }, ...turn };
}

/**
 * The filter that matches the gate while it is open and, for a campaign email, still has the fence that was read with
 * the campaign.
 */
export function gateOf({ send, campaign }: ClaimRequest): Record<string, unknown> {
  if (campaign === null) return { _id: gateId(send.workspaceId, shardOf(send._id)), isOpen: true };
  const { campaignId, shard, fence } = campaign;
  return { _id: gateId(campaignId, shard), isOpen: true, fence };
}

/**
 * The addresses of a campaign email; none for other email. A person may reply to someone whose opt-out is undecided,
 * but a campaign may not send to them.
 */
export function campaignAddressesOf(request: ClaimRequest): string[] {
  return request.campaign === null ? [] : claimAddresses(request);
}

/** The reads for `refuseSuppressed`. They find suppressed addresses, and blocked domains including parent domains. */
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
 * @throws ClaimRefused when an address is suppressed, when a campaign sends to an address with an open opt-out
 * question, or when a domain is blocked
 */
export function refuseSuppressed(shutGuards: readonly AddressGuard[], blocked: readonly unknown[]): void {
  const suppressed = shutGuards.find(({ reasons }) => reasons.length > 0);
  if (suppressed !== undefined) throw new ClaimRefused({ kind: "stopped", by: "guard", reasons: suppressed.reasons });
  if (shutGuards.length > 0) throw new ClaimRefused({ kind: "stopped", by: "question", reasons: [] });
  if (blocked.length > 0) throw new ClaimRefused({ kind: "stopped", by: "block-list", reasons: ["BLOCK_LISTED"] });
}
