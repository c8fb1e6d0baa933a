import { get, type IncomingMessage } from "node:http";
import { createContext, runInContext } from "node:vm";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DEFAULT_SETTINGS } from "../../domain/campaigns/settings.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { tryPostbacks } from "../clients/postback-receiver.ts";
import { report } from "../clients/postbacks.ts";
import { startWorld, type World } from "../support/world.ts";
import { trackedCampaign } from "./tracked.ts";

/**
 * The script of customers' pages, run as the service serves it. A page here has what the script may touch, and notes
 * everything else that it does.
 */
const CID = "4fJ9sK2mQ7xB1c";
const OTHER_CID = "0aZ0aZ0aZ0aZ0a";
const TRACK = "https://track.acme.test";
const KEY = "outreach_svc";
const START = Date.UTC(2026, 2, 2);
const WINDOW_MS = DEFAULT_SETTINGS.attributionWindowDays * DAY_MS;
const PURCHASE = { event_name: "Purchase", event_id: "order-1", value: 49.9, currency: "EUR" };
const ACCEPTED = { event_id: "order-1", status: "accepted", reason: null };

let world: World;
let served: Answer;
beforeAll(async () => {
  world = await startWorld();
  served = await scriptAs("localhost");
});
afterAll(() => world.close());

interface Answer {
  status: number | undefined;
  headers: IncomingMessage["headers"];
  text: string;
}

function scriptAs(host: string, more: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    get(`${world.baseUrl}/svc.js`, { headers: { Host: host, ...more } }, async (res) => {
      const parts: Buffer[] = [];
      for await (const part of res) parts.push(part);
      resolve({ status: res.statusCode, headers: res.headers, text: Buffer.concat(parts).toString() });
    }).on("error", reject);
  });
}

interface Site {
  now: number;
  /** What the browser keeps for the site's origin; null where it forbids to ask. */
  storage: Map<string, string> | null;
  sent: { url: string; init: RequestInit }[];
  answer: (url: string, init: RequestInit) => Promise<Response>;
}

const siteOf = (changes: Partial<Site> = {}): Site => ({
  now: START,
  storage: new Map<string, string>(),
  sent: [],
  answer: async () => Response.json({ received: 1, results: [ACCEPTED] }),
  ...changes,
});

interface Opened {
  outreach(...args: unknown[]): Promise<unknown>;
  /** What the script touched beyond its purpose. */
  touched: string[];
  /** Runs the script's tag once more. */
  loadAgain(): void;
}

/** Opens a page of the site; `before` is what the page called before the script had loaded. */
function open(
  site: Site,
  search = "",
  { before, days, src = `${TRACK}/svc.js` }: { before?: unknown[][]; days?: string; src?: string } = {},
) {
  const touched: string[] = [];
  const only = (name: string, has: Record<string, unknown>) =>
    new Proxy(has, {
      get: (target, key) => {
        if (!(key in target)) touched.push(`${name}.${String(key)}`);
        return Reflect.get(target, key);
      },
      set: (_target, key) => {
        touched.push(`${name}.${String(key)}=`);
        return true;
      },
    });
  const queued = before && Object.assign(() => {}, { q: before });
  const page = {
    URL,
    ...(queued && { outreach: queued }),
    Date: { now: () => site.now },
    document: only("document", { currentScript: { src, dataset: days === undefined ? {} : { days } } }),
    location: only("location", { search }),
    fetch: (url: unknown, init: RequestInit) => {
      site.sent.push({ url: String(url), init });
      return site.answer(String(url), init);
    },
  };
  const window = Object.defineProperties(page, {
    window: { get: () => page },
    localStorage: { get: () => storageOf(site) },
    ...Object.fromEntries(
      [
        "navigator",
        "screen",
        "sessionStorage",
        "indexedDB",
        "history",
        "caches",
        "cookieStore",
        "performance",
        "crypto",
      ].map((name) => [
        name,
        {
          get: () => {
            touched.push(name);
            return {};
          },
        },
      ]),
    ),
  });
  const load = () => runInContext(served.text, context);
  const context = createContext(window);
  load();
  const outreach: Opened["outreach"] = (...args) => {
    const call: unknown = Reflect.get(window, "outreach");
    if (typeof call !== "function" || call === queued) throw new Error("The script defined nothing");
    return Reflect.apply(call, window, args);
  };
  return { outreach, touched, loadAgain: load };
}

function storageOf({ storage }: Site) {
  if (storage === null) throw new DOMException("The operation is insecure", "SecurityError");
  return {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  };
}

const eventsOf = (site: Site) => site.sent.map(({ init }) => JSON.parse(String(init.body)).events);
const cidsOf = (site: Site) => eventsOf(site).map(([event]) => event.user_data.cid);
const kept = ({ storage }: Site) => Object.fromEntries(storage ?? []);

