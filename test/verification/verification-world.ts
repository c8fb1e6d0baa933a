import type { ConsoleFiles } from "../../api/console/pages.ts";
import { ETIQUETTE, type Etiquette } from "../../domain/verification/etiquette.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeDns, startDns, type Zone } from "../fakes/dns.ts";
import { type FakeSmtp, type Rules, startSmtp } from "../fakes/smtp.ts";
import { accept, refuse } from "../fakes/smtp-answers.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

/** The name that the service greets mail servers with. */
export const HELO = "verify.ours.test";

/** A server as impatient as a test: two questions come a tenth of a second apart, and greylisting ends within one. */
export const QUICK = { apartMs: 100, greylistMs: 700, connectMs: 2_000, conversationMs: 3_000 };

export interface VerificationWorld {
  world: World;
  dns: FakeDns;
  smtp: FakeSmtp;
  etiquette: Etiquette;
  /** The settings that a separate worker needs. */
  asking: { dnsServers: string[]; allow: string; verifyHelo: string; etiquette: Etiquette };
  close(): Promise<void>;
}

/** Domains whose mail one server on loopback receives, which knows who is there. Its name belongs to no other test. */
export async function startVerificationWorld({
  zone = {},
  rules = knows(),
  etiquette = {},
  helo = HELO,
  isWorked = true,
  console,
}: {
  zone?: Zone;
  rules?: Rules;
  etiquette?: Partial<Etiquette>;
  helo?: string | null;
  isWorked?: boolean;
  /** The built console to serve. */
  console?: ConsoleFiles;
} = {}): Promise<VerificationWorld> {
  const smtp = await startSmtp({ certificate: await makeCertificate(), startTls: false, receives: true, rules });
  const dns = await startDns(zone);
  const manners = { ...ETIQUETTE, ...QUICK, port: smtp.port, ...etiquette };
  const exchanges = Object.keys(zone).filter((host) => host.endsWith("-mx.test"));
  const asking = {
    dnsServers: [dns.server],
    allow: [...exchanges.map((host) => `${host}:${smtp.port}`), "localhost:*"].join(","),
    verifyHelo: helo ?? "",
    etiquette: manners,
  };
  const worker = isWorked ? { worker: realWorker({ ...asking, verifyHelo: helo }) } : { temporal: true };
  const world = await startWorld({ ...worker, ...(console !== undefined && { console }) });
  return {
    world,
    dns,
    smtp,
    etiquette: manners,
    asking,
    async close() {
      await world.close();
      await dns.close();
      await smtp.close();
    },
  };
}

/** A server that knows these people, whatever the domain, and refuses everybody else. */
export function knows(...people: string[]): Rules {
  return (rcpt) => (people.includes(rcpt.split("@")[0] ?? "") ? accept : refuse(550, "5.1.1 User unknown"));
}

/** A domain whose mail a server of `<name>-mx.test` receives, which is this machine. */
export function receivedBy(name: string): Zone {
  return { [`${name}.test`]: { MX: [`10 in.${name}-mx.test`] }, [`in.${name}-mx.test`]: { A: ["127.0.0.1"] } };
}

/** A job once it has ended. */
export async function endedJob(rest: Rest, jobId: string, deadlineMs = 60_000) {
  const read = async () => (await rest.get(`/verification/jobs/${jobId}`)).body;
  await until(async () => (await read()).finishedAt !== null, { deadlineMs, what: "the verification to end" });
  return read();
}

/** The results of a job, by address: `VALID ACCEPTED`. */
export async function foundBy(rest: Rest, jobId: string): Promise<Record<string, string>> {
  const { body } = await rest.get(`/verification/export?jobId=${jobId}&pageSize=200`);
  const [, ...lines] = String(body.content).trim().split("\r\n");
  return Object.fromEntries(
    lines.map((line) => line.split(",")).map(([email, result, reason]) => [email, `${result} ${reason}`]),
  );
}
