import { once } from "node:events";
import tls from "node:tls";
import { codeOf } from "./egress-error.ts";

/** What the service's own front showed for a name: a certificate that holds for it, another one, or nothing at all. */
export type Certified = "VALID" | "INVALID" | "UNREACHABLE";

/**
 * Asks our own front door, which a customer's name is an alias of, for its certificate under that name. The place is configured,
 * never named by a user, so it may be an address that the rules keep users from.
 */
export async function certifiedAt(
  place: { host: string; port: number },
  name: string,
  timeoutMs: number,
  ca?: string[],
): Promise<Certified> {
  const socket = tls.connect({ ...place, servername: name, rejectUnauthorized: true, minVersion: "TLSv1.2", ...(ca && { ca }) });
  socket.on("error", () => {}); // what breaks after the answer is no news
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(timeoutMs) });
    return "VALID";
  } catch (error) {
    return /^(?:CERT_|ERR_TLS_CERT|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_)/.test(codeOf(error)) ? "INVALID" : "UNREACHABLE";
  } finally {
    socket.destroy();
  }
}
