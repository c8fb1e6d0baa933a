import { z } from "zod";
import {
  type AgentAccess,
  MOST_ANSWER_TOKENS,
  ModelTrouble,
  type TokenUse,
  tokensOf,
} from "../domain/agent/model-access.ts";
import type { ChatMessage } from "../domain/agent/question.ts";
import type { Egress, EgressResponse } from "./net/egress.ts";
import { EgressError } from "./net/egress-error.ts";

const MOST_BYTES = 512 * 1024;
const MOST_MODELS = 500;

interface ChatAnswer {
  text: string;
  tokens: TokenUse;
}

interface ListedModel {
  id: string;
  name: string;
}

export interface ModelServer {
  chat(model: string, messages: readonly ChatMessage[]): Promise<ChatAnswer>;
  models(): Promise<ListedModel[]>;
}

/**
 * A client for a model server with OpenAI's HTTP protocol. Errors never contain text from the server. @throws
 * ModelTrouble
 */
export function modelServer(
  egress: Pick<Egress, "request">,
  { url, key }: AgentAccess,
  timeoutMs: number,
): ModelServer {
  async function call(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
    const headers = {
      accept: "application/json",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...(key !== null && { authorization: `Bearer ${key}` }),
    };
    let answer: EgressResponse;
    try {
      const sent = {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
        timeoutMs,
        maxBodyBytes: MOST_BYTES,
      };
      answer = await egress.request(`${url}/${path}`, sent);
    } catch (cause) {
      throw new ModelTrouble("UNAVAILABLE", { ...(cause instanceof EgressError && { cause }) });
    }
    if (answer.statusCode !== 200) throw troubleOf(answer.statusCode);
    return jsonIn(answer);
  }

  return {
    async chat(model, messages) {
      const request = {
        model,
        messages,
        response_format: { type: "json_object" },
        max_completion_tokens: MOST_ANSWER_TOKENS,
      };
      const read = Completion.safeParse(await call("POST", "chat/completions", request));
      const text = read.data?.choices[0]?.message.content;
      if (!read.success || typeof text !== "string") throw new ModelTrouble("ANSWER_INVALID");
      const { prompt_tokens, completion_tokens } = read.data.usage ?? {};
      const sent = JSON.stringify(messages).length;
      return {
        text,
        tokens: { input: prompt_tokens ?? tokensOf(sent), output: completion_tokens ?? tokensOf(text.length) },
      };
    },
    async models() {
      const read = Models.safeParse(await call("GET", "models"));
      if (!read.success) throw new ModelTrouble("ANSWER_INVALID");
      return read.data.data.slice(0, MOST_MODELS).map(({ id, name }) => ({ id, name: name ?? id }));
    },
  };
}

const count = z.number().int().min(0).max(100_000_000).nullish();
const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullish() }) })).max(100),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(null),
});
const Models = z.object({
  data: z.array(z.object({ id: z.string().min(1).max(200), name: z.string().max(200).nullish().catch(null) })),
});

function jsonIn({ bodyExcerpt, isBodyComplete }: EgressResponse): unknown {
  // An interrupted answer may arrive completely next time; an answer that is too long would be too long again
  if (!isBodyComplete) throw new ModelTrouble(bodyExcerpt.length < MOST_BYTES ? "UNAVAILABLE" : "ANSWER_INVALID");
  try {
    return JSON.parse(bodyExcerpt.toString("utf8"));
  } catch {
    throw new ModelTrouble("ANSWER_INVALID");
  }
}

function troubleOf(statusCode: number): ModelTrouble {
  if (statusCode === 429) return new ModelTrouble("RATE_LIMITED");
  if (statusCode >= 500) return new ModelTrouble("UNAVAILABLE");
  if (statusCode === 401 || statusCode === 403) return new ModelTrouble("KEY_REFUSED");
  return new ModelTrouble(statusCode >= 400 ? "REFUSED" : "ANSWER_INVALID");
}
