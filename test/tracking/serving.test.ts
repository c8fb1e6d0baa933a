import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type PurposeKeys, signToken } from "../../domain/access/tokens.ts";
import type { MailTracking } from "../../domain/hits.ts";
import { scoped } from "../../models/scoped.ts";
import type { Hit } from "../../models/tracking/hit.ts";
import { newId } from "../../mongo/ids.ts";
import { createHitBatches } from "../../operations/tracking/hit-batches.ts";
import { cleanAgent, hitOf, insertHits, type Visit } from "../../store/tracking/hits.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

const PLAIN = { url: "https://shop.test/ü?q=é&a=%20#top", converts: false };
const CONVERTS = { url: "https://shop.test/buy?svc=4fJ9sK2mQ7xB1c", converts: true };
const GIF = "R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==";
const MOST = 40;

let world: World;
let workspaceId: string;
let keys: PurposeKeys;
beforeAll(async () => {
  world = await startWorld({ settings: { trustProxy: 1 }, mostHitsAMinute: MOST });
  ({ workspaceId } = await world.workspace());
  keys = world.services.signing;
});
afterAll(() => world.close());

interface Mailed {
  sendId: string;
  pixel: string;
  link(index: number): string;
  hits(): Promise<Hit[]>;
}

async function mailed(
  tracking: MailTracking | null = { opens: true, clicks: true, links: [PLAIN, CONVERTS] },
): Promise<Mailed> {
  const { Send, Hit } = scoped(workspaceId);
  const sendId = newId("snd");
  await Send.insert({ _id: sendId, to: "ada@people.test", state: "SENT", tracking });
  return {
    sendId,
    pixel: `${world.baseUrl}/t/o/${signToken(keys, "o", sendId)}`,
    link: (index) => `${world.baseUrl}/t/c/${signToken(keys, "c", sendId, index)}`,
    hits: () => Hit.find({ sendId }, { sort: { _id: 1 } }),
  };
}

let visitors = 0;
/** As if from another address each time, so that no test fills the limit of another. */
const ask = (
  url: string,
  { headers = {}, ...init }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) =>
  fetch(url, {
    redirect: "manual",
    headers: { "X-Forwarded-For": `203.0.113.${++visitors % 250}`, "User-Agent": "Reader/1", ...headers },
    ...init,
  });
const hitsOf = async ({ hits }: Mailed, count: number): Promise<Hit[]> => {
  await until(async () => (await hits()).length >= count, { deadlineMs: 20_000, what: `${count} hits` });
  return hits();
};
/**
 * What comes in one batch is stored in one: once a later visit's hit is there, an earlier one is there or never comes.
 */
const settled = async (): Promise<void> => {
  const later = await mailed();
  await ask(later.pixel);
  await hitsOf(later, 1);
};

test("the open pixel is an uncacheable 43-byte GIF for any token, and a valid token stores an open", async () => {
  const mail = await mailed();
  const answer = await ask(mail.pixel, { headers: { "X-Forwarded-For": "1.2.3.4, 198.51.100.7" } });
  expect(Buffer.from(await answer.arrayBuffer()).toString("base64")).toBe(GIF);
  expect(Buffer.from(GIF, "base64")).toHaveLength(43);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    "cache-control": "no-store",
    "content-type": "image/gif",
    "content-length": "43",
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "cross-origin",
    "referrer-policy": "no-referrer",
  });
  for (const token of ["", "x", "v1.a.b.c", `${mail.pixel.slice(-60, -1)}`]) {
    const other = await ask(`${world.baseUrl}/t/o/${token}`);
    expect([other.status, other.headers.get("content-length")]).toEqual([200, "43"]);
  }
  const [hit, ...more] = await hitsOf(mail, 1);
  expect(more).toEqual([]);
  const at = hit?.at.getTime() ?? 0;
  expect(hit).toMatchObject({
    workspaceId,
    sendId: mail.sendId,
    kind: "OPEN",
    linkIndex: null,
    method: "GET",
    agent: "Reader/1",
    address: "198.51.100.7",
    dueAt: new Date(at + 5_000),
    hitClass: null,
    evidence: [],
  });
  expect(Math.abs(Date.now() - at)).toBeLessThan(600_000);
});

