import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import ipaddr from "ipaddr.js";
import { inspectDomain } from "../../connectors/dns/domain-facts.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { type BlockList, listingOf, questionOf, readBlockLists } from "../../domain/deliverability/block-lists.ts";
import { type FakeDns, startDns, type Zone } from "../fakes/dns.ts";
import { ORDERLY, setZone } from "./zones.ts";

let dns: FakeDns;
let egress: Egress;

beforeAll(async () => {
  dns = await startDns();
  egress = createEgress({ allow: [], ownAddresses: [], dnsServers: [dns.server] });
});

afterAll(async () => {
  await egress.close();
  await dns.close();
});

const SENDER = {
  domain: "sender.test",
  organisation: "sender.test",
  servers: ["smtp.sender.test"],
  selectors: ["s2026"],
};
const ADDRESSES: BlockList = { zone: "bl.test", of: "ADDRESS" };
const DOMAINS: BlockList = { zone: "dbl.test", of: "DOMAIN" };
/** The entries that every working list holds, whatever else it lists. */
const FIT: Zone = { "2.0.0.127.bl.test": { A: ["127.0.0.2"] }, "test.dbl.test": { A: ["127.0.1.2"] } };

async function listings(zone: Zone, lists = [ADDRESSES, DOMAINS]) {
  setZone(dns, { ...ORDERLY, ...zone });
  const report = await inspectDomain(egress, SENDER, lists);
  return Object.fromEntries(report.listings.map(({ list, subject, status }) => [`${list.zone} ${subject}`, status]));
}

const [OF_ADDRESS, OF_DOMAIN] = ["bl.test 203.0.113.7", "dbl.test sender.test"];
const on = (...answers: string[]): Zone => ({
  "7.113.0.203.bl.test": { A: answers },
  "sender.test.dbl.test": { A: answers },
});

test.each<[string, Zone, string, string]>([
  ["on no list", FIT, "CLEAR", "CLEAR"],
  ["on both", { ...FIT, ...on("127.0.0.2") }, "LISTED", "LISTED"],
  ["on both for several reasons", { ...FIT, ...on("127.0.0.4", "127.0.0.11") }, "LISTED", "LISTED"],
  ["refused as an open resolver", { ...FIT, ...on("127.255.255.254") }, "UNKNOWN", "UNKNOWN"],
  ["refused for too many questions", { ...FIT, ...on("127.255.255.255") }, "UNKNOWN", "UNKNOWN"],
  ["refused as a wrong question", { ...FIT, ...on("127.255.255.252") }, "UNKNOWN", "UNKNOWN"],
  ["refused beside a listing", { ...FIT, ...on("127.0.0.2", "127.255.255.254") }, "UNKNOWN", "UNKNOWN"],
  ["answered with an address that never means a listing", { ...FIT, ...on("127.0.0.1") }, "UNKNOWN", "UNKNOWN"],
  ["answered by whoever bought the name", { ...FIT, ...on("198.51.100.1") }, "UNKNOWN", "UNKNOWN"],
  [
    "not answered",
    { ...FIT, "7.113.0.203.bl.test": "servfail", "sender.test.dbl.test": "servfail" },
    "UNKNOWN",
    "UNKNOWN",
  ],
  ["clear of lists that hold nothing", {}, "UNKNOWN", "UNKNOWN"],
  [
    "on lists that hold everything",
    { ...FIT, ...on("127.0.0.2"), "1.0.0.127.bl.test": { A: ["127.0.0.2"] }, "invalid.dbl.test": { A: ["127.0.0.2"] } },
    ...(["UNKNOWN", "UNKNOWN"] as const),
  ],
  [
    "on a list whose test entry is refused",
    { ...on("127.0.0.2"), "2.0.0.127.bl.test": { A: ["127.255.255.254"] } },
    "UNKNOWN",
    "UNKNOWN",
  ],
])(
  "a domain and its address get the expected block-list status when they are %s",
  async (_what, zone, address, domain) => {
    expect(await listings(zone)).toEqual({ [OF_ADDRESS]: address, [OF_DOMAIN]: domain });
  },
);

test("for a domain that sends through a mail provider only the domain is looked up, not the provider's addresses", async () => {
  setZone(dns, { ...ORDERLY, ...FIT });
  const report = await inspectDomain(egress, { ...SENDER, servers: ["smtp.gmail.com"] }, [ADDRESSES, DOMAINS]);
  expect(report.listings.map(({ list, subject }) => `${list.zone} ${subject}`)).toEqual([OF_DOMAIN]);
});

test("without configured block lists no list is queried", async () => {
  dns.questions.length = 0;
  expect(await listings({}, [])).toEqual({});
  expect(dns.questions.filter((question) => /bl\.test/.test(question))).toEqual([]);
});

test("an IPv6 address is looked up by its nibbles (RFC 5782 2.4), and text that is not an address is not looked up", () => {
  const name = "8.b.d.0.1.0.0.2.bl.test";
  expect(questionOf(ADDRESSES, "2001:db8:1:2:3:4:567:89ab")).toBe(
    `b.a.9.8.7.6.5.0.4.0.0.0.3.0.0.0.2.0.0.0.1.0.0.0.${name}`,
  );
  expect(questionOf(ADDRESSES, "not an address")).toBeNull();
});

test("an answer of a block list means LISTED only if every address in the answer means a listing, and UNKNOWN otherwise", () => {
  const octet = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.array(fc.tuple(octet, octet, octet, octet), { minLength: 1, maxLength: 4 }), (addresses) => {
      const means = ([a, b, c, d]: number[]) =>
        a === 127 && !(b === 255 && c === 255) && !(b === 0 && c === 0 && d === 1);
      expect(listingOf(addresses.map((parts) => parts.join(".")))).toBe(addresses.every(means) ? "LISTED" : "UNKNOWN");
    }),
  );
});

test("the name that is looked up for an IP address can be converted back to that address", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
      const labels = (questionOf(ADDRESSES, address) ?? "")
        .replace(/\.bl\.test$/, "")
        .split(".")
        .reverse();
      const text = labels.length === 4 ? labels.join(".") : labels.join("").replace(/(.{4})(?!$)/g, "$1:");
      expect(ipaddr.process(text).toNormalizedString()).toBe(ipaddr.process(address).toNormalizedString());
    }),
  );
});

test("the block-list setting accepts zones of address lists and, with the prefix domain:, of domain lists, and refuses anything else", () => {
  expect(readBlockLists(["BL.test", "domain:dbl.test"])).toEqual([ADDRESSES, DOMAINS]);
  for (const wrong of ["", "bl", "https://bl.test", "bl.test/", "domain:", "address:bl.test", "127.0.0.1"])
    expect(() => readBlockLists([wrong])).toThrow(/is not a zone/);
});
