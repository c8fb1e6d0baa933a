import { AUTOMATIC_CATEGORIES, DATA_REQUEST, OPT_OUT_CATEGORIES } from "../inbox/category.ts";
import type { ReplyIntent } from "../inbox/intent/intents.ts";

/** SUGGEST only fills the draft of a thread, APPROVE asks a person, AUTO sends within its limit (rules/agent 2). */
export const AGENT_MODES = ["SUGGEST", "APPROVE", "AUTO"] as const;

/** What a workspace has set about its inbox agent. */
export interface AgentSettings {
  enabled: boolean;
  mode: (typeof AGENT_MODES)[number];
  /** Null: the model of the deployment. */
  modelId: string | null;
  tone: string | null;
  instructions: string | null;
  /** What the agent may say, one snippet each. */
  knowledge: string[];
  /** The categories that it may give. */
  categories: string[];
  /** The most emails that it sends by itself on a day of the workspace. */
  dailyLimit: number;
  /** The most tokens that it uses on such a day. */
  dailyTokenLimit: number;
  /** The end of every email that it sends by itself; null: nothing. */
  disclosure: string | null;
}

/** Nothing happens until someone enables it. */
export const AGENT_DEFAULTS: AgentSettings = {
  enabled: false,
  mode: "APPROVE",
  modelId: null,
  tone: null,
  instructions: null,
  knowledge: [],
  categories: ["INTERESTED", "MEETING_REQUEST", "INFORMATION_REQUEST", "REFERRAL", "NOT_INTERESTED", "OTHER"],
  dailyLimit: 20,
  dailyTokenLimit: 500_000,
  disclosure: "This reply was written automatically.",
};

/** The settings of a workspace: its own values over the defaults. */
export function agentSettingsOf(own: Partial<AgentSettings>): AgentSettings {
  return { ...AGENT_DEFAULTS, ...own };
}

/** Only people answer an email of one of these kinds (rules/agent 3.3). */
export const PEOPLE_ONLY = ["LEGAL", "COMPLAINT", DATA_REQUEST] as const;

/**
 * The category because of which only people answer an email; null when a model may be asked. No model takes part in
 * this decision.
 */
export function peopleOnlyIn({ clauses }: ReplyIntent): (typeof PEOPLE_ONLY)[number] | null {
  return PEOPLE_ONLY.find((category) => clauses.some(({ intent }) => intent === category)) ?? null;
}

/** Categories that do more than label. A model never gives them (rules/agent 3.4). */
export const NEVER_BY_MODEL: readonly string[] = [...AUTOMATIC_CATEGORIES, ...OPT_OUT_CATEGORIES, "MEETING_BOOKED"];

/** What a model may answer when someone asks for no more email. It becomes a question to a person. */
export const ASKS_TO_STOP = "UNSUBSCRIBE";
