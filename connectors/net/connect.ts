import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import {
  canonicalAddress,
  canonicalHost,
  isAddress,
  isAllowed,
  isBlockedAddress,
} from "../../domain/access/allowed-hosts.ts";
import { isCut } from "../../domain/errors.ts";
import { deadlineOf, failureOf, type TimeLimits, withinDeadline } from "./deadline.ts";
import type { Egress, EgressOptions, TlsOptions } from "./egress.ts";
import { EgressError } from "./egress-error.ts";
import { probeCertificate } from "./entrance.ts";
import { createNames } from "./names.ts";
import { createRecords } from "./records.ts";
import { createRequest } from "./request.ts";

export { EgressError, type EgressReason } from "./egress-error.ts";

/** Builds the connector. Its rules never change afterwards, so a pooled connection is as safe as a new one. */
export function createEgress({ allow, ownAddresses, ownHosts = [], dnsServers, extraCa }: EgressOptions): Egress {
  const own = new Set<string | undefined>(ownAddresses.map(ownAddress));
  const isBlocked = (address: string) => isBlockedAddress(address) || own.has(canonicalAddress(address));
  const { resolve, cancel } = createNames({ allow, dnsServers, isBlocked });
  const { records, cancel: cancelRecords } = createRecords(dnsServers);
  const ca = extraCa === undefined ? undefined : [...tls.getCACertificates("default"), extraCa];
  const secureContext = tls.createSecureContext({ minVersion: "TLSv1.2", ...(ca && { ca }) });

  async function openTcp(host: string, port: number, limits: TimeLimits): Promise<net.Socket> {
    const deadline = deadlineOf(limits);
    try {
      const addresses = await withinDeadline(deadline, resolve(host, port));
      const socket = await connectTo(addresses, port, deadline);
      checkPeer(socket, host, port);
      return socket;
    } catch (error) {
      throw failureOf(error, deadline, limits, (cause) => new EgressError("CONNECT_FAILED", { cause }));
    }
  }

  /** Checks the address of the connected socket again, before a byte is written. */
  function checkPeer(socket: net.Socket, host: string, port: number): void {
    const peer = socket.remoteAddress; // undefined once the peer has closed the connection
    if (peer !== undefined && (isAllowed(host, port, allow) || !isBlocked(peer))) return;
    socket.destroy();
    throw new EgressError(peer === undefined ? "CONNECT_FAILED" : "ADDRESS_BLOCKED");
  }

  async function openTls(host: string, port: number, limits: TimeLimits): Promise<tls.TLSSocket> {
    const deadline = deadlineOf(limits);
    const tcp = await openTcp(host, port, limits);
    const socket = tls.connect({
      socket: tcp,
      host: certificateNameOf(host),
      ...serverName(host),
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ["http/1.1"],
    });
    try {
      await once(socket, "secureConnect", { signal: deadline });
      return socket;
    } catch (error) {
      socket.on("error", () => {}); // later errors of an abandoned socket do not matter
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
    certifiedAt: (place, name, timeoutMs) => probeCertificate(place, name, timeoutMs, ca),
    request: http.request,
    close,
  };
}

/** A host name is refused here, because blocking it would have no effect without anyone noticing. */
function ownAddress(text: string): string {
  const address = canonicalAddress(text);
  if (address === undefined) throw new TypeError(`This is not an IP address: ${text}`);
  return address;
}

async function connectTo(addresses: string[], port: number, deadline: AbortSignal): Promise<net.Socket> {
  const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
  const socket = net.connect({
    host: "checked.invalid", // never resolved: `lookup` returns the checked addresses
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
    socket.on("error", () => {}); // an abandoned attempt may still fail later
    socket.destroy();
    throw error;
  }
}

function tlsFailure(cause: unknown): EgressError {
  return new EgressError(isCut(cause) ? "CONNECT_FAILED" : "TLS_FAILED", { cause });
}

function serverName(host: string): { servername?: string } {
  const name = certificateNameOf(host);
  return isAddress(name) ? {} : { servername: name };
}

/** The host as a certificate spells it: without the final dot of an absolute name. */
function certificateNameOf(host: string): string {
  return canonicalHost(host) ?? host;
}
