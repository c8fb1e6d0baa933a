import type net from "node:net";
import type tls from "node:tls";
import type { Allow } from "../../domain/access/allowed-hosts.ts";
import type { TimeLimits } from "./deadline.ts";
import type { Certified } from "./entrance.ts";
import type { Ask } from "./records.ts";

export interface EgressOptions {
  allow: readonly Allow[];
  /**
   * Addresses of the service itself, its database and its engine. They are blocked like the ranges of rules/webhooks
   * 4.2.
   */
  ownAddresses: readonly string[];
  /** Host names of the service itself. URLs with them are refused before they are resolved. */
  ownHosts?: readonly string[] | undefined;
  /** `host:port` of the resolvers to query instead of the system's. */
  dnsServers?: readonly string[] | undefined;
  /** PEM of a certificate authority that is accepted in addition to the usual ones. */
  extraCa?: string | undefined;
}

/** What a library that upgrades its own socket needs. An IP address gets no server name, because TLS allows none. */
export interface TlsOptions {
  servername?: string;
  secureContext: tls.SecureContext;
  rejectUnauthorized: true;
}

/**
 * The one connector to hosts that users name (rules/security 4.1). Failures are EgressError; a fired `signal` throws
 * its reason.
 */
export interface Egress {
  /** All allowed addresses of the host. A literal address is checked as is. */
  resolve(host: string, port: number): Promise<string[]>;
  /** A socket connected to a checked address. The caller owns it and handles its errors. */
  openTcp(host: string, port: number, limits: TimeLimits): Promise<net.Socket>;
  /** The same with a verified TLS session for `host`. */
  openTls(host: string, port: number, limits: TimeLimits): Promise<tls.TLSSocket>;
  tlsOptions(host: string): TlsOptions;
  /**
   * Queries DNS records of any name at the configured resolver until the time is up. It opens no connection to the
   * hosts that they name.
   */
  records<T>(timeoutMs: number, work: (ask: Ask) => Promise<T>): Promise<T>;
  /** Whether our own front door, whose address is configured, presents a certificate for that name. */
  certifiedAt(place: { host: string; port: number }, name: string, timeoutMs: number): Promise<Certified>;
  /** One HTTP exchange without redirect, proxy or decompression. */
  request(url: string | URL, request: EgressRequest): Promise<EgressResponse>;
  /** Ends all HTTP connections and open queries, at the end of the process or of a test. */
  close(): Promise<void>;
}

/**
 * `timeoutMs` bounds everything from resolving to the last byte read. `bodyTimeoutMs`, when given, ends the body
 * earlier.
 */
export interface EgressRequest extends TimeLimits {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: Buffer | string;
  maxBodyBytes: number;
  bodyTimeoutMs?: number;
  /**
   * Asked once the connection is open, immediately before the first byte of the request is written. False: nothing is
   * written, and the request fails with NOT_BEGUN.
   */
  mayBegin?: () => boolean;
}

/**
 * `bodyExcerpt` has at most `maxBodyBytes`. `isBodyComplete` is false when the body was longer, broke off or was too
 * slow.
 */
export interface EgressResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  bodyExcerpt: Buffer;
  isBodyComplete: boolean;
}
