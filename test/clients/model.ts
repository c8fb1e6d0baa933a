import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { modelServer } from "../../connectors/agent-model.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { ModelTrouble } from "../../domain/agent/model-access.ts";

/** A model server that others wrote, as strict as it can be: it refuses what it does not know. */
export const MODEL_SERVER = { "@copilotkit/aimock": "1.43.0" };

/** The parts of the package that are used. */
interface OtherServer {
  url: string;
  start(): Promise<unknown>;
  stop(): Promise<unknown>;
  onMessage(pattern: RegExp, answer: object): void;
  getLastRequest(): { path: string; method: string; body: unknown } | null;
  setChaos(chaos: Record<string, number>): void;
}

const TIMEOUT_MS = 5_000;
const ROUNDS = 40;
/** How a call may fail, when the server drops it, breaks it off, limits it or writes nonsense. */
const TROUBLES = new Set(["UNAVAILABLE", "RATE_LIMITED", "ANSWER_INVALID"]);

/** The server takes our question, lists its models, and each of its faults arrives as a trouble that has a name. */
export async function tryModelServer(tools: string): Promise<string> {
  const entry = createRequire(join(tools, "package.json")).resolve("@copilotkit/aimock");
  const { LLMock }: { LLMock: new (options: object) => OtherServer } = await import(pathToFileURL(entry).href);
  const other = new LLMock({ port: 0, host: "127.0.0.1", strict: true, logLevel: "silent" });
  await other.start();
  const egress = createEgress({ allow: parseAllow("127.0.0.1:*"), ownAddresses: [] });
  try {
    const server = modelServer(egress, { url: `${other.url}/v1`, key: "key", model: null, prices: null }, TIMEOUT_MS);
    const messages = [
      { role: "system", content: "Answer in JSON." },
      { role: "user", content: "How much is it?" },
    ] as const;
    other.onMessage(/How much/, { content: '{"draft":"Gladly."}' });
    const { text, tokens } = await server.chat("small", messages);
    assert.equal(text, '{"draft":"Gladly."}');
    assert.ok(tokens.input > 0 && tokens.output > 0, "it counts tokens");
    const { path, method, body } = other.getLastRequest() ?? {};
    assert.deepEqual([path, method], ["/v1/chat/completions", "POST"]);
    assert.partialDeepStrictEqual(body, {
      model: "small",
      response_format: { type: "json_object" },
      messages: [...messages],
    });
    assert.ok(
      (await server.models()).some(({ id }) => id === "gpt-4o"),
      "it lists its models",
    );
    await assert.rejects(server.chat("small", [{ role: "user", content: "What nobody prepared" }]), ModelTrouble);

    other.setChaos({ dropRate: 0.2, malformedRate: 0.2, rateLimitRate: 0.2, disconnectRate: 0.2 });
    const outcomes = await Promise.all(Array.from({ length: ROUNDS }, () => outcomeOf(server.chat("small", messages))));
    const strange = outcomes.filter((one) => one !== "answered" && !TROUBLES.has(one));
    assert.deepEqual(strange, [], "a fault without a name");
    return `our question is taken; ${outcomes.filter((one) => one !== "answered").length} of ${ROUNDS} calls failed, each with a name`;
  } finally {
    await egress.close();
    await other.stop();
  }
}

function outcomeOf(asking: Promise<unknown>): Promise<string> {
  return asking.then(
    () => "answered",
    (err: unknown) => (err instanceof ModelTrouble ? err.code : String(err)),
  );
}
