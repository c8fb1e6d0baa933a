import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { postOneClick } from "../fakes/one-click.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { type FakeSubscriber, type Received, startSubscriber, verifySignature } from "../fakes/subscriber.ts";
import type { Post } from "./table.ts";

export const MAILBOXES = ["nora@outreach-one.test", "oskar@outreach-two.test", "pia@outreach-three.test"];
/** An account of the sandbox that the demo does not connect: whoever looks around may. */
export const SPARE = "quinn@outreach-four.test";
const EVERY = 4;
const REFUSED_AT_MOST = 6;

/** Everything outside the service: mail servers, the people behind them, and one subscriber to its events. */
export interface Outside {
  sandbox: Sandbox;
  subscriber: FakeSubscriber;
  /** The settings with which the service reaches all of this. */
  env: Record<string, string>;
  /** Every request that the subscriber received, and whether `secret` had signed it. */
  posts(secret: string): Post[];
  close(): Promise<void>;
}

/** The subscriber responds with 500 to the first attempt of every fourth delivery, six times in all. */
export async function startOutside(folder: string): Promise<Outside> {
  const closing = new AbortController();
  const sandbox = await startSandbox({ mailboxes: [...MAILBOXES, SPARE], onUnsubscribe: (url) => unsubscribe(url, closing.signal) });
  const seen = new Set<string>();
  const refused = new Set<string>();
  const answered: { request: Received; status: number }[] = [];
  const subscriber = await startSubscriber({
    answer: (request) => {
      const delivery = header(request, "x-service-delivery");
      const isFirst = !seen.has(delivery);
      seen.add(delivery);
      const isRefused = isFirst && seen.size % EVERY === 0 && refused.size < REFUSED_AT_MOST;
      if (isRefused) refused.add(delivery);
      const status = isRefused ? 500 : 200;
      answered.push({ request, status });
      return { status };
    },
  });
  const caFile = join(folder, "sandbox-ca.pem");
  await writeFile(caFile, sandbox.certificate.cert);
  return {
    sandbox,
    subscriber,
    env: { EGRESS_ALLOW: "localhost:*", EXTRA_CA_FILE: caFile },
    posts: (secret) => answered.map(({ request, status }) => postOf(request, status, secret)),
    async close() {
      closing.abort();
      await Promise.all([sandbox.close(), subscriber.close()]);
    },
  };
}

/** Tries as long as a mail provider would, and so also across a restart of the service. */
async function unsubscribe(url: string, signal: AbortSignal): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    try {
      return await postOneClick(url, signal);
    } catch (cause) {
      if (Date.now() > end || signal.aborted) throw cause;
    }
  }
}

function postOf(request: Received, status: number, secret: string): Post {
  const data = dataOf(request.json);
  return {
    delivery: header(request, "x-service-delivery"),
    event: header(request, "x-service-event"),
    recipientId: String(data["recipientId"]),
    status,
    isSigned: verifySignature(secret, request),
  };
}

function header({ headers }: Received, name: string): string {
  return String(headers[name]);
}

function dataOf(json: unknown): Record<string, unknown> {
  const { data } = json as { data: Record<string, unknown> }; // the body of rules/webhooks 1.1; a wrong one ends the demo
  return data;
}
