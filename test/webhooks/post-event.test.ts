import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { type PostAttempt, postToSubscriber } from "../../activities/post-event.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { type Answer, type FakeSubscriber, startSubscriber, verifySignature } from "../fakes/subscriber.ts";
import { startTcp } from "../fakes/tcp.ts";

const SHORT_MS = 300;
let dns: FakeDns;
let egress: Egress;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  dns = await startDns();
  egress = createEgress({ allow: parseAllow("localhost:*"), ownAddresses: [], dnsServers: [dns.server] });
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});
afterAll(async () => {
  await egress.close();
  await dns.close();
});

async function keep<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const started = await starting;
  open.push(started);
  return started;
}

function subscriber(answer: Answer = {}): Promise<FakeSubscriber> {
  return keep(startSubscriber({ answer: () => answer }));
}

const body = Buffer.from('{"event":"SENT","data":{"email":"ü@example.com"},"timestamp":"2026-01-01T00:00:00.000Z"}');
const attemptAt = (url: string): PostAttempt => ({
  url,
  body,
  event: "SENT",
  deliveryId: "whd_1",
  secret: "whsec_old",
  attempt: 3,
  now: new Date("2026-01-01T00:00:05.900Z"),
});

test("a webhook request carries the stored bytes, the fixed headers and a signature that the receiver can verify", async () => {
  const receiver = await subscriber();
  const outcome = await postToSubscriber(egress, attemptAt(receiver.url));
  expect(outcome).toMatchObject({ ok: true, statusCode: 200, cause: null, bodyExcerpt: "", location: null });
  const request = await receiver.waitFor(() => true);
  expect(request.method).toBe("POST");
  expect(request.body.equals(body)).toBe(true);
  expect(verifySignature("whsec_old", request)).toBe(true);
  expect(verifySignature("whsec_other", request)).toBe(false);
  const { host: _host, connection: _connection, "x-service-signature": _signature, ...headers } = request.headers;
  expect(headers).toEqual({
    "content-length": String(body.length),
    "content-type": "application/json",
    "user-agent": "outreach/1.0",
    "x-service-attempt": "3",
    "x-service-delivery": "whd_1",
    "x-service-event": "SENT",
    "x-service-timestamp": "1767225605",
  });
});

test("during a secret rotation each secret has a valid signature in its own header", async () => {
  const receiver = await subscriber();
  await postToSubscriber(egress, { ...attemptAt(receiver.url), nextSecret: "whsec_new" });
  const request = await receiver.waitFor(() => true);
  expect(verifySignature("whsec_old", request)).toBe(true);
  expect(verifySignature("whsec_new", request, "x-service-signature-next")).toBe(true);
});

test.each([200, 201, 204, 299])("status %d counts as a success", async (status) => {
  const receiver = await subscriber({ status });
  expect(await postToSubscriber(egress, attemptAt(receiver.url))).toMatchObject({ ok: true, statusCode: status });
});

test.each([301, 307, 400, 404, 410, 429, 500, 503])(
  "status %d counts as a failure and is recorded with response text and Location",
  async (status) => {
    const receiver = await subscriber({ status, body: "no", headers: { location: "https://elsewhere.example.com/" } });
    expect(await postToSubscriber(egress, attemptAt(receiver.url))).toMatchObject({
      ok: false,
      statusCode: status,
      cause: null,
      bodyExcerpt: "no",
      location: "https://elsewhere.example.com/",
    });
    expect(receiver.received).toHaveLength(1);
  },
);

test("a 2xx response is a success even if the body breaks off or never ends", async () => {
  const dripping = await subscriber({ dripMs: 10 });
  const breaking = await keep(
    startTcp((socket) => {
      socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf"));
    }),
  );
  expect(await postToSubscriber(egress, { ...attemptAt(dripping.url), timeoutMs: SHORT_MS })).toMatchObject({
    ok: true,
  });
  expect(await postToSubscriber(egress, attemptAt(`http://localhost:${breaking.port}/`))).toMatchObject({ ok: true });
});

test("at most 1 KiB of the response body is stored, and a multi-byte character is never cut", async () => {
  const receiver = await subscriber({ status: 500, body: `a${"ü".repeat(5000)}` });
  const { bodyExcerpt } = await postToSubscriber(egress, attemptAt(receiver.url));
  expect(bodyExcerpt).toBe(`a${"ü".repeat(511)}`);
});

test("a request that fails without a response returns an outcome with a cause and does not throw", async () => {
  const [hanging, resetting] = await Promise.all([subscriber({ hang: true }), subscriber({ reset: true })]);
  expect(await postToSubscriber(egress, { ...attemptAt(hanging.url), timeoutMs: SHORT_MS })).toMatchObject({
    ok: false,
    statusCode: null,
    cause: "TIMEOUT",
  });
  expect(await postToSubscriber(egress, attemptAt(resetting.url))).toMatchObject({
    ok: false,
    cause: "CONNECT_FAILED",
  });
  expect(await postToSubscriber(egress, attemptAt("https://127.0.0.1/"))).toMatchObject({
    ok: false,
    cause: "ADDRESS_BLOCKED",
  });
  expect(await postToSubscriber(egress, attemptAt("https://nowhere.example.com/"))).toMatchObject({
    ok: false,
    cause: "DNS_FAILED",
  });
});

test("requests to healthy receivers succeed while other receivers hang", async () => {
  const [healthy, hanging] = await Promise.all([subscriber(), subscriber({ hang: true })]);
  const controller = new AbortController();
  const stuck = Array.from({ length: 30 }, () =>
    postToSubscriber(egress, { ...attemptAt(hanging.url), signal: controller.signal }).catch(() => "cancelled"),
  );
  const served = await Promise.all(Array.from({ length: 30 }, () => postToSubscriber(egress, attemptAt(healthy.url))));
  expect(served.every(({ ok }) => ok)).toBe(true);
  controller.abort();
  expect(new Set(await Promise.all(stuck))).toEqual(new Set(["cancelled"]));
});
