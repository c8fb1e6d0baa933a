import { hashPassword, isPassword } from "../../domain/access/password.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { User } from "../../models/sign-in/user.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { CALLS_PER_MINUTE } from "../../operations/access/call-rate.ts";
import { findOwner } from "../../operations/access/workspaces.ts";
import { newBrowser } from "../../test/support/person.ts";
import { restOf } from "../../test/support/rest.ts";
import { startRig } from "../rig.ts";
import { cpuMsOf, Part } from "../system/processes.ts";
import { type Measured, median, quantile, type Row, spread, timed } from "../table.ts";

const ROUNDS = 7;
const ROUND_MS = 1_500;
const AT_ONCE = 4;
const TURNS = 200;
const LOGINS = 25;
const LEADS = 25;
const PASSWORD = "correct horse battery";
const WARM = 150;

/**
 * Measures the MCP server, compared with the usual way to use the SDK and with REST, and a sign-in compared with the
 * password hash that it must compute. costs.ts shows the size of the list.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  const idiom = await Part.start(new URL("./sdk-tools.ts", import.meta.url), {});
  try {
    const { workspaceId, rest } = await rig.workspace();
    for (let index = 0; index < LEADS; index++)
      await rest.post("/leads", { email: `person.${index}@people.test`, firstName: "Ada" });
    const keys = keysOf(workspaceId);
    const idiomUrl = `http://127.0.0.1:${await idiom.ask<number>("port")}/mcp`;
    const count = JSON.parse(await list(`${rig.api.url}/mcp`, await keys())).result.tools.length;
    const rates = await compareLists(
      { ours: `${rig.api.url}/mcp`, idiom: idiomUrl },
      { ours: rig.api.pid, idiom: idiom.pid },
      keys,
    );
    const measured: Measured[] = [
      ...rates,
      await compareReads(rig.api.url, "workspace_get", "/workspace", keys),
      await compareReads(rig.api.url, "campaigns_list", "/campaigns", keys),
      await compareReads(rig.api.url, "leads_search", "/leads", keys),
      await compareLogin(rig.api.url, workspaceId),
    ];
    return {
      title: "The tool server, and signing in",
      how: `The API in a process of its own. tools/list: ${ROUNDS} rounds of ${ROUND_MS / 1_000} s each in turns, ${AT_ONCE} requests at a time, beside an Express route that registers the same ${count} tools on an McpServer for each request over the same transport, without credential, rate limit or log. Reads: ${TURNS} calls of the tool and of REST, alternating, with one key. Login: ${LOGINS} sign-ins one after the other, in turns with the bare hash.`,
      measured,
    };
  } finally {
    await idiom.stop();
    await rig.close();
  }
}

type Keys = () => Promise<string>;

function keysOf(workspaceId: string): Keys {
  return async () => {
    const createdBy = (await findOwner(workspaceId)) ?? "";
    return (await createKey({ workspaceId, name: "bench", scopes: ALL_SCOPES, createdBy })).key;
  };
}

async function rpc(url: string, key: string | null, method: string, params: unknown = {}): Promise<string> {
  const headers = { "Content-Type": "application/json", Accept: "application/json, text/event-stream" };
  const response = await fetch(url, {
    method: "POST",
    headers: { ...headers, ...(key !== null && { Authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const text = await response.text();
  if (response.status !== 200 || !text.includes('"result"'))
    throw new Error(`${method} answered ${response.status}: ${text.slice(0, 300)}`);
  return text;
}

const list = (url: string, key: string | null) => rpc(url, key, "tools/list");

interface Sides<T> {
  ours: T;
  idiom: T;
}

async function compareLists(url: Sides<string>, pid: Sides<number>, keys: Keys): Promise<Measured[]> {
  const pool = poolOf(keys);
  const ask = { ours: async () => list(url.ours, await pool()), idiom: () => list(url.idiom, null) };
  const rates: Sides<number[]> = { ours: [], idiom: [] };
  const cpu: Sides<number[]> = { ours: [], idiom: [] };
  for (const side of ["ours", "idiom"] as const) await answersIn(ROUND_MS, ask[side]);
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of ["ours", "idiom"] as const) {
      const before = await cpuMsOf(pid[side]);
      const { count, ms } = await answersIn(ROUND_MS, ask[side]);
      rates[side].push((count / ms) * 1_000);
      cpu[side].push(((await cpuMsOf(pid[side])) - before) / count);
    }
  }
  const times = median(rates.ours) / median(rates.idiom);
  const share = median(cpu.idiom) / median(cpu.ours);
  return [
    {
      what: "tools/list with every scope, answers per second",
      goal: "at least 10 times the SDK's idiom",
      measured: `${times.toFixed(1)} times (${median(rates.ours).toFixed(0)} beside ${median(rates.idiom).toFixed(0)}; ${spread(rates.ours, 0)} and ${spread(rates.idiom, 0)})`,
      met: times >= 10,
    },
    {
      what: "tools/list with every scope, CPU time of the server per answer",
      goal: "",
      measured: `${share.toFixed(1)} times less (${median(cpu.ours).toFixed(2)} beside ${median(cpu.idiom).toFixed(2)} ms)`,
      met: null,
    },
  ];
}

/** Returns a function that gives out API keys. A key is replaced after most of its calls per minute are used. */
function poolOf(keys: Keys): () => Promise<string> {
  let [key, left] = [keys(), CALLS_PER_MINUTE - AT_ONCE];
  let next = keys();
  return () => {
    if (left-- <= 0) [key, next, left] = [next, keys(), CALLS_PER_MINUTE - AT_ONCE];
    return key;
  };
}

