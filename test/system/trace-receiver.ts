import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const Attribute = z.object({ key: z.string(), value: z.unknown() });
const Body = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z.array(Attribute),
            }),
          ),
        }),
      ),
    }),
  ),
});
export type ReceivedSpan = z.output<typeof Body>["resourceSpans"][number]["scopeSpans"][number]["spans"][number];

export interface TraceReceiver {
  url: string;
  spans: ReceivedSpan[];
  /** All bodies as they came. */
  text(): string;
  close(): void;
}

/** A collector of traces: takes OTLP over HTTP in JSON. */
export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer(async (req, res) => {
    const body = Buffer.concat(await req.toArray()).toString();
    if (req.url !== "/v1/traces" || req.method !== "POST") return res.writeHead(404).end();
    bodies.push(body);
    const { resourceSpans } = Body.parse(JSON.parse(body));
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    return res.setHeader("Content-Type", "application/json").end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  return { url: `http://127.0.0.1:${port}`, spans, text: () => bodies.join("\n"), close: () => server.close() };
}
