import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import { isCut } from "../domain/errors.ts";
import { type Allow, canonicalAddress, canonicalHost, isAddress, isAllowed, isBlockedAddress } from "../domain/places.ts";
import { deadlineOf, failureOf, type Limits, within } from "./deadline.ts";
import { EgressError } from "./egress-error.ts";
import { type Certified, certifiedAt } from "./entrance.ts";
import { createNames } from "./names.ts";
import { type Ask, createRecords } from "./records.ts";
import { createRequest, type EgressRequest, type EgressResponse } from "./request.ts";

export { EgressError, type EgressReason } from "./egress-error.ts";

export interface EgressOptions {
  allow: readonly Allow[];
  /** Addresses of the service itself, its database and its engine; blocked like the ranges of webhooks.md 5. */
  ownAddresses: readonly string[];
  /** Host names of the service itself, refused in URLs before they are resolved. */
  ownHosts?: readonly string[] | undefined;
  /** `host:port` of the resolvers to ask in place of the system's. */
  dnsServers?: readonly string[] | undefined;
  /** PEM of a certificate authority accepted beside the usual ones. */
  extraCa?: string | undefined;
}

/** What a library that upgrades its own socket must be given. No server name for an address: TLS has none. */
export interface TlsOptions {
  servername?: string;
  secureContext: tls.SecureContext;
  rejectUnauthorized: true;
}

/** The one connector to places a user names (security.md 5). Failures are EgressError; a fired `signal` throws its reason. */
export interface Egress {
  /** All allowed addresses of the host; a literal is checked as it is. */
  resolve(host: string, port: number): Promise<string[]>;
  /** A socket connected to a checked address. The caller owns it and listens for its errors. */
  openTcp(host: string, port: number, limits: Limits): Promise<net.Socket>;
  /** The same with a verified TLS session for `host`. */
  openTls(host: string, port: number, limits: Limits): Promise<tls.TLSSocket>;
  tlsOptions(host: string): TlsOptions;
  /** DNS records of any name, asked of the configured resolver until the time is up. Opens no connection to what they name. */
  records<T>(timeoutMs: number, work: (ask: Ask) => Promise<T>): Promise<T>;
  /** Whether our own front, a configured place, shows a certificate for that name. */
  certifiedAt(place: { host: string; port: number }, name: string, timeoutMs: number): Promise<Certified>;
  /** One HTTP exchange: no redirect, no proxy, no decompression. */
  request(url: string | URL, request: EgressRequest): Promise<EgressResponse>;
  /** Ends all HTTP connections and open questions; for the end of the process and of tests. */
  close(): Promise<void>;
}

/** Builds the connector. Its rules never change afterwards, so a pooled connection stays as checked as a new one. */
export function createEgress({ allow, ownAddresses, ownHosts = [], dnsServers, extraCa }: EgressOptions): Egress {
  const own = new Set<string | undefined>(ownAddresses.map(ownAddress));
  const isBlocked = (address: string) => isBlockedAddress(address) || own.has(canonicalAddress(address));
  const { resolve, cancel } = createNames({ allow, dnsServers, isBlocked });
  const { records, cancel: cancelRecords } = createRecords(dnsServers);
  const ca = extraCa === undefined ? undefined : [...tls.getCACertificates("default"), extraCa];
  const secureContext = tls.createSecureContext({ minVersion: "TLSv1.2", ...(ca && { ca }) });

  async function openTcp(host: string, port: number, limits: Limits): Promise<net.Socket> {
    const deadline = deadlineOf(limits);
    try {
      const addresses = await within(deadline, resolve(host, port));
      const socket = await connectTo(addresses, port, deadline);
      checkPeer(socket, host, port);
      return socket;
    } catch (error) {
      throw failureOf(error, deadline, limits, (cause) => new EgressError("CONNECT_FAILED", { cause }));
    }
  }

  /** Asked again of the connected socket, before a byte is written. */
  function checkPeer(socket: net.Socket, host: string, port: number): void {
    const peer = socket.remoteAddress; // undefined once the other side has closed again
    if (peer !== undefined && (isAllowed(host, port, allow) || !isBlocked(peer))) return;
    socket.destroy();
    throw new EgressError(peer === undefined ? "CONNECT_FAILED" : "ADDRESS_BLOCKED");
  }

  async function openTls(host: string, port: number, limits: Limits): Promise<tls.TLSSocket> {
    const deadline = deadlineOf(limits);
    const tcp = await openTcp(host, port, limits);
    const socket = tls.connect({
      socket: tcp,
      host: nameOf(host),
      ...serverName(host),
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
    });
    try {
      await once(socket, "secureConnect", { signal: deadline });
      return socket;
    } catch (error) {
      socket.on("error", () => {}); // what else breaks on a socket that is given up is no news
      socket.destroy();
      throw failureOf(error, deadline, limits, tlsFailure);
    }
  }

  function tlsOptions(host: string): TlsOptions {
    return { ...serverName(host), secureContext, rejectUnauthorized: true };
  }

  const http = createRequest({ openTcp, openTls }, { allow, ownHosts });
  async function close(): Promise<void> {
    cancel();
    cancelRecords();
    await http.close();
  }
  return {
    resolve,
    openTcp,
    openTls,
    tlsOptions,
    records,
    certifiedAt: (place, name, timeoutMs) => certifiedAt(place, name, timeoutMs, ca),
    request: http.request,
    close,
  };
}

/** A name here would silently protect nothing. */
function ownAddress(text: string): string {
  const address = canonicalAddress(text);
  if (address === undefined) throw new TypeError(`Not an address of the service: ${text}`);
  return address;
}

async function connectTo(addresses: string[], port: number, deadline: AbortSignal): Promise<net.Socket> {
  const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
  const socket = net.connect({
    host: "checked.invalid", // never resolved: the lookup hands over the checked addresses
    port,
    noDelay: true,
    keepAlive: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 2_000,
    lookup: (_host, _options, callback) => callback(null, found),
  });
  try {
    await once(socket, "connect", { signal: deadline });
    return socket;
  } catch (error) {
    socket.on("error", () => {}); // an attempt given up may still fail
    socket.destroy();
    throw error;
  }
}

function tlsFailure(cause: unknown): EgressError {
  return new EgressError(isCut(cause) ? "CONNECT_FAILED" : "TLS_FAILED", { cause });
}

function serverName(host: string): { servername?: string } {
  const name = nameOf(host);
  return isAddress(name) ? {} : { servername: name };
}

/** The host as a certificate spells it: without the final dot of an absolute name. */
function nameOf(host: string): string {
  return canonicalHost(host) ?? host;
}
