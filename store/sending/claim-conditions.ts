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
  /** Null for mail without a campaign: then the workspace's gates apply, and there is no recipient. */
  campaign: { campaignId: string; fence: number; settings: Settings; shard: number } | null;
  /** What a campaign with an `approvalMode` checks; without it, such a campaign refuses the claim. */
  approval?: { sentCount: number; contentHash: string };
  /** Further addresses whose suppression stops this mail too. */
  also?: string[];
  /**
   * The gap that an email without a campaign leaves behind it if the mailbox has no gap of its own (rules/sending 2.3).
   * Warmup has one too.
   */
  gap?: { minGapSeconds: number; maxGapSeconds: number };
  attemptId: string;
  messageId: string;
  bytesHash: string;
  mailRef: string;
  subject: string;
  content: NonNullable<Send["content"]>;
  /**
   * What the mail carries for tracking: stored before its content leaves, because addresses in it lead there
   * (rules/tracking 1.2).
   */
  tracking: Send["tracking"];
  variantId: string | null;
  /**
   * The share of the people that each variant of the step got when this one was drawn; absent where there was nothing
   * to draw.
   */
  variantShares?: Send["variantShares"];
  checks: Record<string, unknown>;
}

export type ClaimRefusal =
  /** By a question: someone decides first whether the person wants no more mail. */
  | { kind: "stopped"; by: "recipient" | "approval" | "guard" | "question" | "block-list"; reasons: GuardReason[] }
  | { kind: "parked" }
  | { kind: "replan"; by: "mailbox" | "day" | "send" };
/** Carries a refusal out of the transaction, so that nothing it wrote is kept. */
export class ClaimRefused extends Error {
  readonly refusal: ClaimRefusal;
  constructor(refusal: ClaimRefusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}

/** Whom an email waits for: its campaign's pace, the same pace as warmup, or no one but a person who asked for it. */
export type MailPace = "campaign" | "warmup" | "person";

export function mailPaceOf({ send, campaign }: Pick<ClaimRequest, "send" | "campaign">): MailPace {
  if (campaign !== null) return "campaign";
  return send.kind === "WARMUP" ? "warmup" : "person";
}

/**
 * The mailbox statuses that may send: mail of a campaign needs a connected mailbox, and so does warmup; mail that a
 * person asked for may leave a paused one too.
 */
export const USABLE = { campaign: ["CONNECTED"], warmup: ["CONNECTED"], person: ["CONNECTED", "PAUSED"] } as const;

/** The bands in which such mail does not leave (rules/health 4.2). */
const SHUT_FOR: Record<MailPace, readonly Band[]> = {
  campaign: ["QUARANTINED", "BLOCKED"],
  warmup: ["BLOCKED"],
  person: ["BLOCKED"],
};

/** All addresses that a claim writes to, or whose suppression stops it. */
export function claimAddresses({ send, also = [] }: ClaimRequest): string[] {
  return [...new Set([send.to, ...also])];
}

/** The filter for the recipient of a campaign's mail while it waits for this step; other mail has none. */
export function recipientFilter({ send, campaign }: ClaimRequest): Record<string, unknown>[] {
  return campaign === null
    ? []
    : [{ _id: send.recipientId, status: { $in: ["PENDING", "IN_PROGRESS"] }, nextStepId: send.stepId }];
}

/**
 * The filter for the mailbox while it may send such mail. Refusals that came after it was read may keep it from this
 * very recipient (rules/ sending 10.8), so a campaign's mail is then looked at anew.
 */
export function mailboxOf(request: Pick<ClaimRequest, "send" | "mailbox" | "campaign">): Record<string, unknown> {
  const pace = mailPaceOf(request);
  const { _id, refusalTurn = null } = request.mailbox; // mailboxes of earlier versions have none
  const turn = pace === "campaign" ? { refusalTurn } : {};
  return { _id, status: { $in: USABLE[pace] }, "health.band": { $nin: SHUT_FOR[pace] }, ...turn };
}

/**
 * The filter for the gate while it is open and, for mail of a campaign, has the fence that was read with the campaign.
 */
export function gateOf({ send, campaign }: ClaimRequest): Record<string, unknown> {
  if (campaign === null) return { _id: gateId(send.workspaceId, shardOf(send._id)), isOpen: true };
  const { campaignId, shard, fence } = campaign;
  return { _id: gateId(campaignId, shard), isOpen: true, fence };
}

/**
 * The addresses to which a campaign writes: a person may answer someone who may have asked for no more mail, a campaign
 * may not.
 */
export function campaignAddressesOf(request: ClaimRequest): string[] {
  return request.campaign === null ? [] : claimAddresses(request);
}

/**
 * The reads that tell whether addresses are suppressed, or a domain of them or a parent is blocked; for
 * `refuseSuppressed`.
 */
export function suppressionParts(
  { AddressGuard, BlockListEntry }: Workspaced,
  addresses: string[],
  ofCampaigns: string[],
) {
  const guardIdsOf = (of: string[]) => of.map((address) => guardId(AddressGuard.workspaceId, address));
  const held = { _id: { $in: guardIdsOf(ofCampaigns) }, "heldBy.0": { $exists: true } };
  const domains = new Set(addresses.flatMap((to) => domainsOf(domainOf(to))));
  return [
    AddressGuard.part({ $or: [{ _id: { $in: guardIdsOf(addresses) }, "reasons.0": { $exists: true } }, held] }),
    BlockListEntry.part({ value: { $in: [...domains] } }, { _id: 1 }),
  ] as const;
}

/**
 * @throws Refused when an address is suppressed, a campaign writes to one about which a question is open, or a domain
 * is blocked
 */
export function refuseSuppressed(shut: readonly AddressGuard[], blocked: readonly unknown[]): void {
  const suppressed = shut.find(({ reasons }) => reasons.length > 0);
  if (suppressed !== undefined) throw new ClaimRefused({ kind: "stopped", by: "guard", reasons: suppressed.reasons });
  if (shut.length > 0) throw new ClaimRefused({ kind: "stopped", by: "question", reasons: [] });
  if (blocked.length > 0) throw new ClaimRefused({ kind: "stopped", by: "block-list", reasons: ["BLOCK_LISTED"] });
}