async function answersIn(wantedMs: number, ask: () => Promise<unknown>): Promise<{ count: number; ms: number }> {
  const started = performance.now();
  let count = 0;
  const one = async () => {
    for (; performance.now() - started < wantedMs; count++) await ask();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return { count, ms: performance.now() - started };
}

async function compareReads(api: string, tool: string, path: string, keys: Keys): Promise<Measured> {
  const [ours, rests]: [number[], number[]] = [[], []];
  const sides = async () => {
    const key = await keys();
    const rest = restOf(`${api}/api/v1`, key);
    const overTool = () => rpc(`${api}/mcp`, key, "tools/call", { name: tool, arguments: {} });
    const overRest = async () => {
      const { status } = await rest.get(path);
      if (status !== 200) throw new Error(`GET ${path} answered ${status}`);
    };
    return { overTool, overRest };
  };
  const before = await sides();
  for (let turn = 0; turn < WARM; turn++) {
    await before.overTool();
    await before.overRest();
  }
  const { overTool, overRest } = await sides();
  for (let turn = 0; turn < TURNS; turn++) {
    ours.push(await timed(overTool));
    rests.push(await timed(overRest));
  }
  const more = median(ours) - median(rests);
  return {
    what: `tools/call ${tool} compared with GET ${path}, p50`,
    goal: "at most 1 ms more",
    measured: `${more.toFixed(2)} ms more (${median(ours).toFixed(2)} beside ${median(rests).toFixed(2)} ms; p95 ${quantile(ours, 0.95).toFixed(1)} beside ${quantile(rests, 0.95).toFixed(1)})`,
    met: more <= 1,
  };
}

/** Measures a sign-in without loading its page. The password is always correct, and the browser is new each time. */
async function compareLogin(api: string, workspaceId: string): Promise<Measured> {
  const passwordHash = await hashPassword(PASSWORD);
  const userId = await findOwner(workspaceId);
  await User.updateOne({ _id: userId }, { $set: { passwordHash } });
  const email = (await User.findOne({ _id: userId }).lean<User>())?.email ?? "";
  const [logins, hashes]: [number[], number[]] = [[], []];
  for (let turn = -2; turn < LOGINS; turn++) {
    const browser = newBrowser(api);
    const [, form = ""] = /name="form" value="([^"]*)"/.exec(await browser.open("/login")) ?? [];
    const body = new URLSearchParams({ email, password: PASSWORD, form });
    const login = await timed(async () => {
      const { status } = await browser.fetch("/login", { method: "POST", body });
      if (status !== 303) throw new Error(`POST /login answered ${status}`);
    });
    const hash = await timed(() => isPassword(PASSWORD, passwordHash));
    if (turn < 0) continue; // compiled by then
    logins.push(login);
    hashes.push(hash);
  }
  const times = median(logins) / median(hashes);
  return {
    what: "POST /login compared with the scrypt hash only, p50",
    goal: "under 1.2 times",
    measured: `${times.toFixed(2)} times (${median(logins).toFixed(0)} beside ${median(hashes).toFixed(0)} ms)`,
    met: times < 1.2,
  };
}
