import { createServer, Packet } from "dns2";

/**
 * The answers for a name by record type, with TXT and MX as `text` and `priority exchange`. `silence` never answers.
 */
export type Zone = Record<
  string,
  Partial<Record<"A" | "AAAA" | "CNAME" | "TXT" | "MX" | "NS" | "PTR", readonly string[]>> | "servfail" | "silence"
>;

/** A name server on loopback. `zone` may be changed at any time, and holds from the next question on. */
export interface FakeDns {
  /** `host:port`, as DNS_SERVERS expects it. */
  server: string;
  zone: Zone;
  /** Every question so far, as `TYPE name`. */
  questions: string[];
  close(): Promise<void>;
}

/** Starts a name server that answers from `zone`: NXDOMAIN for a name it does not hold, time to live 0. */
export async function startDns(zone: Zone = {}): Promise<FakeDns> {
  const questions: string[] = [];
  const server = createServer({ udp: true, tcp: true, handle: answer });
  const { udp } = await server.listen({
    udp: { port: 0, address: "127.0.0.1" },
    tcp: { port: 0, address: "127.0.0.1" },
  });
  if (udp === undefined) throw new Error("the name server did not start");
  return { server: `127.0.0.1:${udp.port}`, zone, questions, close: () => server.close() };

  function answer(request: Packet, send: (response: Packet) => Promise<Buffer>): void {
    const [question] = request.questions;
    if (question === undefined) return;
    const type = typeNamed(question.type);
    const held = zone[question.name.toLowerCase()];
    questions.push(`${type} ${question.name}`);
    if (held === "silence") return;
    const response = Packet.createResponseFromRequest(request);
    if (held === undefined) response.header.rcode = Packet.RCODE.NXDOMAIN;
    else if (held === "servfail") response.header.rcode = Packet.RCODE.SERVFAIL;
    else response.answers.push(...recordsOf(held, question.name, type));
    send(response).catch(() => {}); // the asker may have gone
  }
}

function typeNamed(type: number): string {
  return Object.entries(Packet.TYPE).find(([, value]) => value === type)?.[0] ?? String(type);
}

/** An alias answers every question for addresses, beside the records that the name has itself. */
function recordsOf(held: Exclude<Zone[string], string>, name: string, asked: string): Packet["answers"] {
  const { A, AAAA, CNAME, MX, NS, PTR, TXT } = Packet.TYPE;
  const record = (fields: Partial<Packet["answers"][number]>) =>
    new Packet.Resource({ name, class: Packet.CLASS.IN, ttl: 0, ...fields });
  const aliases = (held.CNAME ?? []).map((domain) => record({ type: CNAME, domain }));
  if (asked === "A") return [...aliases, ...(held.A ?? []).map((address) => record({ type: A, address }))];
  if (asked === "AAAA") return [...aliases, ...(held.AAAA ?? []).map((address) => record({ type: AAAA, address }))];
  if (asked === "PTR") return (held.PTR ?? []).map((domain) => record({ type: PTR, domain }));
  if (asked === "NS") return (held.NS ?? []).map((ns) => record({ type: NS, ns }));
  if (asked === "TXT") return (held.TXT ?? []).map((text) => record({ type: TXT, data: stringsOf(text) }));
  if (asked === "MX") return (held.MX ?? []).map((line) => record({ type: MX, ...mailExchange(line) }));
  return asked === "CNAME" ? aliases : [];
}

/** RFC 1035 3.3.14: a string of a text has at most 255 octets. */
function stringsOf(text: string): string[] {
  return text.length <= 255 ? [text] : (text.match(/.{1,255}/gs) ?? []);
}

function mailExchange(line: string): { priority: number; exchange: string } {
  const [priority, exchange = ""] = line.split(" ");
  return { priority: Number(priority), exchange };
}
