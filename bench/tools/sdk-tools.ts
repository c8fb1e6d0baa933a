import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import express from "express";
import { z } from "zod";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { listOf } from "../../mcp/server.ts";
import { answer } from "../system/processes.ts";

/**
 * An MCP server as in the SDK's examples, with the tool names, descriptions and fields of our own server. It registers
 * every tool for each request.
 */
const registered = listOf(new Set(ALL_SCOPES), { toolsets: null, readOnly: false }).map(
  ({ name, inputSchema, ...description }) => {
    const schema = z.fromJSONSchema(inputSchema as Parameters<typeof z.fromJSONSchema>[0]); // its type is too wide
    if (!(schema instanceof z.ZodObject)) throw new Error(`${name} takes no object`);
    return { name, config: { ...description, inputSchema: schema } };
  },
);

const app = express();
app.post("/mcp", express.json(), async (req, res) => {
  const server = new McpServer({ name: "idiom", version: "1.0.0" });
  for (const { name, config } of registered) {
    server.registerTool(name, config, () => ({ content: [{ type: "text", text: "{}" }] }));
  }
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  res.once("close", () => {
    void transport.close();
    void server.close();
  });
  // The SDK's types do not support exactOptionalPropertyTypes
  await server.connect(transport as unknown as Parameters<typeof server.connect>[0]);
  await transport.handleRequest(req, res, req.body);
});

const listener = app.listen(0, "127.0.0.1", () => {
  const address = listener.address();
  answer({ port: () => (typeof address === "object" ? address?.port : null) });
});
