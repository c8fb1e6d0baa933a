import { once } from "node:events";
import net from "node:net";
import { connect as connectTls } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { createEgress, EgressError } from "../../connectors/net/connect.ts";
import type { Egress, EgressOptions, EgressRequest } from "../../connectors/net/egress.ts";
import { whyUnreached } from "../../connectors/net/why-unreached.ts";
import { parseAllow } from "../../domain/access/allowed-hosts.ts";
import { type Certificate, makeCertificate } from "../fakes/certificate.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { type Answer, type FakeSubscriber, type Received, startSubscriber } from "../fakes/subscriber.ts";
import { type FakeTcp, startTcp } from "../fakes/tcp.ts";

const LONG_MS = 20_000;
const SHORT_MS = 300;
const GET: EgressRequest = { method: "GET", timeoutMs: LONG_MS, maxBodyBytes: 8192 };

let dns: FakeDns;
let certificate: Certificate;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  [dns, certificate] = await Promise.all([startDns(), makeCertificate(["hooks.example.com"])]);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});
afterAll(() => dns.close());

function egressWith(options: Partial<EgressOptions> = {}): Egress {
  const egress = createEgress({ allow: [], ownAddresses: [], dnsServers: [dns.server], ...options });
  open.push(egress);
  return egress;
}

async function subscriber(
  answer: Answer | ((request: Received) => Answer) = {},
  tls?: Certificate,
): Promise<FakeSubscriber> {
  const answers = typeof answer === "function" ? answer : () => answer;
  const started = await startSubscriber({ answer: answers, ...(tls && { certificate: tls }) });
  open.push(started);
  return started;
}

async function tcpServer(serve: (socket: net.Socket) => void): Promise<FakeTcp> {
  const started = await startTcp(serve);
  open.push(started);
  return started;
}

/** The reason of an EgressError, or "done". */
async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof EgressError) return error.reason;
    throw error;
  }
}

/**
 * Leads every new connection to a port of this machine, as a router that translates addresses would. Returns a function
 * that ends this.
 */
function ledHome(port: number): () => void {
  const { connect } = net.Socket.prototype;
  net.Socket.prototype.connect = function (this: net.Socket) {
    return Reflect.apply(connect, this, [{ host: "127.0.0.1", port }]);
  };
  return () => {
    net.Socket.prototype.connect = connect;
  };
}