test("the tracking script is under 1,024 bytes, identical for every host, usable from any origin and cacheable for an hour", async () => {
  const customers = await scriptAs("track.customer.test");
  expect(customers.text).toBe(served.text);
  expect(Buffer.byteLength(served.text)).toBeLessThan(1_024);
  for (const { status, headers } of [served, customers]) {
    expect([status, Number(headers["content-length"])]).toEqual([200, Buffer.byteLength(served.text)]);
    expect(headers).toMatchObject({
      "content-type": "text/javascript; charset=utf-8",
      "cache-control": "public, max-age=3600",
      "access-control-allow-origin": "*",
      "cross-origin-resource-policy": "cross-origin",
      "x-content-type-options": "nosniff",
    });
    expect(headers["set-cookie"]).toBeUndefined();
  }
  expect((await scriptAs("localhost", { "If-None-Match": served.headers["etag"] ?? "" })).status).toBe(304);
});

test("a conversion on the landing page is sent to the script's host with the link's cid, even while the visitor leaves the page", async () => {
  const site = siteOf();
  const { outreach } = open(site, `?utm=1&svc=${CID}&x=2`);
  expect(await outreach("convert", PURCHASE)).toEqual(ACCEPTED);
  const [{ url, init } = { url: "", init: {} }, ...more] = site.sent;
  expect([url, more]).toEqual([`${TRACK}/capi/v1/events`, []]);
  // Without a type of its own the body is text, before which no browser asks
  expect(init).toEqual({ method: "POST", keepalive: true, credentials: "omit", body: expect.any(String) });
  expect(eventsOf(site)).toEqual([
    [
      {
        event_name: "Purchase",
        event_id: "order-1",
        action_source: "website",
        user_data: { cid: CID },
        custom_data: { value: 49.9, currency: "EUR" },
      },
    ],
  ]);
});

test("a script served below a proxy path reports conversions below that path", async () => {
  const site = siteOf();
  await open(site, `?svc=${CID}`, { src: "https://acme.test/mail/svc.js?v=1" }).outreach("convert", PURCHASE);
  expect(site.sent.map(({ url }) => url)).toEqual(["https://acme.test/mail/capi/v1/events"]);
});

test("later pages report with the stored cid until the attribution window ends, and then the cid is removed from the browser", async () => {
  const site = siteOf();
  open(site, `?svc=${CID}`);
  expect(kept(site)).toEqual({ [KEY]: `${CID} ${START + WINDOW_MS}` });
  site.now = START + WINDOW_MS - 1;
  const page = open(site);
  await page.outreach("convert", { event_name: "SIGNUP" });
  expect(eventsOf(site)).toEqual([
    [{ event_name: "SIGNUP", action_source: "website", user_data: { cid: CID }, custom_data: {} }],
  ]);
  site.now++;
  expect(await page.outreach("convert", PURCHASE)).toBeUndefined();
  expect([site.sent.length, kept(site)]).toEqual([1, {}]);
});

test("a page that only loads the script removes an expired cid", () => {
  const site = siteOf({ storage: new Map([[KEY, `${CID} ${START}`]]) });
  open(site);
  expect(kept(site)).toEqual({});
});

test("a page that stays open past the attribution window reports no conversion", async () => {
  const site = siteOf({ storage: null });
  const { outreach } = open(site, `?svc=${CID}`);
  site.now += WINDOW_MS;
  expect(await outreach("convert", PURCHASE)).toBeUndefined();
  expect(site.sent).toEqual([]);
});

test.each([
  ["365", 365],
  ["1", 1],
])("a script tag with %s days stores the cid for that many days", (days, count) => {
  const site = siteOf();
  open(site, `?svc=${CID}`, { days });
  expect(kept(site)).toEqual({ [KEY]: `${CID} ${START + count * DAY_MS}` });
});

test("the cid of the last link counts, and a URL without a complete cid leaves the stored cid unchanged", async () => {
  const site = siteOf();
  open(site, `?svc=${OTHER_CID}`);
  open(site, `?svc=${CID}`);
  for (const search of ["?svc=", "?svc=short", `?svc=${CID}x`, "?svc=%3Cscript%3E1234", `?xsvc=${OTHER_CID}`]) {
    await open(site, search).outreach("convert", PURCHASE);
  }
  expect(cidsOf(site)).toEqual(Array(5).fill(CID));
});

test.each([
  ["nothing", new Map<string, string>()],
  ["what another program wrote there", new Map([[KEY, '{"a":1}']])],
])("without an earlier link nothing is sent when the storage contains %s", async (_what, storage) => {
  const site = siteOf({ storage });
  expect(await open(site).outreach("convert", PURCHASE)).toBeUndefined();
  expect(site.sent).toEqual([]);
});

test("refusing consent deletes the cid, and nothing is stored or sent until consent is given", async () => {
  const site = siteOf();
  const { outreach } = open(site, `?svc=${CID}`);
  await outreach("consent", false);
  expect(kept(site)).toEqual({});
  await outreach("convert", PURCHASE);
  expect([site.sent, kept(site)]).toEqual([[], {}]);
  await outreach("consent", true);
  expect(kept(site)).toEqual({ [KEY]: `${CID} ${START + WINDOW_MS}` });
  await outreach("convert", PURCHASE);
  expect(cidsOf(site)).toEqual([CID]);
});

