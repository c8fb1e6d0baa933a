import { signToken } from "../../domain/access/tokens.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { loadSigningKeys } from "../../operations/access/signing-keys.ts";
import { openWorkspace } from "../../operations/access/workspaces.ts";
import { startRig } from "../rig.ts";
import { type Measured, ms, quantile, type Row } from "../table.ts";

const CLIENTS = 200;
const EVENTS = 200;
const CALLS = 200;
const PORTAL = "clients.agency.test";

/**
 * Measures an agency with many clients: the list of clients with counts, and pages on its portal domain compared with
 * those on our own domain.
 */
export async function run(): Promise<Row> {
  const rig = await startRig({ TRUST_PROXY: "1" });
  try {
    const { workspaceId } = await rig.workspace();
    const owner = (await Workspace.findOne({ _id: workspaceId }).lean<Workspace>())?.ownerId ?? "";
    await fillClients(workspaceId, owner);
    const { key } = await createKey({ workspaceId, name: "bench", scopes: ["agency:read"], createdBy: owner });
    const sendId = newId("snd");
    await scoped(workspaceId).Send.insert({ _id: sendId, to: "ada@people.test", state: "SENT" });
    const unsubscribe = `/u/${signToken(await loadSigningKeys(rig.keyRing), "u", sendId)}`;
    const page = (host: string | null, path: string, want: string) => async () => {
      const answer = await fetch(`${rig.api.url}${path}`, {
        headers: host === null ? {} : { "X-Forwarded-Host": host },
      });
      const html = await answer.text();
      if (answer.status !== 200 || !html.includes(want)) throw new Error(`${path} was answered ${answer.status}`);
    };
    const measured = [
      await took("a page of 50 clients with their counts", async () => {
        const params = { name: "agency_workspaces", arguments: { pageSize: 50 } };
        const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
        const answer = await fetch(`${rig.api.url}/mcp`, { method: "POST", headers, body });
        const text = await answer.text();
        if (answer.status !== 200 || !text.includes("Client 49"))
          throw new Error(`The list was answered ${answer.status}: ${text}`);
      }),
      await took("the page to sign in, under our own name", page(null, "/login", "Sign in")),
      await took("the page to sign in, at the portal", page(PORTAL, "/login", "Acme Reach")),
      await took("the page to unsubscribe, under our own name", page(null, unsubscribe, "nsubscribe")),
      await took("the page to unsubscribe, at the portal", page(PORTAL, unsubscribe, "Acme Reach")),
    ];
    const how = `An agency with ${CLIENTS} clients of ${EVENTS} events each; ${CALLS} calls of each kind one after the other, over HTTP.`;
    return { title: "Agency", how, measured };
  } finally {
    await rig.close();
  }
}

async function took(what: string, call: () => Promise<void>): Promise<Measured> {
  const times: number[] = [];
  for (let n = 0; n < CALLS; n++) {
    const started = performance.now();
    await call();
    times.push(performance.now() - started);
  }
  return {
    what: `${what}, p50 and p95`,
    goal: "",
    measured: `${ms(quantile(times, 0.5))}, ${ms(quantile(times, 0.95))}`,
    met: null,
  };
}

async function fillClients(parentWorkspaceId: string, owner: string): Promise<void> {
  const portalDomain = {
    domain: PORTAL,
    status: "VERIFIED",
    expectedCname: "localhost",
    checkedAt: null,
    error: null,
    failedChecks: 0,
  };
  const portal = { name: "Acme Reach", accent: "#8a1c5b", background: "#fff4e0" };
  await Workspace.updateOne({ _id: parentWorkspaceId }, { $set: { portalDomain, portal } });
  for (let client = 0; client < CLIENTS; client++) {
    const { ActivityEvent } = scoped(await openWorkspace({ name: `Client ${client}`, parentWorkspaceId }, owner));
    const ids = { leadId: null, campaignId: null, recipientId: null, actor: null, data: {} };
    const events = Array.from({ length: EVENTS }, (_, count) => {
      return {
        _id: newId("evt"),
        type: count % 5 === 0 ? "REPLIED" : "SENT",
        at: new Date(Date.now() - (count % 60) * DAY_MS),
        ...ids,
      };
    });
    await ActivityEvent.storeAll(events);
  }
}
