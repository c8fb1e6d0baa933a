import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  Client,
  type ElicitResult,
  PROTOCOL_VERSION_META_KEY,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { post, rpc, type ToolResult } from "./mcp.ts";
import type { World } from "./world.ts";

export const REVISION = "2026-07-28";

/** What a person at the application answers to a question, after reading it. */
export type Person = (message: string) => ElicitResult | Promise<ElicitResult>;

export const agrees: ElicitResult = { action: "accept", content: { proceed: true } };

/** The client of the SDK's second version, which speaks revision 2026-07-28 alone. */
export async function modernAgentOf(
  world: Pick<World, "baseUrl">,
  credential: string,
  { query = "", person }: { query?: string; person?: Person } = {},
) {
  const client = new Client(
    { name: "modern agent", version: "2.0.1" },
    {
      capabilities: person === undefined ? {} : { elicitation: { form: {} } },
      versionNegotiation: { mode: { pin: REVISION } },
    },
  );
  if (person !== undefined) client.setRequestHandler("elicitation/create", ({ params }) => person(params.message));
  const transport = new StreamableHTTPClientTransport(new URL(`${world.baseUrl}/mcp${query}`), {
    requestInit: { headers: { Authorization: `Bearer ${credential}` } },
  });
  await client.connect(transport);
  return {
    client,
    async call(name: string, args: Record<string, unknown> = {}): Promise<ToolResult> {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const [first] = content;
      const text = first?.type === "text" ? first.text : "";
      return { isError: isError === true, text, body: JSON.parse(text) };
    },
    close: () => client.close(),
  };
}

/** What one request of the revision says besides its method and parameters. */
interface Said {
  capabilities?: object;
  revision?: string;
  headers?: Record<string, string>;
  query?: string;
}

/** One POST of the revision as it is, for what the client would not send. */
export function postModern(
  world: Pick<World, "baseUrl">,
  credential: string | null,
  method: string,
  params: Record<string, unknown> = {},
  { capabilities = {}, revision = REVISION, headers = {}, query = "" }: Said = {},
): Promise<Response> {
  const _meta = {
    [PROTOCOL_VERSION_META_KEY]: revision,
    [CLIENT_INFO_META_KEY]: { name: "by hand", version: "3" },
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  };
  const { name, uri = name } = params;
  const named = typeof uri === "string" ? { "Mcp-Name": uri } : {};
  const all = { "MCP-Protocol-Version": revision, "Mcp-Method": method, ...named, ...headers };
  return post(world, credential, rpc(method, { ...params, _meta }), all, query);
}
