import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { World } from "./world.ts";

export interface ToolResult {
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads answers field by field
  body: any;
  text: string;
}

/** The SDK's own client, connected with a credential. */
export async function agentOf(world: Pick<World, "baseUrl">, credential: string, query = "") {
  const client = new Client({ name: "test agent", version: "1.2.3" });
  const transport = new StreamableHTTPClientTransport(new URL(`${world.baseUrl}/mcp${query}`), {
    requestInit: { headers: { Authorization: `Bearer ${credential}` } },
  });
  await client.connect(transport as unknown as Parameters<typeof client.connect>[0]); // typed for an SDK without exactOptionalPropertyTypes
  return {
    client,
    async list(): Promise<string[]> {
      return (await client.listTools()).tools.map(({ name }) => name);
    },
    async call(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
      const result = await client.callTool({ name, arguments: args });
      const [content] = Array.isArray(result.content) ? result.content : [];
      return { isError: result.isError === true, text: content.text, body: JSON.parse(content.text) };
    },
    close: () => client.close(),
  };
}

/** One POST as it is, for what no client would send. */
export function post(
  world: Pick<World, "baseUrl">,
  credential: string | null,
  body: unknown,
  headers: Record<string, string> = {},
  query = "",
): Promise<Response> {
  return fetch(`${world.baseUrl}/mcp${query}`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(credential !== null && { Authorization: `Bearer ${credential}` }),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

export const rpc = (method: string, params: unknown = {}) => ({ jsonrpc: "2.0", id: 1, method, params });
