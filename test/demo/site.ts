import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import type { Web } from "./web.ts";

/** What a visitor does on the site, and what the site reports of it. */
export const DEEDS = {
  purchase: { event_name: "Purchase", custom_data: { value: 490, currency: "EUR" } },
  signup: { event_name: "CompleteRegistration", custom_data: {} },
  meeting: { event_name: "Schedule", custom_data: {} },
} as const;
export type Deed = keyof typeof DEEDS;

export const SITE_DOMAIN = "planner-tools.test";

/**
 * The site of the demo's customer, which the links of its letters lead to. It reports conversions by
 * docs/guides/conversions.md.
 */
export interface Site {
  /** The address of its pages, without a slash at the end. */
  url: string;
  /** Where it reports conversions: the address of the tracking host. */
  reportTo(trackUrl: string): void;
  close(): Promise<void>;
}

/** Reports each deed from the server; a sign-up's page carries the pixel as well, with the same id. */
export async function startSite(web: Web): Promise<Site> {
  let trackUrl = "";

  async function report(deed: Deed, cid: string): Promise<void> {
    const { event_name, custom_data } = DEEDS[deed];
    const event = { event_name, event_id: `${deed}-${cid}`, action_source: "website", user_data: { cid }, custom_data };
    const answer = await web.fetch(`${trackUrl}/capi/v1/events`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ events: [event] }),
    });
    if (!answer.ok) throw new Error(`The conversion was answered with ${answer.status}`);
  }

  async function respond(request: IncomingMessage): Promise<string> {
    if (request.method !== "POST") return "<h1>Planner Tools</h1>";
    const form = new URLSearchParams(await text(request));
    const [deed, cid] = [form.get("deed") ?? "", form.get("svc") ?? ""];
    if (!isDeed(deed)) throw new Error(`The site knows no form ${deed}`);
    await report(deed, cid);
    const query = new URLSearchParams({ ev: DEEDS[deed].event_name, eid: `${deed}-${cid}`, cid });
    return `<p>Thank you.</p>${deed === "signup" ? `<img src="${trackUrl}/capi/p?${query}" alt="">` : ""}`;
  }

  const server = createServer((request, response) => {
    respond(request).then(
      (page) => response.setHeader("Content-Type", "text/html").end(page),
      () => response.writeHead(503).end(), // the sender tries again, as a shop's queue does
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The site has no port");
  return {
    url: `http://www.${SITE_DOMAIN}:${address.port}`,
    reportTo(url) {
      trackUrl = url;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isDeed(name: string): name is Deed {
  return Object.hasOwn(DEEDS, name);
}
