import { z } from "zod";
import { codeOf, EgressError } from "../../connectors/net/egress-error.ts";
import { type EntranceAnswer, readEntrance } from "../../connectors/net/entrance.ts";
import { canonicalHost, isAddress, isBlockedAddress, isLocalName } from "../../domain/access/allowed-hosts.ts";
import type { EvidenceKey } from "../../domain/evidence/signature.ts";
import type { SetupFinding } from "../../domain/readiness.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { fail, ok, skip, warn } from "./finding.ts";
import { reasonOf } from "./network.ts";

const [CHECK, CERTIFICATE] = ["PUBLIC_URL", "PUBLIC_URL certificate"];
const ASK_MS = 8_000;
const FEWEST_DAYS = 14;
const Keys = z.object({ keys: z.array(z.object({ keyId: z.string(), publicKey: z.string() })) });

const CERTIFICATE_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "has expired",
  CERT_NOT_YET_VALID: "is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "is for another host name",
};

export interface PublicUrlOptions {
  /** The public keys of this deployment; null when they cannot be read. */
  keys: readonly EvidenceKey[] | null;
  /** The certificate authorities that are accepted; those of Node when unset. */
  ca?: string[];
  now?: () => number;
}

/** Whether PUBLIC_URL is reached by https and leads to this deployment, which its public keys show. */
export async function checkPublicUrl(publicUrl: string, options: PublicUrlOptions): Promise<SetupFinding[]> {
  const { keys, ca, now = Date.now } = options;
  const { protocol, hostname } = new URL(publicUrl);
  try {
    const answer = await readEntrance(new URL(`${publicUrl}/evidence-keys`), ASK_MS, ca);
    return [judgeAnswer(answer, keys), judgeCertificate(answer, hostname, now())];
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    if (error.reason === "TLS_FAILED")
      return [skip(CHECK, "its certificate cannot be used"), reportCertificate(codeOf(error.cause))];
    const advice =
      "Start the API, and check the DNS record, the proxy and the firewall. If only this machine cannot reach it, run this command on another one";
    const unseen = skip(CERTIFICATE, "PUBLIC_URL is not reachable");
    return [
      fail(CHECK, `it is not reachable: ${reasonOf(error)}`, advice),
      protocol === "https:" ? unseen : judgeHttp(hostname),
    ];
  }
}

function judgeAnswer({ status, body }: EntranceAnswer, keys: readonly EvidenceKey[] | null): SetupFinding {
  if (status === 503) {
    const advice = "Wait until the start has ended; /readyz says what is missing";
    return warn(CHECK, "the service answers, but it is not ready", advice);
  }
  if (status >= 300 && status < 400)
    return fail(CHECK, "it redirects to another address", "Set PUBLIC_URL to the address to which it redirects");
  const served = keysIn(body);
  if (status !== 200 || served === null)
    return fail(
      CHECK,
      `something else answers there (status ${status})`,
      "Point the DNS record or the proxy at this service, and keep PUBLIC_URL free of a path that the proxy does not serve",
    );
  if (keys === null) return skip(CHECK, "a service answers, but without the database it cannot be recognised");
  const isOurs = keys.some(({ publicKey }) => served.includes(publicKey));
  return isOurs
    ? ok(CHECK, "it leads to this deployment")
    : fail(
        CHECK,
        "it leads to another deployment",
        "Point the DNS record or the proxy at this one, or correct PUBLIC_URL",
      );
}

function keysIn(body: string): string[] | null {
  try {
    return Keys.parse(JSON.parse(body)).keys.map(({ publicKey }) => publicKey);
  } catch {
    return null;
  }
}

function judgeCertificate({ certificateEnds }: EntranceAnswer, hostname: string, nowMs: number): SetupFinding {
  if (certificateEnds === null) return judgeHttp(hostname);
  const days = Math.floor((certificateEnds.getTime() - nowMs) / DAY_MS);
  if (days >= FEWEST_DAYS) return ok(CERTIFICATE, `it is valid for ${days} more days`);
  return warn(
    CERTIFICATE,
    `it is valid for only ${days} more ${days === 1 ? "day" : "days"}`,
    "Renew it now, and check why the proxy has not renewed it",
  );
}

function judgeHttp(hostname: string): SetupFinding {
  const advice = "Put a proxy with a certificate in front, and set PUBLIC_URL to its https address";
  return isInside(hostname)
    ? warn(CERTIFICATE, "the address is plain http and only for this machine or network", advice)
    : fail(CERTIFICATE, "the address is plain http, so anyone on the way can read passwords and sessions", advice);
}

/** Whether the host is reached only from this machine or its network. */
function isInside(hostname: string): boolean {
  const host = canonicalHost(hostname) ?? hostname;
  return isAddress(host) ? isBlockedAddress(host) : isLocalName(host) || !host.includes(".");
}

function reportCertificate(code: string): SetupFinding {
  const fault = CERTIFICATE_FAULTS[code] ?? "is not signed by an authority that this machine trusts";
  return fail(
    CERTIFICATE,
    `the certificate ${fault}`,
    "Get a certificate for the host name of PUBLIC_URL, with its intermediate certificates; EXTRA_CA_FILE names an authority of your own",
  );
}
