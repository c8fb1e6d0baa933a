import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { domainOf } from "../../domain/mail/message.ts";
import { startDns, type Zone } from "../fakes/dns.ts";
import { postOneClick } from "../fakes/one-click.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { accept, refuse } from "../fakes/smtp-answers.ts";
import { type FakeSubscriber, type Received, startSubscriber, verifySignature } from "../fakes/subscriber.ts";
import { OTHER_MAILBOXES, REFUSED_SENDER, replyTextOf } from "./cast.ts";
import { type Readers, startReaders } from "./readers.ts";
import { type Site, startSite } from "./site.ts";
import { openWeb, type Web } from "./web.ts";

export const MAILBOXES = ["nora@outreach-one.test", "oskar@outreach-two.test", "pia@outreach-three.test"];
/** An account of the sandbox that the demo does not connect. A person who looks around may connect it. */
export const SPARE = "quinn@outreach-four.test";
const EVERY = 4;
const REFUSED_AT_MOST = 6;

/** One request that the subscriber received, and how it responded. */
export interface Post {
  delivery: string;
  event: string;
  recipientId: string;
  status: number;
  isSigned: boolean;
}

/**
 * Everything outside the service: mail servers, the people behind them, their web, and one subscriber to its events.
 */
export interface Outside {
  sandbox: Sandbox;
  subscriber: FakeSubscriber;
  readers: Readers;
  site: Site;
  /** The settings with which the service reaches all of this. */
  env: Record<string, string>;
  /** Every request that the subscriber received, and whether `secret` had signed it. */
  posts(secret: string): Post[];
  close(): Promise<void>;
}

/** The subscriber responds with 500 to the first attempt of every fourth delivery, six times in all. */
export async function startOutside(folder: string): Promise<Outside> {
  const closing = new AbortController();
  const web = openWeb(closing.signal);
  const sandbox = await startSandbox({
    mailboxes: [...MAILBOXES, SPARE, ...OTHER_MAILBOXES],
    replyText: replyTextOf,
    onUnsubscribe: (url) => unsubscribe(url, web, closing.signal),
  });
  sandbox.smtp.setSenders((from) =>
    from === REFUSED_SENDER ? refuse(550, "5.7.1 Sender address rejected: bad reputation", "MAIL") : accept,
  );
  const readers = startReaders(web, closing.signal);
  sandbox.smtp.onMail(readers.take);
  const dns = await startDns(
    zoneOf([...MAILBOXES, SPARE, ...OTHER_MAILBOXES].filter((address) => address !== REFUSED_SENDER)),
  );
  const site = await startSite(web);
  const seen = new Set<string>();
  const refused = new Set<string>();
  const answered: { request: Received; status: number }[] = [];
  const subscriber = await startSubscriber({
    answer: (request) => {
      const delivery = header(request, "x-service-delivery");
      const isFirst = !seen.has(delivery);
      seen.add(delivery);
      const isRefused = isFirst && seen.size % EVERY === 0 && refused.size < REFUSED_AT_MOST;
      if (isRefused) refused.add(delivery);
      const status = isRefused ? 500 : 200;
      answered.push({ request, status });
      return { status };
    },
  });
  const caFile = join(folder, "sandbox-ca.pem");
  await writeFile(caFile, sandbox.certificate.cert);
  return {
    sandbox,
    subscriber,
    readers,
    site,
    // Readers come from addresses of their own, as behind a proxy in front of the service; names are those of the
    // demo's name server
    env: { EGRESS_ALLOW: "localhost:*", EXTRA_CA_FILE: caFile, DNS_SERVERS: dns.server, TRUST_PROXY: "127.0.0.0/8" },
    posts: (secret) => answered.map(({ request, status }) => postOf(request, status, secret)),
    async close() {
      closing.abort();
      await Promise.all([sandbox.close(), subscriber.close(), site.close(), dns.close()]);
    },
  };
}

/**
 * The name under which the links of a mailbox's letters are followed: an alias of the service, as
 * docs/guides/tracking-domains.md asks.
 */
export function trackingNameOf(address: string): string {
  return `track.${domainOf(address)}`;
}

/** The tracking host of the service, under the name of the first mailbox: where the site reports conversions. */
export function trackUrlOf(serviceUrl: string): string {
  const url = new URL(serviceUrl);
  url.hostname = trackingNameOf(MAILBOXES[0] ?? "");
  return url.origin;
}

/** The records of domains that are set up well. */
function zoneOf(addresses: readonly string[]): Zone {
  const { publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2_048,
    publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "der" },
  });
  const key = publicKey.toString("base64");
  return Object.fromEntries(
    addresses.flatMap((address): [string, Zone[string]][] => {
      const domain = domainOf(address);
      return [
        [domain, { MX: [`10 mail.${domain}`], TXT: ["v=spf1 mx -all"] }],
        [`mail.${domain}`, { A: ["192.0.2.25"] }],
        [`default._domainkey.${domain}`, { TXT: [`v=DKIM1; k=rsa; p=${key}`] }],
        [`_dmarc.${domain}`, { TXT: ["v=DMARC1; p=quarantine"] }],
        [trackingNameOf(address), { CNAME: ["localhost"] }],
      ];
    }),
  );
}

/** Tries as long as a mail provider would, and so also across a restart of the service. */
async function unsubscribe(url: string, web: Web, signal: AbortSignal): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      return await postOneClick(url, signal, web.fetch);
    } catch (cause) {
      if (Date.now() > end || signal.aborted) throw cause;
    }
  }
}

function postOf(request: Received, status: number, secret: string): Post {
  const data = dataOf(request.json);
  return {
    delivery: header(request, "x-service-delivery"),
    event: header(request, "x-service-event"),
    recipientId: String(data["recipientId"]),
    status,
    isSigned: verifySignature(secret, request),
  };
}

function header({ headers }: Received, name: string): string {
  return String(headers[name]);
}

function dataOf(json: unknown): Record<string, unknown> {
  const { data } = json as { data: Record<string, unknown> }; // the body of rules/webhooks 1.1; a wrong one ends the demo
  return data;
}
