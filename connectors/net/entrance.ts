import { once } from "node:events";
import tls from "node:tls";
import { codeOf } from "./egress-error.ts";

/**
 * What the service's own front door presented for a name: a certificate valid for it, another certificate, or no
 * connection at all.
 */
export type Certified = "VALID" | "INVALID" | "UNREACHABLE";

/**
 * Asks our own front door for its certificate under a customer's name, which is an alias of it. The host is configured
 * and never named by a user, so it may be an address that users are not allowed to reach.
 */
export async function probeCertificate(
  place: { host: string; port: number },
  name: string,
  timeoutMs: number,
  ca?: string[],
): Promise<Certified> {
  const socket = tls.connect({
    ...place,
    servername: name,
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ...(ca && { ca }),
  });
  socket.on("error", () => {}); // errors after the answer do not matter
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(timeoutMs) });
    return "VALID";
  } catch (error) {
    return /^(?:CERT_|ERR_TLS_CERT|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_)/.test(codeOf(error))
      ? "INVALID"
      : "UNREACHABLE";
  } finally {
    socket.destroy();
  }
}
