import { randomBytes } from "node:crypto";
import { type PurposeKeys, signToken } from "../../domain/access/tokens.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { loadSigningKeys } from "../../operations/access/signing-keys.ts";
import { startRig } from "../rig.ts";
import { cpuMsOf, Part } from "../system/processes.ts";
import { openRaw, type RawClient } from "../system/raw-requests.ts";
import { type Measured, median, quantile, type Row, spread } from "../table.ts";
import type { BareOrders } from "./tracking-bare.ts";

const ROUNDS = 7;
const ROUND_MS = 1_500;
const CONNECTIONS = 32;
const MAILS = 2_000;
const A_SECOND = 500;
const PACED_MS = 20_000;
const LOCATION = "https://shop.example/offer?campaign=spring&svc=4fJ9sK2mQ7xB1c#price";

const SIDES = ["ours", "node", "express", "idiom"] as const;
type Side = (typeof SIDES)[number];
type Kind = "pixel" | "link";

/**
 * Measures pixel and redirect, compared with servers that only return equal bytes, and a redirect that waits until its
 * click is on disk.
 */
export async function run(): Promise<Row> {
  // Requests seem to come from many IP addresses, because only some hits of a single address would be stored
  const rig = await startRig({ TRUST_PROXY: "1" });
  const parts: Part[] = [];
  const clients: Partial<Record<Side, RawClient>> = {};
  try {
    const { workspaceId } = await rig.workspace();
    const signing = await loadSigningKeys(rig.keyRing);
    const requests = await requestsOf(workspaceId, signing);
    const idiomKey = { kid: "bench", key: randomBytes(32) };
    const idiomKeys = { u: [idiomKey], o: [idiomKey], c: [idiomKey] };
    const forIdiom = await requestsOf(workspaceId, idiomKeys);
    const headers = {
      pixel: await headersOf(rig.api.url, requests.paths.pixel),
      link: await headersOf(rig.api.url, requests.paths.link),
    };
    const ports: Partial<Record<Side, number>> = { ours: Number(new URL(rig.api.url).port) };
    const pids: Partial<Record<Side, number>> = { ours: rig.api.pid };
    const orders = { ...headers, mongodbUri: rig.mongod.uri, kid: idiomKey.kid, key: idiomKey.key.toString("base64") };
    for (const by of ["node", "express", "idiom"] as const) {
      const part = await Part.start(new URL("./tracking-bare.ts", import.meta.url), {
        by,
        ...orders,
      } satisfies BareOrders);
      parts.push(part);
      ports[by] = await part.ask<number>("port");
      pids[by] = part.pid;
    }
    for (const side of SIDES) clients[side] = await openRaw(ports[side] ?? 0, CONNECTIONS);
    const measured: Measured[] = [];
    for (const kind of ["pixel", "link"] as const)
      measured.push(...(await compare(kind, { ours: requests[kind], idiom: forIdiom[kind] }, clients, pids)));
    measured.push(await paced(clients.ours, requests.converts));
    return {
      title: "Tracking: pixels, redirects and hits",
      how: `The API in a process of its own, ${CONNECTIONS} connections with one request under way each, ${MAILS} mails and as many addresses in turn, every hit stored. Beside it node:http and Express that answer the same bytes to the same requests and do nothing else, and an Express application that reads the mail, creates the hit and then answers, over the same database: ${ROUNDS} rounds of ${ROUND_MS / 1_000} s in turns. Then ${A_SECOND} clicks a second on links that feed conversions for ${PACED_MS / 1_000} s, measured from when each was due.`,
      measured,
    };
  } finally {
    for (const side of SIDES) clients[side]?.close();
    for (const part of parts) await part.stop();
    await rig.close();
  }
}

