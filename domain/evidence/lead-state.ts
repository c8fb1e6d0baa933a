/** One event in the history of a lead. */
export interface LeadFact {
  at: Date;
  type: string;
  campaignId: string | null;
  data: Readonly<Record<string, unknown>>;
}

/** The state of a lead from one instant on. */
interface LeadState {
  /** Why no email could be sent to the lead; null while email could be sent. */
  suppressedBy: string | null;
  mailsSent: number;
  lastSentAt: Date | null;
  lastRepliedAt: Date | null;
  bouncedAt: Date | null;
  unsubscribedAt: Date | null;
  campaignIds: string[];
}

export interface LeadStateSince extends LeadState {
  from: Date;
}

const AT_FIRST: LeadState = {
  suppressedBy: null,
  mailsSent: 0,
  lastSentAt: null,
  lastRepliedAt: null,
  bouncedAt: null,
  unsubscribedAt: null,
  campaignIds: [],
};

/** The reason for a new lead whose address was suppressed before the lead was created. */
const BEFORE = "BEFORE_IT_WAS_A_LEAD";

/**
 * All states of a lead, oldest first. Each state depends only on the events up to its instant, so later events do not
 * change it (rules/evidence 3.3).
 */
export function statesOf(createdAt: Date, facts: readonly LeadFact[]): LeadStateSince[] {
  const inOrder = facts.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  const states: LeadStateSince[] = [{ ...AT_FIRST, suppressedBy: initialReason(inOrder), from: createdAt }];
  for (const fact of inOrder) {
    const last = states.at(-1) ?? { ...AT_FIRST, from: createdAt };
    const change = changeBy(last, fact);
    if (change === null) continue;
    const next = { ...last, ...change, from: fact.at > createdAt ? fact.at : createdAt };
    if (next.from.getTime() === last.from.getTime()) states.pop();
    states.push(next);
  }
  return states;
}

/** The state at an instant; null before the lead existed. */
export function stateAt(states: readonly LeadStateSince[], at: Date): LeadStateSince | null {
  return states.findLast(({ from }) => from <= at) ?? null;
}

function initialReason(facts: readonly LeadFact[]): string | null {
  const first = facts.find(({ type }) => type === "SUPPRESSED" || type === "UNSUPPRESSED");
  return first?.type === "UNSUPPRESSED" ? BEFORE : null;
}

function changeBy(state: LeadState, { at, type, campaignId, data }: LeadFact): Partial<LeadState> | null {
  switch (type) {
    case "SUPPRESSED":
      return { suppressedBy: typeof data["reason"] === "string" ? data["reason"] : "UNKNOWN" };
    case "UNSUPPRESSED":
      return { suppressedBy: null };
    case "SENT":
      return { mailsSent: state.mailsSent + 1, lastSentAt: at };
    case "REPLIED":
      return { lastRepliedAt: at };
    case "BOUNCED":
      return { bouncedAt: at };
    case "UNSUBSCRIBE":
      return { unsubscribedAt: at };
    case "ADDED_TO_CAMPAIGN":
      if (campaignId === null || state.campaignIds.includes(campaignId)) return null;
      return { campaignIds: [...state.campaignIds, campaignId] };
    default:
      return null;
  }
}
