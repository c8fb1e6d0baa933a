import { AUTOMATIC_CATEGORIES, DATA_REQUEST, OPT_OUT_CATEGORIES } from "../inbox/category.ts";
import type { ReplyIntent } from "../inbox/intent/intents.ts";

/**
 * SUGGEST: the agent only writes a draft into the thread. APPROVE: a person must approve each reply. AUTO: the agent
 * sends by itself, within its daily limit (rules/agent 2).
 */
export const AGENT_MODES = ["SUGGEST", "APPROVE", "AUTO"] as const;

/** The settings of a workspace's inbox agent. */
export interface AgentSettings {
  enabled: boolean;
  mode: (typeof AGENT_MODES)[number];
  /** Null: the model of the deployment. */
  modelId: string | null;
  tone: string | null;
  instructions: string | null;
  /** The facts that the agent may use, one text each. */
  knowledge: string[];
  /** The categories that the agent may give, in addition to the built-in ones. */
  categories: string[];
  /** The most emails that the agent sends by itself on a day in the workspace's time zone. */
  dailyLimit: number;
  /** The most tokens that the agent uses on such a day. */
  dailyTokenLimit: number;
  /** A text at the end of every email that the agent sends by itself; null: none. */
  disclosure: string | null;
}

/** The default settings. The agent does nothing until someone enables it. */
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

/** Categories of email that only people answer (rules/agent 3.3). */
export const PEOPLE_ONLY = ["LEGAL", "COMPLAINT", DATA_REQUEST] as const;

/**
 * The category because of which only people may answer an email; null if the model may answer it. This is decided
 * without a model.
 */
export function peopleOnlyIn({ clauses }: ReplyIntent): (typeof PEOPLE_ONLY)[number] | null {
  return PEOPLE_ONLY.find((category) => clauses.some(({ intent }) => intent === category)) ?? null;
}

/** Categories with effects beyond a label. A model may not give them (rules/agent 3.4). */
export const NEVER_BY_MODEL: readonly string[] = [...AUTOMATIC_CATEGORIES, ...OPT_OUT_CATEGORIES, "MEETING_BOOKED"];

/** The category that a model gives if someone asks for no more email. It only leads to a question to a person. */
export const ASKS_TO_STOP = "UNSUBSCRIBE";
