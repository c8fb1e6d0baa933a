import type { Egress } from "../../connectors/net/egress.ts";
import { isAbsent } from "../../connectors/net/records.ts";
import { whyUnreached } from "../../connectors/net/why-unreached.ts";
import type { SetupFinding } from "../../domain/readiness.ts";
import { fail, ok, skip, warn } from "./finding.ts";

const DNS = "DNS";
/** A name that every resolver of the internet knows. */
const KNOWN = "gmail.com";
const [DNS_MS, CONNECT_MS] = [5_000, 8_000];

/** Whether the resolver returns the mail servers of a well-known domain. */
export async function checkDns(egress: Pick<Egress, "records">): Promise<SetupFinding> {
  const advice = "Check DNS_SERVERS, or the resolver of this machine in /etc/resolv.conf";
  try {
    const found = await egress.records(DNS_MS, (ask) => ask(KNOWN, "MX"));
    if (found.length > 0) return ok(DNS, `the resolver returns the mail servers of ${KNOWN}`);
    return warn(DNS, `the resolver returns no mail servers of ${KNOWN}`, advice);
  } catch (error) {
    if (isAbsent(error)) return warn(DNS, `the resolver answers, but it does not know ${KNOWN}`, advice);
    return fail(DNS, "the resolver does not answer", advice);
  }
}

export type MailProtocol = "smtp" | "imap";

export interface MailTarget {
  host: string;
  /** The ports to try; one that opens is enough. */
  ports: number[];
}

const USUAL: Record<MailProtocol, number[]> = { smtp: [587, 465], imap: [993, 143] };

/** Reads `host` or `host:port`; null for anything else. */
export function mailTargetOf(protocol: MailProtocol, text: string): MailTarget | null {
  const [, host, port] = /^([^\s:/@]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) return null;
  return { host, ports: port === undefined ? USUAL[protocol] : [Number(port)] };
}

/** Whether this machine can open a connection to a mail server. It only connects, and sends nothing. */
export async function checkMailEgress(
  egress: Pick<Egress, "openTcp">,
  protocol: MailProtocol,
  target: MailTarget | null,
): Promise<SetupFinding> {
  const check = `${protocol.toUpperCase()} egress`;
  if (target === null)
    return skip(check, "no mail server is named", `Name one: npm run doctor -- --${protocol} ${protocol}.example.com`);
  const { host, ports } = target;
  const tries = await Promise.all(ports.map((port) => tryPort(egress, host, port)));
  const open = tries.flatMap(({ port, why }) => (why === null ? [port] : []));
  if (open.length > 0) return ok(check, `${host} accepts connections on port ${open.join(" and ")}`);
  const whys = tries.map(({ port, why }) => `port ${port}: ${why}`).join(", ");
  const advice = "Open these ports in the firewall for outgoing connections, and in EGRESS_ALLOW for a private host";
  return fail(check, `${host} is not reachable on ${whys}`, advice);
}

async function tryPort(
  egress: Pick<Egress, "openTcp">,
  host: string,
  port: number,
): Promise<{ port: number; why: string | null }> {
  try {
    const socket = await egress.openTcp(host, port, { timeoutMs: CONNECT_MS });
    socket.on("error", () => {}).destroy();
    return { port, why: null };
  } catch (error) {
    return { port, why: reasonOf(error) };
  }
}

/** Why a connection failed, in the words of the log, without the kind in front of them. */
export function reasonOf(error: unknown): string {
  return whyUnreached(error)?.replace(/^\w+: /, "") ?? "not connected";
}