async function requestsOf(workspaceId: string, keys: PurposeKeys) {
  const { Send } = scoped(workspaceId);
  const links = [false, true].map((converts) => ({ url: LOCATION, converts }));
  const ids = Array.from({ length: MAILS }, () => newId("snd"));
  const row = { to: "ada@people.example", state: "SENT" as const, tracking: { opens: true, clicks: true, links } };
  await Send.insertMany(ids.map((_id) => ({ _id, ...row })));
  const requestsTo = (pathOf: (id: string) => string) => ids.map((id, index) => rawRequest(pathOf(id), index));
  const pixel = (id: string) => `/t/o/${signToken(keys, "o", id)}`;
  const link = (index: number) => (id: string) => `/t/c/${signToken(keys, "c", id, index)}`;
  const [first = ""] = ids;
  return {
    pixel: requestsTo(pixel),
    link: requestsTo(link(0)),
    converts: requestsTo(link(1)),
    paths: { pixel: pixel(first), link: link(0)(first) },
  };
}

function rawRequest(path: string, index: number): Buffer {
  const address = `X-Forwarded-For: 203.${(index >> 8) % 256}.${index % 256}.7`;
  const agent =
    "User-Agent: Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15";
  return Buffer.from(
    `GET ${path} HTTP/1.1\r\nHost: track.sender.example\r\n${agent}\r\nAccept: */*\r\n${address}\r\n\r\n`,
  );
}

/** The headers of the service's answer, without those that Node adds to every answer. */
async function headersOf(url: string, path: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}${path}`, { redirect: "manual" });
  const added = ["date", "connection", "keep-alive"];
  return Object.fromEntries([...answer.headers].filter(([name]) => !added.includes(name)));
}

async function compare(
  kind: Kind,
  requests: { ours: Buffer[]; idiom: Buffer[] },
  clients: Partial<Record<Side, RawClient>>,
  pids: Partial<Record<Side, number>>,
): Promise<Measured[]> {
  const rates: Record<Side, number[]> = { ours: [], node: [], express: [], idiom: [] };
  const cpu: Record<Side, number[]> = { ours: [], node: [], express: [], idiom: [] };
  const requestsOf = (side: Side) => (side === "idiom" ? requests.idiom : requests.ours);
  for (const side of SIDES) await clients[side]?.saturate(requestsOf(side), ROUND_MS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of SIDES) {
      const before = await cpuMsOf(pids[side] ?? 0);
      const { count, ms } = (await clients[side]?.saturate(requestsOf(side), ROUND_MS)) ?? { count: 0, ms: 1 };
      rates[side].push((count / ms) * 1_000);
      cpu[side].push((((await cpuMsOf(pids[side] ?? 0)) - before) / count) * 1_000);
    }
  }
  const share = median(rates.ours) / median(rates.node);
  const times = median(rates.ours) / median(rates.idiom);
  const rate = (side: Side) => `${median(rates[side]).toFixed(0)} (${spread(rates[side], 0)})`;
  return [
    {
      what: `${kind}, answers per second, compared with node:http`,
      goal: "at least 0.6",
      measured: `${share.toFixed(2)}: ${rate("ours")} beside ${rate("node")}`,
      met: share >= 0.6,
    },
    {
      what: `${kind}, compared with an Express application that does equal work`,
      goal: "at least 3 times",
      measured: `${times.toFixed(1)} times: beside ${rate("idiom")}`,
      met: times >= 3,
    },
    {
      what: `${kind}, compared with Express that only returns the bytes`,
      goal: "",
      measured: `${(median(rates.ours) / median(rates.express)).toFixed(2)}: beside ${rate("express")}`,
      met: null,
    },
    {
      what: `${kind}, CPU time of the server per answer, including storing`,
      goal: "",
      measured: SIDES.map((side) => `${side} ${median(cpu[side]).toFixed(0)} µs`).join(", "),
      met: null,
    },
  ];
}

async function paced(client: RawClient | undefined, requests: Buffer[]): Promise<Measured> {
  const took = (await client?.pace(requests, A_SECOND, PACED_MS)) ?? [];
  const p99 = quantile(took, 0.99);
  return {
    what: `redirect of a link that feeds conversions, ${A_SECOND} a second, p99`,
    goal: "25 ms",
    measured: `${p99.toFixed(1)} ms (p50 ${quantile(took, 0.5).toFixed(1)}, ${took.length} clicks)`,
    met: p99 <= 25,
  };
}
