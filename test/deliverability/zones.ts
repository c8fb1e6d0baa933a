import { generateKeyPairSync } from "node:crypto";
import type { Zone } from "../fakes/dns.ts";

/** The public half of a new RSA key, as a DKIM record has it. */
export function keyOf(bits: number): string {
  const { publicKey } = generateKeyPairSync("rsa", { modulusLength: bits });
  return publicKey.export({ type: "spki", format: "der" }).toString("base64");
}

const LONG_KEY = keyOf(2_048);

/** A zone in which everything is in order: an own server, whose address leads back, and one key. */
export const ORDERLY: Zone = {
  "sender.test": { MX: ["10 mx.sender.test"], TXT: ["v=spf1 a:smtp.sender.test ~all", "unrelated"] },
  "smtp.sender.test": { A: ["203.0.113.7"] },
  "7.113.0.203.in-addr.arpa": { PTR: ["smtp.sender.test"] },
  "s2026._domainkey.sender.test": { TXT: [`v=DKIM1; k=rsa; p=${LONG_KEY}`] },
  "_dmarc.sender.test": { TXT: ["v=DMARC1; p=quarantine; rua=mailto:dmarc@sender.test"] },
};

/** The orderly zone with the SPF record replaced. */
export function withSpf(...records: string[]): Zone {
  return { ...ORDERLY, "sender.test": { MX: ["10 mx.sender.test"], TXT: records } };
}

/** A zone whose SPF record includes so many names and one server: each costs a lookup. */
export function including(count: number): Zone {
  const names = Array.from({ length: count }, (_, number) => `i${number}.t`);
  const terms = names.map((name) => `include:${name}`).join(" ");
  return {
    ...withSpf(`v=spf1 a:smtp.sender.test ${terms} ~all`),
    ...Object.fromEntries(names.map((name) => [name, { TXT: ["v=spf1 ip4:203.0.113.9 -all"] }])),
  };
}

/** Replaces the zone from which a name server answers. */
export function setZone(dns: { zone: Zone }, zone: Zone): void {
  for (const name of Object.keys(dns.zone)) delete dns.zone[name];
  Object.assign(dns.zone, zone);
}