test("a tracked link redirects to its target with 302, without caching and referrer, also with an added query", async () => {
  const mail = await mailed();
  for (const url of [mail.link(0), `${mail.link(0)}?utm=1`]) {
    const answer = await ask(url);
    expect([answer.status, answer.headers.get("location"), await answer.text()]).toEqual([
      302,
      "https://shop.test/%C3%BC?q=%C3%A9&a=%20#top",
      "",
    ]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
    });
    expect(answer.headers.get("x-powered-by")).toBeNull();
  }
  expect(await hitsOf(mail, 2)).toMatchObject([{ kind: "CLICK", linkIndex: 0 }, { linkIndex: 0 }]);
});

test("tracking answers HEAD like GET without a body and other methods with 405, and stores each request with its method", async () => {
  const mail = await mailed();
  const heads = [await ask(mail.pixel, { method: "HEAD" }), await ask(mail.link(0), { method: "HEAD" })];
  expect(heads.map(({ status, headers }) => [status, headers.get("content-length")])).toEqual([
    [200, "43"],
    [302, "0"],
  ]);
  for (const url of [mail.pixel, mail.link(1)]) {
    const answer = await ask(url, { method: "POST", body: "x" });
    expect([answer.status, answer.headers.get("allow"), answer.headers.get("location")]).toEqual([
      405,
      "GET, HEAD",
      null,
    ]);
  }
  const kept = (await hitsOf(mail, 4)).map(({ kind, method }) => `${method} ${kind}`);
  expect(kept.sort()).toEqual(["HEAD CLICK", "HEAD OPEN", "POST CLICK", "POST OPEN"]);
});

test("a forged or cut tracking token, or a token for another purpose, gets a page without a link and stores nothing", async () => {
  const mail = await mailed();
  const token = mail.link(0).split("/").at(-1) ?? "";
  const [version, kid, payload = "", mac] = token.split(".");
  const other = Buffer.from(`c:${newId("snd")}:0`).toString("base64url");
  const forged = [
    ...[
      "",
      "x",
      "..",
      token.slice(0, -1),
      `${token}A`,
      token.toUpperCase(),
      [version, kid, other, mac].join("."),
      "%00",
      "%zz",
    ],
    ...[signToken(keys, "u", mail.sendId), signToken(keys, "o", mail.sendId), signToken(keys, "c", mail.sendId)],
    ...[
      signToken(keys, "c", mail.sendId, 2),
      signToken(keys, "c", newId("snd"), 0),
      signToken(otherKeys(), "c", mail.sendId, 0),
    ],
    [version, kid, Buffer.from(`${Buffer.from(payload, "base64url")}9`).toString("base64url"), mac].join("."),
  ];
  for (const each of forged) {
    const answer = await ask(`${world.baseUrl}/t/c/${each}`, { headers: { "Accept-Language": "de" } });
    const page = await answer.text();
    expect([each, answer.status, answer.headers.get("location")]).toEqual([each, 404, null]);
    if (each !== "..") expect(page).toContain("Dieser Link funktioniert nicht");
    expect(page).not.toMatch(/<a |href|<script/);
    await ask(`${world.baseUrl}/t/o/${each === signToken(keys, "o", mail.sendId) ? token : each}`);
  }
  await settled();
  expect(await mail.hits()).toEqual([]);
});

function otherKeys(): PurposeKeys {
  const key = [{ kid: keys.c[0]?.kid ?? "", key: Buffer.alloc(32, 1) }];
  return { u: key, o: key, c: key };
}

