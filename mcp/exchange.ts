import type { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Request as HttpRequest, Response as HttpResponse } from "express";

/** The headers that the transport reads. */
const READ = ["accept", "content-type", "mcp-protocol-version", "mcp-session-id"];

/**
 * Answers one request of an earlier revision with one server and one transport, closed after the answer.
 * `storedTools` returns the list of tools as JSON after the server has answered an empty list, and null after any other
 * request. It replaces the empty list, because to write 90 kB of JSON anew takes longer than all other work.
 */
export async function exchange(
  server: Server,
  req: HttpRequest,
  res: HttpResponse,
  body: unknown,
  storedTools: () => string | null,
): Promise<void> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  // The SDK's types ignore exactOptionalPropertyTypes
  await server.connect(transport as unknown as Parameters<typeof server.connect>[0]);
  try {
    const headers = READ.flatMap((name) => {
      const value = req.get(name);
      return value === undefined ? [] : [[name, value] as [string, string]];
    });
    const request = new Request("http://mcp.invalid/", { method: "POST", headers });
    const answer = await transport.handleRequest(request, { parsedBody: body });
    const text = await answer.text();
    const tools = storedTools();
    res.status(answer.status).setHeaders(answer.headers);
    // Text from the request, such as its id, cannot match, because its quotes are escaped
    res.end(tools === null ? text : text.replace('"tools":[]', () => `"tools":${tools}`));
  } finally {
    // Not as soon as the caller disconnects: then the answer would never come, and the call would not be logged
    await server.close();
  }
}
