import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { listen } from "../../runtime/listen.ts";
import { type Postback, report } from "./postbacks.ts";

/**
 * Lets the guide's function in this language report all cases, and fails unless each report and each answer arrived to
 * the letter.
 */
export async function tryPostbacks(language: string): Promise<string> {
  const receiver = await startReceiver();
  try {
    const { cases, received, results } = exchangeAt(receiver.url);
    const found = { received: receiver.received, results: await report(language, cases) };
    const told = found.results.map((one) => one && { event_id: one.event_id, status: one.status });
    if (!isDeepStrictEqual([found.received, told], [received, results]))
      throw new Error(`It did otherwise: ${JSON.stringify(found)}`);
    return "reported in full and in brief, and noticed a service that was away";
  } finally {
    await receiver.close();
  }
}

interface Received {
  method: string;
  type: string;
  body: unknown;
}

/** Accepts each report, refuses those below `/away` with 503, and keeps what came. */
async function startReceiver() {
  const received: Received[] = [];
  const listener = await listen(
    async (req, res) => {
      const parts: Buffer[] = [];
      for await (const part of req) parts.push(part);
      if (!req.url?.startsWith("/on/capi/v1/events")) return void res.writeHead(503, { "Retry-After": "5" }).end("{}");
      const body = Batch.parse(JSON.parse(Buffer.concat(parts).toString()));
      received.push({ method: req.method ?? "", type: req.headers["content-type"] ?? "", body });
      const results = body.events.map(({ event_id }) => ({ event_id, status: "accepted", reason: null }));
      res
        .writeHead(200, { "Content-Type": "application/json" })
        .end(JSON.stringify({ received: results.length, results }));
    },
    0,
    { host: "127.0.0.1" },
  );
  return { url: `http://127.0.0.1:${listener.port}`, received, close: () => listener.close() };
}

/** The hash of ada@people.test. */
const SHA256_OF_ADA = "f9dec70655c7f43c3238e0d224c63d9266d49801fc77c263290f848126d7b219";

const Batch = z.object({ events: z.array(z.looseObject({ event_id: z.string() })) });

/**
 * The cases: all fields, the fewest fields, and a service that is away; each with the result that it must have.
 */
function exchangeAt(url: string): { cases: Postback[]; received: Received[]; results: unknown[] } {
  const [cid, common] = ["4fJ9sK2mQ7xB1c", { action_source: "website" }];
  const full = { cid, name: "Purchase", id: 'order-"1042"-é', email: "Ada@People.test", value: 49.9, currency: "EUR" };
  const events = [
    {
      ...common,
      event_name: "Purchase",
      event_id: full.id,
      user_data: { cid, em: SHA256_OF_ADA },
      custom_data: { value: 49.9, currency: "EUR" },
    },
    { ...common, event_name: "SIGNUP", event_id: "account-7", user_data: { cid }, custom_data: {} },
  ];
  return {
    cases: [
      { url: `${url}/on`, ...full },
      { url: `${url}/on`, cid, name: "SIGNUP", id: "account-7" },
      { url: `${url}/away`, cid, name: "SIGNUP", id: "account-8" },
    ],
    received: events.map((event) => ({ method: "POST", type: "application/json", body: { events: [event] } })),
    results: [{ event_id: full.id, status: "accepted" }, { event_id: "account-7", status: "accepted" }, null],
  };
}
