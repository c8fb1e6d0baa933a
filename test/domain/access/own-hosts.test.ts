import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { type BrowserRequest, hostRefusalOf, ownNames } from "../../../domain/access/own-hosts.ts";

const names = ownNames(["Ops.example.test"], ["https://Out.example.test:8443/x"]);
const asked = (more: Partial<BrowserRequest>): BrowserRequest => ({
  method: "GET",
  host: "localhost",
  origin: undefined,
  site: undefined,
  mode: undefined,
  dest: undefined,
  address: "127.0.0.1",
  ...more,
});
const statusOf = (more: Partial<BrowserRequest>, writes = false) =>
  hostRefusalOf(asked(more), { names, writes })?.status ?? 200;

test("requests to the service's own names are answered in any case and on any port", () => {
  for (const name of ["localhost", "127.0.0.1", "[::1]", "ops.example.test", "out.example.test"]) {
    for (const host of [name, name.toUpperCase(), `${name}:1`, `${name}:65535`])
      expect([host, statusOf({ host })]).toEqual([host, 200]);
  }
});

test("an IP address counts as the service's own host only if the connection arrived at that address", () => {
  expect(statusOf({ host: "192.168.1.5:9464", address: "::ffff:192.168.1.5" })).toBe(200);
  expect(statusOf({ host: "[fe80::1]", address: "fe80::1" })).toBe(200);
  expect(statusOf({ host: "192.168.1.6", address: "192.168.1.5" })).toBe(421);
});

test("a host name that only contains an own name is refused", () => {
  const known = fc.constantFrom("localhost", "127.0.0.1", "ops.example.test");
  const stain = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => !/^:\d{1,5}$/.test(text));
  fc.assert(fc.property(known, stain, (name, text) => statusOf({ host: name + text }) === 421));
  fc.assert(fc.property(known, stain, (name, text) => statusOf({ host: text + name }) === 421));
  fc.assert(fc.property(fc.string(), (host) => statusOf({ host }) === 421));
});

test("no request sent by a page on another site can change data here", () => {
  const method = fc.constantFrom("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");
  const origin = fc.constantFrom(
    undefined,
    "null",
    "https://evil.test",
    "http://localhost:1",
    "http://localhost.evil.test",
    "x",
  );
  const site = fc.constantFrom(undefined, "cross-site", "same-site", "none", "x");
  const rest = fc.record({
    mode: fc.constantFrom(undefined, "navigate", "cors"),
    dest: fc.constantFrom(undefined, "document", "iframe"),
  });
  fc.assert(
    fc.property(method, origin, site, rest, fc.boolean(), (verb, from, where, more, writes) => {
      return statusOf({ method: verb, host: "localhost:8233", origin: from, site: where, ...more }, writes) !== 200;
    }),
  );
});
