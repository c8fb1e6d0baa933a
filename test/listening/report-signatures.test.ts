import { generateKeyPairSync } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { dkimSign } from "mailauth/lib/dkim/sign.js";
import { createAuthenticate } from "../../connectors/mime/authentication.ts";
import { parseInbound } from "../../connectors/mime/parse.ts";
import { createEgress } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { type FakeDns, startDns, type Zone } from "../fakes/dns.ts";

const DOMAIN = "customer-of-ours.com";
// Short enough to fit into one string of a TXT record
const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 1024 });
const KEY = `v=DKIM1; k=rsa; p=${publicKey.export({ type: "spki", format: "der" }).toString("base64")}`;
const server = (host: string) => ({ host, port: 993, security: "SSL_TLS" as const });
const MAILBOX = { email: "me@ours-here.com", smtp: server("smtp.ours-here.com"), imap: server("imap.ours-here.com") };
const RECEIVED =
  "Received: from x.test (x.test [198.51.100.7]) by mx.ours-here.com with ESMTPS id 1; Fri, 20 Nov 2026 10:00:00 +0000\r\n";
const REPORT = [
  `From: Mail Delivery System <MAILER-DAEMON@${DOMAIN}>`,
  `To: ${MAILBOX.email}`,
  "Subject: Undelivered Mail Returned to Sender",
  "Date: Fri, 20 Nov 2026 10:00:00 +0000",
  "Content-Type: text/plain",
  "",
  `<gone@${DOMAIN}>: 550 5.1.1 User unknown`,
  "",
].join("\r\n");

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

const records = (): Zone => ({
  [`s._domainkey.${DOMAIN}`]: { TXT: [KEY] },
  [`_dmarc.${DOMAIN}`]: { TXT: ["v=DMARC1; p=none"] },
});

async function signed(text: string, more: { maxBodyLength?: number } = {}): Promise<string> {
  const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const signer = {
    signingDomain: DOMAIN,
    selector: "s",
    privateKey: pem,
    canonicalization: "relaxed/relaxed",
    ...more,
  };
  const { signatures, errors } = await dkimSign(text, { ...signer, signatureData: [signer] });
  expect(errors).toEqual([]);
  return `${signatures}${text}`;
}

async function seen(text: string, zone = records(), above = RECEIVED) {
  for (const name of Object.keys(dns.zone)) delete dns.zone[name];
  Object.assign(dns.zone, zone);
  const raw = Buffer.from(`${above}${text}`);
  return createAuthenticate(egress)(MAILBOX, parseInbound(raw), raw);
}

test("a valid DKIM signature of the sender's domain proves the origin of a bounce report", async () => {
  expect(await seen(await signed(REPORT))).toEqual({
    authentication: "PASS",
    provenance: { domain: DOMAIN, isOwnServer: false },
  });
});

test("a bounce report without a signature, with a broken one or with unsigned text added proves no origin", async () => {
  const whole = await signed(REPORT);
  for (const text of [
    REPORT,
    whole.replace("gone@", "bob@"),
    `From: MAILER-DAEMON@${DOMAIN}\r\n${whole}`,
    `${await signed(REPORT, { maxBodyLength: 20 })}<bob@${DOMAIN}>: 550 5.1.1 User unknown\r\n`,
  ]) {
    expect((await seen(text)).provenance.domain).toBeNull();
  }
});

test("authentication results that a sender forged under our server's name are ignored when DNS contradicts them", async () => {
  const word = `${RECEIVED}Authentication-Results: mx.ours-here.com; dkim=pass header.d=${DOMAIN}; dmarc=pass header.from=${DOMAIN}\r\n`;
  expect((await seen(REPORT, records(), word)).provenance.domain).toBeNull();
  expect((await seen(await signed(REPORT), records(), word)).provenance.domain).toBe(DOMAIN);
  // A key look-up that is never answered does not make the domain's name servers count as silent
  const hanging = `DKIM-Signature: v=1; a=rsa-sha256; d=evil-there.com; s=s; h=from; bh=AAAA; b=AAAA\r\n${REPORT}`;
  const silent = { ...records(), "s._domainkey.evil-there.com": "silence" as const };
  expect((await seen(hanging, silent, word)).provenance.domain).toBeNull();
});

test("while name servers do not answer, the authentication results of our own server decide alone", async () => {
  const word = `${RECEIVED}Authentication-Results: mx.ours-here.com; dmarc=pass header.from=${DOMAIN}\r\n`;
  expect((await seen(REPORT, { [`_dmarc.${DOMAIN}`]: "servfail" as const }, word)).provenance.domain).toBe(DOMAIN);
});

test("a bounce report received from the address of the submission server counts as that server's own report", async () => {
  const zone = { ...records(), "smtp.ours-here.com": { A: ["203.0.113.5"] } };
  const born = "Received: by smtp.ours-here.com (Postfix) id 4F; Fri, 20 Nov 2026 10:00:00 +0000\r\n";
  const hop = (ip: string) =>
    `Received: from smtp.ours-here.com (x [${ip}]) by mx.ours-here.com with ESMTP id 2; Fri, 20 Nov 2026 10:00:01 +0000\r\n`;
  expect((await seen(REPORT, zone, hop("203.0.113.5") + born)).provenance.isOwnServer).toBe(true);
  expect((await seen(REPORT, zone, hop("203.0.113.6") + born)).provenance.isOwnServer).toBe(false);
});

test("for an email that is not a report no name server is asked, and our own server's authentication results count", async () => {
  const word = `${RECEIVED}Authentication-Results: mx.ours-here.com; dmarc=pass header.from=${DOMAIN}\r\n`;
  const before = dns.questions.length;
  const known = await seen(
    `From: bob@${DOMAIN}\r\nTo: ${MAILBOX.email}\r\nSubject: Hello\r\n\r\nHello\r\n`,
    records(),
    word,
  );
  expect(known).toEqual({ authentication: "PASS", provenance: { domain: null, isOwnServer: false } });
  expect(dns.questions.length).toBe(before);
});