test.each([[[]], [[undefined]], [["denied"]], [["true"]], [[1]], [[null]]])(
  "only true counts as consent, and %j counts as a refusal",
  async (said) => {
    const site = siteOf();
    const { outreach } = open(site, `?svc=${CID}`);
    await outreach("consent", ...said);
    await outreach("convert", PURCHASE);
    expect([site.sent, kept(site)]).toEqual([[], {}]);
  },
);

test("a refusal before the script loads stores nothing and deletes the cid of an earlier visit", async () => {
  const writes: string[] = [];
  class Watched extends Map<string, string> {
    override set(key: string, value: string) {
      writes.push(key);
      return super.set(key, value);
    }
  }
  const site = siteOf({ storage: new Watched() });
  site.storage?.set(KEY, `${OTHER_CID} ${START + WINDOW_MS}`);
  writes.length = 0;
  const { outreach } = open(site, `?svc=${CID}`, { before: [["consent", false]] });
  await outreach("convert", PURCHASE);
  expect([writes, kept(site), site.sent]).toEqual([[], {}, []]);
});

test("conversions reported before the script loads are sent once the script has loaded", () => {
  const site = siteOf();
  open(site, `?svc=${CID}`, { before: [["convert", PURCHASE], ["convert"], ["convert", { event_name: "SIGNUP" }]] });
  expect(eventsOf(site).map(([{ event_name }]) => event_name)).toEqual(["Purchase", "SIGNUP"]);
});

test("loading the script twice in a page does not undo a refusal of consent", async () => {
  const site = siteOf();
  const page = open(site, `?svc=${CID}`);
  await page.outreach("consent", false);
  page.loadAgain();
  await page.outreach("convert", PURCHASE);
  expect([site.sent, kept(site)]).toEqual([[], {}]);
});

test("without browser storage the landing page still reports conversions", async () => {
  const site = siteOf({ storage: null });
  const { outreach } = open(site, `?svc=${CID}`);
  expect(await outreach("convert", PURCHASE)).toEqual(ACCEPTED);
  for (const said of [false, true]) await outreach("consent", said);
  expect(cidsOf(site)).toEqual([CID]);
});

test.each<[string, () => Promise<Response>]>([
  ["cannot be reached", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["is busy", async () => Response.json({ code: "RATE_LIMITED" }, { status: 429 })],
  ["answers no JSON", async () => new Response("<html>", { status: 503 })],
])("a convert call resolves with undefined when the service %s", async (_how, answer) => {
  const { outreach } = open(siteOf({ answer }), `?svc=${CID}`);
  expect(await outreach("convert", PURCHASE)).toBeUndefined();
});

test.each([
  [[]],
  [["convert"]],
  [["convert", null]],
  [["convert", { event_id: 1n, event_name: 1n }]],
  [["other", {}]],
  [[null, null]],
])("invalid calls resolve with undefined and send nothing", async (said) => {
  const site = siteOf();
  const { outreach } = open(site, `?svc=${CID}`);
  expect(await outreach(...said)).toBeUndefined();
  expect(site.sent).toEqual([]);
});

test("the script reads no cookies, user agent, screen or other storage, only the query and its own storage key", async () => {
  const site = siteOf();
  const { outreach, touched } = open(site, `?svc=${CID}`);
  for (const said of [
    ["consent", false],
    ["consent", true],
    ["convert", PURCHASE],
  ])
    await outreach(...said);
  expect(site.sent).toHaveLength(1);
  expect([touched, Object.keys(kept(site))]).toEqual([[], [KEY]]);
});

test("the guide's Node function reports a conversion exactly, returns the result and fails while the service is unavailable", async () => {
  expect(await tryPostbacks("js")).toMatch(/reported/);
}, 60_000);

test("a purchase by a returning visitor is counted once when both the script and the shop's server report the purchase", async () => {
  const { rest, recipients, campaignId, workspaceId } = await trackedCampaign(world);
  await scoped(workspaceId).Recipient.updateMany({ campaignId }, { $set: { lastSentAt: new Date() } });
  const cid = recipients[0]?.cid ?? "";
  const site = siteOf({ now: Date.now(), answer: fetch });
  const src = `${world.baseUrl}/svc.js`;
  open(site, `?svc=${cid}`, { src });
  expect(await open(site, "", { src }).outreach("convert", PURCHASE)).toEqual(ACCEPTED);
  const again = {
    url: world.baseUrl,
    cid,
    name: "PURCHASE",
    id: "order-1",
    email: "Reader0@reader.test",
    value: 49.9,
    currency: "EUR",
  };
  expect(await report("js", [again, { ...again, cid: OTHER_CID, id: "order-2" }])).toEqual([
    { event_id: "order-1", status: "duplicate", reason: null },
    { event_id: "order-2", status: "rejected", reason: "invalid_cid" },
  ]);
  expect((await rest.get("/conversions?status=accepted")).body.items).toMatchObject([
    { eventId: "order-1", campaignId, channel: "SERVER", type: "PURCHASE", value: "49.9", currency: "EUR" },
  ]);
}, 60_000);