describe("DNS look-ups", () => {
  test("all addresses of a name are found, and blocked addresses are left out", async () => {
    dns.zone["mixed.example.com"] = {
      A: ["10.0.0.1", "8.8.8.8", "127.0.0.1"],
      AAAA: ["::1", "2606:4700::1111", "fd00::1"],
    };
    expect(await egressWith().resolve("mixed.example.com", 443)).toEqual(["8.8.8.8", "2606:4700::1111"]);
  });

  test("a CNAME is followed to its addresses", async () => {
    dns.zone["alias.example.com"] = { CNAME: ["target.example.com"], A: ["9.9.9.9"] };
    expect(await egressWith().resolve("alias.example.com", 443)).toEqual(["9.9.9.9"]);
  });

  test.each([
    "127.0.0.1",
    "10.0.0.1",
    "169.254.169.254",
    "::1",
    "[::1]",
    "::ffff:127.0.0.1",
    "2130706433",
    "0177.0.0.1",
    "0x7f.1",
  ])("the literal address %s is blocked without a DNS query", async (host) => {
    const before = dns.questions.length;
    expect(await reasonOf(egressWith().resolve(host, 443))).toBe("ADDRESS_BLOCKED");
    expect(dns.questions).toHaveLength(before);
  });

  test("the service's own addresses are blocked in any notation", async () => {
    dns.zone["own.example.com"] = { A: ["8.8.4.4"] };
    const egress = egressWith({ ownAddresses: ["::ffff:8.8.4.4"] });
    expect(await reasonOf(egress.resolve("own.example.com", 443))).toBe("ADDRESS_BLOCKED");
    expect(() => egressWith({ ownAddresses: ["mongo"] })).toThrow(TypeError);
  });

  test.each([
    ["no such name", undefined],
    ["a name without addresses", {}],
    ["a name server in trouble", "servfail"],
  ] as const)("a look-up of %s fails with DNS_FAILED", async (_name, held) => {
    if (held !== undefined) dns.zone["odd.example.com"] = held;
    else delete dns.zone["odd.example.com"];
    expect(await reasonOf(egressWith().resolve("odd.example.com", 443))).toBe("DNS_FAILED");
  });

  test.each([
    ["a name that nobody knows", undefined, "DNS: host name not found (ENOTFOUND)"],
    ["a name without addresses", {}, "DNS: the name has no address (ENODATA)"],
    ["a resolver in trouble", "servfail", "DNS: the resolver failed (SERVFAIL) (ESERVFAIL)"],
    ["an address inside", { A: ["10.0.0.1"] }, "blocked: the host name resolves to an address outside EGRESS_ALLOW"],
    ["no answer in time", "silence", "timeout: connection timed out"],
  ] as const)("the log distinguishes %s from other failures", async (_name, held, why) => {
    if (held === undefined) delete dns.zone["why.example.com"];
    else dns.zone["why.example.com"] = held === "servfail" || held === "silence" ? held : { ...held };
    const mails = egressWith({ allow: [] }).openTcp("why.example.com", 25, {
      timeoutMs: held === "silence" ? SHORT_MS : LONG_MS,
    });
    const cause: unknown = await mails.catch((error) => error);
    const wrapped = Object.assign(new Error("IMAP CONNECT_FAILED", { cause }), { code: "CONNECT_FAILED" });
    expect([whyUnreached(cause), whyUnreached(wrapped)]).toEqual([why, why]);
  });

  test("the log distinguishes a refused connection from a broken one, and describes no other errors", async () => {
    const closed = await tcpServer((socket) => socket.destroy());
    await closed.close();
    const allow = parseAllow("localhost:*");
    const refused = await egressWith({ allow })
      .openTcp("localhost", closed.port, { timeoutMs: LONG_MS })
      .catch((error) => error);
    const wrapped = new Error("SMTP CONNECT REFUSED", { cause: refused });
    for (const error of [refused, wrapped]) {
      expect(whyUnreached(error)).toBe("refused: connection refused (ECONNREFUSED)");
    }
    expect(whyUnreached(Object.assign(new Error("read"), { code: "ECONNRESET" }))).toBe(
      "closed: connection reset by peer (ECONNRESET)",
    );
    expect(whyUnreached(new Error("Invalid login"))).toBeNull();
    expect(whyUnreached(null)).toBeNull();
  });

  test("a look-up gives up a silent name server at the deadline", async () => {
    dns.zone["silent.example.com"] = "silence";
    expect(await reasonOf(egressWith().openTcp("silent.example.com", 25, { timeoutMs: SHORT_MS }))).toBe("TIMEOUT");
  });

  test("one look-up of records asks sixty questions at most, and reads the first twenty answers to each", async () => {
    dns.zone["many.example.com"] = { TXT: Array.from({ length: 25 }, (_, n) => `v=${n}`) };
    const before = dns.questions.length;
    await egressWith().records(LONG_MS, async (ask) => {
      for (let n = 0; n < 60; n++) expect(await ask("many.example.com", "TXT")).toHaveLength(20);
      await expect(ask("many.example.com", "TXT")).rejects.toMatchObject({ code: "ETIMEOUT" });
    });
    expect(dns.questions.length - before).toBe(60);
  });

  test("an allowed name that the name server does not know is resolved on this machine", async () => {
    expect(await egressWith({ allow: parseAllow("localhost:25") }).resolve("localhost", 25)).toContain("127.0.0.1");
  });
});

