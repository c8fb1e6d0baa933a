import type net from "node:net";
import type tls from "node:tls";
import type { Allow } from "../../domain/access/allowed-hosts.ts";
import type { Limits } from "./deadline.ts";
import type { Certified } from "./entrance.ts";
import type { Ask } from "./records.ts";

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

/** `timeoutMs` spans all from resolving to the last byte read. `bodyTimeoutMs`, when given, ends the body earlier. */
export interface EgressRequest extends Limits {
  method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  headers?: Record<string, string>;
  body?: Buffer | string;
  maxBodyBytes: number;
  bodyTimeoutMs?: number;
}

/** `bodyExcerpt` is at most `maxBodyBytes` long; `isBodyComplete` is false when more was sent, or it broke off or was too slow. */
export interface EgressResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
  bodyExcerpt: Buffer;
  isBodyComplete: boolean;
}