test("following the invisible link opens a page without links and does not count as a click", async () => {
  const mail = await mailed({ opens: false, clicks: true, links: [PLAIN], hiddenLink: true });
  const hidden = `${world.baseUrl}/t/c/${signToken(keys, "c", mail.sendId)}`;
  const answer = await ask(`${hidden}?utm=1`, { headers: { "Accept-Language": "de" } });
  const page = await answer.text();
  expect([answer.status, answer.headers.get("location"), answer.headers.get("cache-control")]).toEqual([
    200,
    null,
    "no-store",
  ]);
  expect(page).toContain("Hier ist nichts");
  expect(page).not.toMatch(/<a |href|<script|<form/);
  expect((await ask(hidden, { method: "HEAD" })).status).toBe(200);
  expect((await ask(hidden, { method: "POST", body: "x" })).status).toBe(405);
  const kept = (await hitsOf(mail, 3)).map(({ kind, linkIndex, method }) => [kind, linkIndex, method]);
  expect(kept.sort()).toEqual([
    ["HIDDEN", null, "GET"],
    ["HIDDEN", null, "HEAD"],
    ["HIDDEN", null, "POST"],
  ]);
  const flood = { headers: { "X-Forwarded-For": "2001:db8:7::1" } };
  for (let index = 0; index < 3 * MOST; index++) expect((await ask(hidden, flood)).status).toBe(200);
  const without = await mailed();
  for (const method of ["GET", "POST"])
    await ask(`${world.baseUrl}/t/c/${signToken(keys, "c", without.sendId)}`, { method });
  await settled();
  expect(await without.hits()).toEqual([]);
  expect((await mail.hits()).length).toBeLessThanOrEqual(3 + 2 * MOST);
});

test("a link signed with a retired key redirects as long as the key is known", async () => {
  const mail = await mailed();
  const old = { kid: "old", key: Buffer.alloc(32, 7) };
  keys.c.push(old);
  const token = signToken({ ...keys, c: [old] }, "c", mail.sendId, 0);
  expect((await ask(`${world.baseUrl}/t/c/${token}`)).status).toBe(302);
  keys.c.pop();
  expect((await ask(`${world.baseUrl}/t/c/${token}`)).status).toBe(404);
});

test("the pixel of an email that does not track opens stores nothing", async () => {
  const [closed, untracked] = [await mailed({ opens: false, clicks: true, links: [PLAIN] }), await mailed(null)];
  expect((await ask(closed.link(0))).status).toBe(302);
  const unread = await mailed({ opens: false, clicks: true, links: [] });
  for (const { pixel } of [closed, untracked, unread]) expect((await ask(pixel)).status).toBe(200);
  expect((await ask(untracked.link(0))).status).toBe(404);
  await settled();
  expect((await hitsOf(closed, 1)).map(({ kind }) => kind)).toEqual(["CLICK"]);
  expect([await untracked.hits(), await unread.hits()]).toEqual([[], []]);
});

test("a click on a link that feeds conversions is stored before the redirect is answered", async () => {
  const mail = await mailed();
  const clicks = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const answer = await ask(mail.link(1));
      return [answer.status, answer.headers.get("location"), (await mail.hits()).length > 0];
    }),
  );
  expect(clicks).toEqual(clicks.map(() => [302, CONVERTS.url, true]));
  // Each at its own redirect: with the count before and after one more
  const before = (await mail.hits()).length;
  expect(before).toBe(20);
  await ask(mail.link(1));
  expect(await mail.hits()).toHaveLength(before + 1);
});

test("a link that a later attempt added to an email redirects to its target", async () => {
  const mail = await mailed({ opens: false, clicks: true, links: [PLAIN] });
  expect((await ask(mail.link(0))).status).toBe(302);
  expect((await ask(mail.link(1))).status).toBe(404);
  await scoped(workspaceId).Send.updateOne(
    { _id: mail.sendId },
    { $set: { tracking: { opens: false, clicks: true, links: [PLAIN, CONVERTS] } } },
  );
  expect((await ask(mail.link(1))).headers.get("location")).toBe(CONVERTS.url);
});