describe("where a connection may go", () => {
  test("a name that changes to a blocked address after the first look-up is refused", async () => {
    const receiver = await subscriber();
    const egress = egressWith();
    dns.zone["rebind.example.com"] = { A: ["8.8.8.8"] };
    expect(await egress.resolve("rebind.example.com", receiver.port)).toEqual(["8.8.8.8"]);
    dns.zone["rebind.example.com"] = { A: ["127.0.0.1"] };
    expect(await reasonOf(egress.request(`https://rebind.example.com:${receiver.port}/`, GET))).toBe("ADDRESS_BLOCKED");
    expect(await reasonOf(egress.openTcp("rebind.example.com", receiver.port, { timeoutMs: LONG_MS }))).toBe(
      "ADDRESS_BLOCKED",
    );
    expect(receiver.received).toEqual([]);
  });

  test("a connection that the network redirects to this machine is closed before a byte is written", async () => {
    const heard: Buffer[] = [];
    const server = await tcpServer((socket) => void socket.on("data", (data) => heard.push(data)));
    dns.zone["led-home.example.com"] = { A: ["8.8.8.8"] };
    const restore = ledHome(server.port);
    try {
      const egress = egressWith();
      expect(await reasonOf(egress.openTcp("led-home.example.com", 25, { timeoutMs: LONG_MS }))).toBe(
        "ADDRESS_BLOCKED",
      );
      expect(await reasonOf(egress.openTls("led-home.example.com", 465, { timeoutMs: LONG_MS }))).toBe(
        "ADDRESS_BLOCKED",
      );
      expect(await reasonOf(egress.request("https://led-home.example.com/", GET))).toBe("ADDRESS_BLOCKED");
    } finally {
      restore();
    }
    expect(server.connections()).toBe(3);
    expect(Buffer.concat(heard)).toHaveLength(0);
  });

  test.each([
    "http://127.0.0.1",
    "https://127.0.0.1",
    "https://2130706433",
    "https://0177.0.0.1",
    "https://[::1]",
    "https://localhost",
  ])("no connection is made to %s", async (origin) => {
    const server = await tcpServer(() => {});
    expect(await reasonOf(egressWith().request(`${origin}:${server.port}/`, GET))).toBe("ADDRESS_BLOCKED");
    expect(server.connections()).toBe(0);
  });

  test("a host name of the service itself is refused even if it resolves to another address", async () => {
    dns.zone["app.example.com"] = { A: ["8.8.8.8"] };
    const egress = egressWith({ ownHosts: ["app.example.com"] });
    expect(await reasonOf(egress.request("https://app.example.com/", GET))).toBe("ADDRESS_BLOCKED");
  });

  test("the allow list opens exactly its host and port, also for plain HTTP", async () => {
    const [allowed, other] = await Promise.all([subscriber({ body: "hello" }), subscriber()]);
    const egress = egressWith({ allow: parseAllow(`localhost:${allowed.port}`) });
    const answer = await egress.request(allowed.url, GET);
    expect([answer.statusCode, answer.bodyExcerpt.toString(), answer.isBodyComplete]).toEqual([200, "hello", true]);
    expect(await reasonOf(egress.request(other.url, GET))).toBe("ADDRESS_BLOCKED");
    expect(await reasonOf(egress.request(`http://127.0.0.1:${allowed.port}/`, GET))).toBe("ADDRESS_BLOCKED");
  });

  test("a redirect is returned as a response and is not followed", async () => {
    const target = await subscriber();
    const receiver = await subscriber({ status: 302, headers: { location: target.url } });
    const egress = egressWith({ allow: parseAllow("localhost:*") });
    const answer = await egress.request(receiver.url, GET);
    expect([answer.statusCode, answer.headers["location"]]).toEqual([302, target.url]);
    expect(target.received).toEqual([]);
  });

  test("a proxy from the environment is not used", async () => {
    const receiver = await subscriber();
    const proxy = await tcpServer((socket) => socket.destroy());
    process.env["HTTP_PROXY"] = process.env["http_proxy"] = `http://127.0.0.1:${proxy.port}`;
    try {
      const answer = await egressWith({ allow: parseAllow("localhost:*") }).request(receiver.url, GET);
      expect([answer.statusCode, proxy.connections()]).toEqual([200, 0]);
    } finally {
      delete process.env["HTTP_PROXY"];
      delete process.env["http_proxy"];
    }
  });
});

