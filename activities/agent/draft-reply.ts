import { ApplicationFailure } from "@temporalio/common";
import type { Logger } from "pino";
import { modelServer } from "../../connectors/agent-model.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { whyUnreached } from "../../connectors/net/why-unreached.ts";
import { readAnswer } from "../../domain/agent/answer.ts";
import { AGENT_REPLY, type AgentReplyIds, type AgentReplyOutcome } from "../../domain/agent/contract.ts";
import {
  type AgentAccess,
  MOST_ANSWER_TOKENS,
  ModelTrouble,
  type TokenUse,
  tokensAtMost,
  tokensOf,
} from "../../domain/agent/model-access.ts";
import { faultOf } from "../../domain/agent/outgoing-rules.ts";
import { againOf, type ChatMessage, chatOf } from "../../domain/agent/question.ts";
import { type Prepared, prepareReply } from "../../store/agent/prepare-reply.ts";
import { endTask, leaveToPeople, settleReply } from "../../store/agent/settle-reply.ts";
import { countTokens, openUsage, setTokensAside, type UsageDay } from "../../store/agent/usage.ts";
import { withHeartbeat } from "../beat.ts";
import { meetingOfferOf, type ReadBusy } from "./meeting-offer.ts";

export interface AgentDeps {
  egress: Egress;
  /** Address and key of the model server; null when none is configured. */
  agent: AgentAccess | null;
  /** Reads busy times from the workspace's calendar, if one is connected. */
  readBusy: ReadBusy;
  log: Pick<Logger, "warn">;
}

export interface AgentReplyActivities {
  draftAgentReply(ids: AgentReplyIds): Promise<AgentReplyOutcome>;
  giveUpAgentReply(ids: AgentReplyIds): Promise<void>;
}

/** Error codes for which a retry cannot help. */
const FOR_GOOD: readonly string[] = ["KEY_REFUSED", "REFUSED"];
/** The most requests to the model per attempt: a second one is made when the first answer is not usable. */
const ASKED_AT_MOST = 2;

/**
 * The activities of the inbox agent. They store what the model says about an email; only the project's rules act on it.
 */
export function agentReplyActivities(deps: AgentDeps): AgentReplyActivities {
  return {
    draftAgentReply: (ids) => withHeartbeat(() => draft(deps, ids)),
    giveUpAgentReply: async ({ workspaceId, messageId }) => {
      await endTask(workspaceId, messageId, { status: "FAILED", result: "UNANSWERED" });
    },
  };
}

async function draft(deps: AgentDeps, { workspaceId, messageId }: AgentReplyIds): Promise<AgentReplyOutcome> {
  const usage = await openUsage(workspaceId);
  const prepared = await prepareReply(workspaceId, messageId, usage.day);
  if (prepared.kind === "skip") {
    await endTask(workspaceId, messageId, { status: "SKIPPED", result: prepared.why });
    return { kind: "skipped" };
  }
  if (prepared.kind === "people") {
    await leaveToPeople(prepared.ground, prepared.category);
    return { kind: "settled" };
  }
  try {
    const unanswered = await draftAnswer(deps, prepared, usage);
    if (unanswered === null) return { kind: "settled" };
    await endTask(workspaceId, messageId, { status: "FAILED", result: unanswered });
  } catch (err) {
    if (!(err instanceof ModelTrouble)) throw err;
    const { code } = err;
    deps.log.warn({ err, code, workspaceId, messageId, why: whyUnreached(err) }, "the model did not answer");
    if (!FOR_GOOD.includes(code)) throw ApplicationFailure.retryable("The model did not answer", code);
    await endTask(workspaceId, messageId, { status: "FAILED", result: code });
  }
  return { kind: "unanswered" };
}

/**
 * Asks the model and stores a usable answer. Returns null on success, otherwise the reason for failure. @throws
 * ModelTrouble
 */
async function draftAnswer(
  { egress, agent, readBusy }: AgentDeps,
  { ground, question: prompt, draftGround: replyGround }: Prepared & { kind: "ask" },
  usage: UsageDay,
): Promise<string | null> {
  const model = ground.settings.modelId ?? agent?.model ?? null;
  if (agent === null || model === null) return "NOT_CONFIGURED";
  const meeting = await meetingOfferOf(usage.workspaceId, ground.lead?.timezone ?? null, readBusy);
  const question = { ...prompt, meeting };
  const draftGround = {
    ...replyGround,
    ownTexts: [...replyGround.ownTexts, ...(meeting?.bookingUrl ? [meeting.bookingUrl] : [])],
  };
  const within = { usage, limit: ground.settings.dailyTokenLimit };
  let chat = chatOf(question);
  for (let times = 0; times < ASKED_AT_MOST; times++) {
    const text = await askModel(egress, agent, model, chat, within);
    if (text === null) return "TOKEN_LIMIT";
    const said = readAnswer(text, question);
    if (said !== null) {
      await settleReply(ground, said, said.draft === null ? null : faultOf(said.draft, draftGround), usage);
      return null;
    }
    chat = againOf(chat, text);
  }
  return "ANSWER_INVALID";
}

const NOTHING = { input: 0, output: 0 };

/**
 * Asks a model and counts the tokens used. Returns null when the request would exceed the daily token limit. @throws
 * ModelTrouble
 */
async function askModel(
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

/** An invalid answer costs tokens too, but does not state how many, so the most that it may have cost is counted. */
function usedDespite(err: unknown, chat: readonly ChatMessage[]): TokenUse {
  const isAnswered = err instanceof ModelTrouble && err.code === "ANSWER_INVALID";
  return isAnswered ? { input: tokensOf(JSON.stringify(chat).length), output: MOST_ANSWER_TOKENS } : NOTHING;
}
