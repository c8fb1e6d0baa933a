import { settingsOf } from "../../domain/campaigns/settings.ts";
import type { FilterTree } from "../../domain/leads/segment.ts";
import { sendingVerdictOf, verificationSettingsOf } from "../../domain/verification.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { LeadList } from "../../models/leads/lead-list.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { isOverTime } from "../../mongo/unfit.ts";
import {
  BACKGROUND_MS,
  CALLER_MS,
  countSegment,
  loadSegmentPages,
  resolveSegment,
  segmentOfList,
} from "../leads/segment.ts";
import { type Enrolment, enrol, type SkipReason, skipReasons } from "../recipients/enrol.ts";
import { loadWorkspace } from "./load.ts";

const PAGE = 1_000;

/** The fields of a lead that enrolment needs. */
export type Joiner = Enrolment["leads"][number] & Pick<Lead, "verificationStatus">;

export interface Joined {
  added: number;
  alreadyPresent: number;
  skipped: { email: string; reason: SkipReason }[];
}

export interface Joining {
  campaign: Campaign;
  /** Each address once; at most 1,000. */
  emails: string[];
  /** The leads of those addresses. The leads of refused addresses may be left out. */
  leadsOf(refused: ReadonlyMap<string, SkipReason>): Promise<Joiner[]>;
  /**
   * Whether removed and skipped recipients rejoin, at their next unsent step (rules/states 3.3). Otherwise only leads
   * that were never in the campaign join.
   */
  takesBack: boolean;
  /** The credential of the caller; null for the service itself. */
  actor: string | null;
}

/**
 * Adds addresses to a campaign, except those that are already in it or must not receive email. Call it in a transaction
 * that has read the campaign.
 */
export async function joinCampaign({ campaign, emails, leadsOf, takesBack, actor }: Joining): Promise<Joined> {
  const { workspaceId, _id: campaignId } = campaign;
  const settings = settingsOf(campaign.settings);
  const inIt = {
    campaignId,
    email: trusted({ $in: emails }),
    ...(takesBack && { status: trusted({ $ne: "SKIPPED" }) }),
  };
  const present = await scoped(workspaceId).Recipient.find(inIt, { select: { email: 1 } });
  const isPresent = new Set(present.map(({ email }) => email));
  const absent = emails.filter((email) => !isPresent.has(email));
  const refused = await skipReasons(campaign, settings, absent);
  const leads = await leadsOf(refused);
  const { timezone, verification } = await loadWorkspace(workspaceId);
  const treatment = verificationSettingsOf(verification);
  for (const { email, verificationStatus } of leads) {
    if (sendingVerdictOf(verificationStatus, treatment) === "INVALID" && !isPresent.has(email) && !refused.has(email))
      refused.set(email, "INVALID");
  }
  const joining = leads.filter(({ email }) => !isPresent.has(email) && !refused.has(email));
  const joined = await enrol({ campaign, settings, leads: joining, workspaceZone: timezone, actor });
  const skipped = absent.flatMap((email) => {
    const reason = refused.get(email);
    return reason === undefined ? [] : [{ email, reason }];
  });
  return { added: joined.added, alreadyPresent: joined.alreadyPresent + isPresent.size, skipped };
}

const NEEDED = [
  "email",
  "emailDomain",
  "timezone",
  "country",
  "state",
  "city",
  "verificationStatus",
  "searchWords",
] as const;

/** The current members of a list, in pages of at most 1,000. Not in a transaction. */
export async function* membersOf(list: LeadList): AsyncGenerator<Joiner[]> {
  const segment = await segmentOfList(list, new Date(), BACKGROUND_MS);
  yield* loadSegmentPages(segment, NEEDED, PAGE);
}

/**
 * Adds those members of a list whose address was never in the campaign, page by page. `read` loads the campaign in the
 * transaction of each page; when it returns null, the iteration ends. Yields the outcome of each page.
 */
export async function* addNewMembers(
  campaign: Campaign,
  list: LeadList,
  { read, actor }: { read: () => Promise<Campaign | null>; actor: string | null },
): AsyncGenerator<Joined> {
  for await (const members of membersOf(list)) {
    const fresh = await newAmong(campaign, members);
    const emails = fresh.map(({ email }) => email);
    const alreadyPresent = members.length - fresh.length;
    const joined = await (fresh.length === 0 ? NOBODY : inTransaction(() => join(read, emails, fresh, actor)));
    if (joined === null) return;
    yield { ...joined, alreadyPresent: joined.alreadyPresent + alreadyPresent };
  }
}

const NOBODY: Joined = { added: 0, alreadyPresent: 0, skipped: [] };

async function join(
  read: () => Promise<Campaign | null>,
  emails: string[],
  leads: Joiner[],
  actor: string | null,
): Promise<Joined | null> {
  const current = await read();
  return current && joinCampaign({ campaign: current, emails, leadsOf: async () => leads, takesBack: false, actor });
}

async function newAmong({ workspaceId, _id: campaignId }: Campaign, page: readonly Joiner[]): Promise<Joiner[]> {
  const inIt = { campaignId, email: trusted({ $in: page.map(({ email }) => email) }) };
  const present = await scoped(workspaceId).Recipient.find(inIt, { select: { email: 1 } });
  const isPresent = new Set(present.map(({ email }) => email));
  return page.filter(({ email }) => !isPresent.has(email));
}

/**
 * Counts the current members of a segment, for its list. When counting takes longer than a caller would wait,
 * `countedAt` is null and a scheduled task counts later.
 */
export async function memberCountOf(
  workspaceId: string,
  tree: FilterTree,
  maxTimeMs = CALLER_MS,
): Promise<{ memberCount: number; countedAt: Date | null }> {
  const countedAt = new Date();
  try {
    return {
      memberCount: await countSegment(await resolveSegment(workspaceId, tree, countedAt, maxTimeMs), maxTimeMs),
      countedAt,
    };
  } catch (error) {
    if (isOverTime(error)) return { memberCount: 0, countedAt: null };
    throw error;
  }
}