test("a tracking address that is too long gets 414, and other paths get 404", async () => {
  expect((await ask(`${world.baseUrl}/t/c/${"x".repeat(8_200)}`)).status).toBe(414);
  for (const path of ["/t/", "/t", "/t/x/y", "/t/cx", "/t/c", "/T/C/x"])
    expect((await ask(`${world.baseUrl}${path}`)).status).toBe(404);
});

test("many requests from one network are all answered, but only a limited number a minute is stored", async () => {
  const [mail, other] = [await mailed(), await mailed()];
  const flood = { headers: { "X-Forwarded-For": "2001:db8:1:2::1" } };
  const neighbour = { headers: { "X-Forwarded-For": "2001:db8:1:2:ffff::9" } };
  for (let index = 0; index < 3 * MOST; index++) await ask(mail.pixel, index % 2 === 0 ? flood : neighbour);
  expect((await ask(mail.link(0), flood)).status).toBe(302);
  expect((await ask(mail.link(1), flood)).headers.get("location")).toBe(CONVERTS.url);
  await ask(other.pixel, { headers: { "X-Forwarded-For": "2001:db8:1:3::1" } });
  await hitsOf(other, 1);
  // The minute of the clock may have turned once meanwhile
  expect((await mail.hits()).length).toBeGreaterThanOrEqual(MOST);
  expect((await mail.hits()).length).toBeLessThanOrEqual(2 * MOST);
});

test("a stored user agent contains no control characters or broken characters and at most 512 characters", async () => {
  expect(cleanAgent(`a\0b\r\n\u0085${"x".repeat(600)}`)).toBe(`a b   ${"x".repeat(506)}`);
  expect(cleanAgent(`${"x".repeat(511)}🎉`)).toBe("x".repeat(511));
  expect(cleanAgent("a\ud800b\udc00")).toBe("a\ufffdb\ufffd");
  const mail = await mailed();
  const { hostname, port } = new URL(world.baseUrl);
  const socket = connect(Number(port), hostname);
  const path = new URL(mail.pixel).pathname;
  socket.write(
    Buffer.from(`GET ${path} HTTP/1.1\r\nHost: x\r\nUser-Agent: \x80\xff\tA\r\nConnection: close\r\n\r\n`, "latin1"),
  );
  socket.resume();
  await once(socket, "close");
  expect((await hitsOf(mail, 1))[0]?.agent).toBe(" \u00ff A");
});

test("a hit that an earlier attempt has already stored is not stored again", async () => {
  const mail = await mailed();
  const visit = {
    sendId: mail.sendId,
    kind: "OPEN",
    linkIndex: null,
    method: "GET",
    agent: "",
    address: null,
    at: new Date(),
  } as const;
  const [one, two] = [hitOf(visit, workspaceId), hitOf(visit, workspaceId)];
  expect(await insertHits([one])).toEqual([]);
  expect(await insertHits([one, two])).toEqual([]);
  expect(await mail.hits()).toHaveLength(2);
});

test("hits that become due while a batch is being stored are stored right after that batch", async () => {
  const lookups: PromiseWithResolvers<Map<Visit, string>>[] = [];
  const begun: string[] = [];
  const look = ([visit]: readonly Visit[]) => {
    begun.push(visit?.sendId ?? "");
    const lookup = Promise.withResolvers<Map<Visit, string>>();
    lookups.push(lookup);
    return lookup.promise;
  };
  const batches = createHitBatches(look, { stored: () => {}, lost: () => {} });
  const visit = { kind: "OPEN", linkIndex: null, method: "GET", agent: "", address: null, at: new Date() } as const;
  batches.add({ ...visit, sendId: "first" }, null);
  await until(() => begun.length === 1, { deadlineMs: 20_000, what: "the first batch" });
  batches.add({ ...visit, sendId: "second" }, null);
  await sleep(250); // it is due before this timer
  lookups[0]?.resolve(new Map());
  // The timer that is due first fires first, however long that takes: another wait of 200 ms would come after this
  // one
  await sleep(100);
  expect(begun).toEqual(["first", "second"]);
  lookups[1]?.resolve(new Map());
  await batches.close();
});