describe("TLS", () => {
  const allow = parseAllow("localhost:*,hooks.example.com:*,other.example.com:*,127.0.0.1:*");
  const held = { A: ["127.0.0.1"] };
  beforeAll(() => {
    Object.assign(dns.zone, { "hooks.example.com": held, "other.example.com": held });
  });

  test("a certificate from an unknown authority is refused", async () => {
    const receiver = await subscriber({}, certificate);
    expect(await reasonOf(egressWith({ allow }).request(receiver.url, GET))).toBe("TLS_FAILED");
    expect(receiver.received).toEqual([]);
  });

  test("a certificate of the additional authority is accepted for the names on the certificate and refused for others", async () => {
    const receiver = await subscriber({}, certificate);
    const egress = egressWith({ allow, extraCa: certificate.cert });
    for (const host of ["localhost", "hooks.example.com", "127.0.0.1"]) {
      expect(await egress.request(`https://${host}:${receiver.port}/`, GET)).toMatchObject({ statusCode: 200 });
    }
    expect(await reasonOf(egress.request(`https://other.example.com:${receiver.port}/`, GET))).toBe("TLS_FAILED");
  });

  test("a TLS session is opened to the checked address, with the host as server name", async () => {
    const receiver = await subscriber({}, certificate);
    const socket = await egressWith({ allow, extraCa: certificate.cert }).openTls("hooks.example.com", receiver.port, {
      timeoutMs: LONG_MS,
    });
    expect([socket.authorized, socket.servername, socket.remoteAddress]).toEqual([
      true,
      "hooks.example.com",
      "127.0.0.1",
    ]);
    socket.destroy();
  });

  test("a server without TLS fails with TLS_FAILED, and a silent server with TIMEOUT at the deadline", async () => {
    const [plain, silent] = await Promise.all([
      tcpServer((socket) => socket.write("220 ready\r\n")),
      tcpServer(() => {}),
    ]);
    const egress = egressWith({ allow });
    expect(await reasonOf(egress.openTls("localhost", plain.port, { timeoutMs: LONG_MS }))).toBe("TLS_FAILED");
    expect(await reasonOf(egress.openTls("localhost", silent.port, { timeoutMs: SHORT_MS }))).toBe("TIMEOUT");
  });

  test("a server that resets during the handshake fails with CONNECT_FAILED", async () => {
    const server = await tcpServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
    expect(await reasonOf(egressWith({ allow }).openTls("localhost", server.port, { timeoutMs: LONG_MS }))).toBe(
      "CONNECT_FAILED",
    );
  });

  test("a library that upgrades its own socket uses our host name and authority, and cannot skip verification", async () => {
    const receiver = await subscriber({}, certificate);
    const upgraded = async (egress: Egress) => {
      const socket = connectTls({ port: receiver.port, ...egress.tlsOptions("HOOKS.example.com.") });
      await once(socket, "secureConnect").finally(() => socket.destroy());
      return socket.servername;
    };
    expect(await upgraded(egressWith({ extraCa: certificate.cert }))).toBe("hooks.example.com");
    await expect(upgraded(egressWith())).rejects.toMatchObject({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    expect(Object.keys(egressWith().tlsOptions("8.8.8.8")).sort()).toEqual(["rejectUnauthorized", "secureContext"]);
  });
});

describe("receivers that do not answer properly", () => {
  const allow = parseAllow("localhost:*");

  test("a closed port fails with CONNECT_FAILED", async () => {
    const closed = await startSubscriber();
    await closed.close();
    expect(await reasonOf(egressWith({ allow }).request(closed.url, GET))).toBe("CONNECT_FAILED");
  });

  test("a reset after the request fails with CONNECT_FAILED", async () => {
    const receiver = await subscriber({ reset: true });
    expect(await reasonOf(egressWith({ allow }).request(receiver.url, GET))).toBe("CONNECT_FAILED");
  });

  test("a receiver that never responds fails at the deadline", async () => {
    const receiver = await subscriber({ hang: true });
    expect(await reasonOf(egressWith({ allow }).request(receiver.url, { ...GET, timeoutMs: SHORT_MS }))).toBe(
      "TIMEOUT",
    );
  });

  test("a receiver that sends its headers too slowly fails at the deadline", async () => {
    const server = await tcpServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      const drip = setInterval(() => socket.write("X-A: b\r\n"), 20);
      socket.once("close", () => clearInterval(drip));
    });
    expect(
      await reasonOf(
        egressWith({ allow }).request(`http://localhost:${server.port}/`, { ...GET, timeoutMs: SHORT_MS }),
      ),
    ).toBe("TIMEOUT");
  });

  test("a receiver that sends its body too slowly counts as answered, and the body is cut off", async () => {
    const receiver = await subscriber({ status: 202, dripMs: 10 });
    const answer = await egressWith({ allow }).request(receiver.url, { ...GET, timeoutMs: SHORT_MS });
    expect([answer.statusCode, answer.isBodyComplete]).toEqual([202, false]);
  });

  test("of a huge body only the first bytes up to the limit are read, and the connection is closed", async () => {
    const ended = Promise.withResolvers<number>();
    const server = await tcpServer((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000000000\r\n\r\n");
      const more = () => {
        while (!socket.destroyed && socket.write("x".repeat(65_536)));
      };
      socket.on("drain", more).once("data", more);
      socket.once("close", () => ended.resolve(socket.bytesWritten));
    });
    const answer = await egressWith({ allow }).request(`http://localhost:${server.port}/`, {
      ...GET,
      timeoutMs: 3_000,
    });
    expect([answer.bodyExcerpt.length, answer.isBodyComplete]).toEqual([8192, false]);
    // The buffers of both systems may hold some megabytes of a connection
    expect(await ended.promise).toBeLessThan(33_554_432);
  });

  test.each([
    ["text that is no HTTP", "SSH-2.0-OpenSSH_9.9\r\n"],
    ["a header of more than 16 KiB", `HTTP/1.1 200 OK\r\nX-A: ${"a".repeat(20_000)}\r\n\r\n`],
    [
      "a switch of protocols nobody asked for",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
    ],
  ])("a response with %s fails with RESPONSE_INVALID", async (_name, answer) => {
    const server = await tcpServer((socket) => socket.once("data", () => socket.write(answer)));
    expect(await reasonOf(egressWith({ allow }).request(`http://localhost:${server.port}/`, GET))).toBe(
      "RESPONSE_INVALID",
    );
  });

  test("a compressed body is returned as is", async () => {
    const receiver = await subscriber({ headers: { "content-encoding": "gzip" }, body: "not gzip at all" });
    const answer = await egressWith({ allow }).request(receiver.url, GET);
    expect(answer.bodyExcerpt.toString()).toBe("not gzip at all");
    expect(receiver.received[0]?.headers["accept-encoding"]).toBeUndefined();
  });

  test("when the caller aborts, the caller's own error is thrown", async () => {
    const receiver = await subscriber({ hang: true });
    const cancelled = new Error("cancelled");
    const controller = new AbortController();
    const asked = egressWith({ allow }).request(receiver.url, { ...GET, signal: controller.signal });
    await receiver.waitFor(() => true);
    controller.abort(cancelled);
    await expect(asked).rejects.toBe(cancelled);
  });

  test("one connection serves many requests", async () => {
    const ports = new Set<number | undefined>();
    const server = await tcpServer((socket) => {
      ports.add(socket.remotePort);
      socket.on("data", () => socket.write("HTTP/1.1 204 No Content\r\n\r\n"));
    });
    const egress = egressWith({ allow });
    for (let n = 0; n < 10; n++) await egress.request(`http://localhost:${server.port}/`, GET);
    expect(ports.size).toBeLessThan(10);
  });
});
