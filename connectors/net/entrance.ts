import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import tls from "node:tls";
import { codeOf, EgressError, type EgressReason } from "./egress-error.ts";

/**
 * What the service's own front door presented for a name: a certificate valid for it, another certificate, or no
 * connection at all.
 */
export type Certified = "VALID" | "INVALID" | "UNREACHABLE";

/** Any certificate that does not prove the name ends the connection. */
const STRICT = { rejectUnauthorized: true, minVersion: "TLSv1.2" } as const;
const CERTIFICATE_FAULT = /^(?:CERT_|ERR_TLS_CERT|ERR_SSL|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS_)/;

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
    ...STRICT,
    ...(ca && { ca }),
  });
  socket.on("error", () => {}); // errors after the answer do not matter
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(timeoutMs) });
    return "VALID";
  } catch (error) {
    return CERTIFICATE_FAULT.test(codeOf(error)) ? "INVALID" : "UNREACHABLE";
  } finally {
    socket.destroy();
  }
}

/** What our own front door answered to a request. */
export interface EntranceAnswer {
  status: number;
  body: string;
  /** The last instant at which its certificate is valid; null for plain HTTP. */
  certificateEnds: Date | null;
}

const MOST_BODY = 65_536;

/**
 * Reads a page of our own front door, whose address is configured, without following a redirect. Like
 * `probeCertificate` it may reach addresses that users may not.
 * @throws EgressError
 */
export async function readEntrance(url: URL, timeoutMs: number, ca?: string[]): Promise<EntranceAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const options = { signal, agent: false, headers: { accept: "application/json" } };
    const request =
      url.protocol === "https:" ? https.get(url, { ...options, ...STRICT, ...(ca && { ca }) }) : http.get(url, options);
    request.on("error", () => {}); // errors after the answer do not matter
    const [response]: http.IncomingMessage[] = await once(request, "response");
    if (response === undefined) throw new EgressError("RESPONSE_INVALID");
    const { socket } = response;
    const ends = socket instanceof tls.TLSSocket ? new Date(socket.getPeerCertificate().valid_to) : null;
    let body = "";
    for await (const chunk of response.setEncoding("utf8")) {
      body += chunk;
      if (body.length > MOST_BODY) break;
    }
    return { status: response.statusCode ?? 0, body, certificateEnds: ends };
  } catch (cause) {
    if (cause instanceof EgressError) throw cause;
    if (signal.aborted) throw new EgressError("TIMEOUT", { cause });
    throw new EgressError(reasonOf(codeOf(cause)), { cause });
  }
}

function reasonOf(code: string): EgressReason {
  if (CERTIFICATE_FAULT.test(code)) return "TLS_FAILED";
  if (/^(?:ENOTFOUND|EAI_)/.test(code)) return "DNS_FAILED";
  return code.startsWith("HPE_") ? "RESPONSE_INVALID" : "CONNECT_FAILED";
}
