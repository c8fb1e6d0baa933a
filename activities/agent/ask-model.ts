import { modelServer } from "../../connectors/agent-model.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { AGENT_REPLY } from "../../domain/agent/contract.ts";
import {
  type AgentAccess,
  MOST_ANSWER_TOKENS,
  ModelTrouble,
  type TokenUse,
  tokensAtMost,
  tokensOf,
} from "../../domain/agent/model-access.ts";
import type { ChatMessage } from "../../domain/agent/question.ts";
import { countTokens, setTokensAside, type UsageDay } from "../../store/agent/usage.ts";

const NOTHING = { input: 0, output: 0 };

/** Asks a model within the tokens of the day, and counts what it used; null when the day has no room for it. @throws ModelTrouble */
export async function askModel(
  egress: Egress,
  agent: AgentAccess,
  model: string,
  chat: readonly ChatMessage[],
  { usage, limit }: { usage: UsageDay; limit: number },
): Promise<string | null> {
  const aside = tokensAtMost(JSON.stringify(chat).length);
  if (!(await setTokensAside(usage, aside, limit))) return null;
  try {
    const { text, tokens } = await modelServer(egress, agent, AGENT_REPLY.timeoutMs).chat(model, chat);
    await countTokens(usage, aside, tokens, agent.prices);
    return text;
  } catch (err) {
    await countTokens(usage, aside, usedDespite(err, chat), agent.prices);
    throw err;
  }
}

/** An answer of the wrong form has cost as much as a right one, and does not say how much: what it may have been at most is counted. */
function usedDespite(err: unknown, chat: readonly ChatMessage[]): TokenUse {
  const isAnswered = err instanceof ModelTrouble && err.code === "ANSWER_INVALID";
  return isAnswered ? { input: tokensOf(JSON.stringify(chat).length), output: MOST_ANSWER_TOKENS } : NOTHING;
}
