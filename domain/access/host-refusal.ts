import ipaddr from "ipaddr.js";
import { AppError } from "../errors.ts";

/** Why a host or URL of a user is refused: a code, and words that follow its name in the message. */
export interface Refusal {
  reason: "ADDRESS_INSIDE" | "ADDRESS_NOT_NAME" | "LOCAL_NAME" | "NOT_HTTPS" | "OWN_NAME" | "PORT" | "SHORT_NAME";
  why: string;
}

/** The address ranges of ipaddr.js in words. Ranges that are missing here are not public either. */
const RANGES: Readonly<Record<string, string>> = {
  broadcast: "the broadcast address",
  carrierGradeNat: "an address of a provider's own network",
  linkLocal: "a link-local address",
  loopback: "a loopback address: this machine itself",
  multicast: "a multicast address",
  private: "a private address",
  uniqueLocal: "a private address",
  unspecified: "the unspecified address: this machine itself",
};

/** The refusal of an address that is internal or reserved. */
export function insideRefusal(address: string): Refusal {
  const kind = RANGES[ipaddr.process(address).range()] ?? "a reserved address";
  return { reason: "ADDRESS_INSIDE", why: `is ${kind}` };
}

/**
 * The error HOST_NOT_ALLOWED with the host, the reason, and the pair by which EGRESS_ALLOW would allow it. The error
 * reveals nothing about the network, because no name is resolved for it (rules/security 4.3).
 */
export function hostNotAllowed(host: string, port: number, { reason, why }: Refusal): AppError {
  const pair = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const place = reason === "PORT" || reason === "NOT_HTTPS" ? pair : host;
  // The service's own name leads back to the service, so the message does not advise to allow it
  const isAdvised = reason !== "OWN_NAME";
  const advice = isAdvised ? `. Your operator can allow it in EGRESS_ALLOW: ${pair}` : "";
  return new AppError("HOST_NOT_ALLOWED", `${place} ${why}${advice}`, {
    host,
    port,
    reason,
    ...(isAdvised && { egressAllow: pair }),
  });
}
