import { lookup } from "node:dns/promises";
import { readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { type Config, mailProviders, POSTMASTER, PUBSUB, SHEETS } from "../config.ts";
import { createEgress } from "../connectors/net/connect.ts";
import type { Egress } from "../connectors/net/egress.ts";
import { type Allow, parseAllow } from "../domain/access/allowed-hosts.ts";
import type { MailProviders } from "../domain/mailboxes/provider.ts";
import { readMongodbUri } from "../mongo/uri.ts";

/**
 * The egress connector of this process, which refuses connections to the service itself, its database and its engine
 * (rules/webhooks 4.2).
 */
export async function createConfiguredEgress(config: Config, mongodbUri: string): Promise<Egress> {
  const {
    EGRESS_ALLOW,
    DNS_SERVERS,
    EXTRA_CA_FILE,
    PUBLIC_URL,
    TRACK_URL,
    TEMPORAL_ADDRESS,
    SHEETS_URL,
    POSTMASTER_URL,
    PUBSUB_URL,
  } = config;
  const ownHosts = [PUBLIC_URL, TRACK_URL].map((url) => new URL(url).hostname);
  const servers = [
    ...readMongodbUri(mongodbUri).servers.map((server) => server.replace(/:\d+$/, "")),
    ...(TEMPORAL_ADDRESS === null ? [] : [TEMPORAL_ADDRESS.replace(/:\d+$/, "")]),
  ];
  const here = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address));
  const named = await Promise.all([...ownHosts, ...servers].map(lookupHost));
  return createEgress({
    allow: [
      ...parseAllow(EGRESS_ALLOW),
      ...placesOf(mailProviders(config)),
      ...standInOf(SHEETS_URL, SHEETS),
      ...standInOf(POSTMASTER_URL, POSTMASTER),
      ...standInOf(PUBSUB_URL, PUBSUB),
      ...allowedHostOf(config.RSPAMD_URL),
      ...allowedHostOf(config.LEAD_SEARCH_URL),
      ...allowedHostOf(config.AGENT_URL),
    ],
    ownAddresses: [...new Set([...here, ...named.flat()])],
    ownHosts,
    ...(DNS_SERVERS.length > 0 && { dnsServers: DNS_SERVERS }),
    ...(EXTRA_CA_FILE !== null && { extraCa: await readFile(EXTRA_CA_FILE, "utf8") }),
  });
}

/**
 * Hosts that the operator configured. They are allowed even where users must not direct requests, for example a
 * provider inside the operator's own network.
 */
function placesOf(providers: MailProviders): Allow[] {
  return Object.values(providers).flatMap(({ servers, oauth }) => {
    const http = oauth === null ? [] : [oauth.tokenUrl, oauth.userinfoUrl, oauth.revocationUrl].flatMap(allowedHostOf);
    return [...http, ...(servers === null ? [] : [servers.smtp, servers.imap])].map(({ host, port }) => ({
      host,
      port,
    }));
  });
}

/** The exception for a configured replacement of one of Google's servers. The usual server needs none. */
function standInOf(url: string | null, usual: string): Allow[] {
  return url === usual ? [] : allowedHostOf(url);
}

function allowedHostOf(url: string | null): Allow[] {
  if (url === null) return [];
  const { hostname, port, protocol } = new URL(url);
  return [{ host: hostname, port: Number(port) || (protocol === "https:" ? 443 : 80) }];
}

/** The addresses of a host. A name that does not resolve from here has no address to be blocked. */
async function lookupHost(host: string): Promise<string[]> {
  const found = await lookup(host.replace(/^\[|\]$/g, ""), { all: true }).catch(() => []);
  return found.map(({ address }) => address);
}
