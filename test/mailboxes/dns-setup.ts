import { once } from "node:events";
import tls from "node:tls";
import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { TrackingName } from "../../models/tracking/tracking-name.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeDns, startDns, type Zone } from "../fakes/dns.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

export const EMAIL = "ann@sender.test";

const KEY =
  "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQDwIRP/UC3SBsEmGqZ9ZJW3/DkMoGeLnQg1fWn7/zYtIxN2SnFCjxOCKG9v3b4jYfcTNh5ijSsq631uBItLa7od+v/RtdC2UzJ1lWT947qR+Rcac2gbto/NMqJ0fzfVjH4OuKhitdY9tf6mcwGjaNBcWToIMmPSPDdQPNUYckcQ2QIDAQAB";

export const GOOD: Zone = {
  "sender.test": { MX: ["10 mx.sender.test"], TXT: ["v=spf1 ip4:203.0.113.7 -all", "unrelated"] },
  "selector1._domainkey.sender.test": { TXT: [`v=DKIM1; k=rsa; p=${KEY}`] },
  "_dmarc.sender.test": { TXT: ["v=DMARC1; p=quarantine"] },
};

export let world: World;

export let dns: FakeDns;

export let sandbox: Sandbox;

let front: tls.Server;

let trackUrl: string;

export function setZone(zone: Zone): void {
  for (const name of Object.keys(dns.zone)) delete dns.zone[name];
  Object.assign(dns.zone, zone);
}

export async function mailbox(email = `${newId("tst")}@sender.test`) {
  const { rest, workspaceId } = await world.workspace();
  const { Mailbox } = scoped(workspaceId);
  const server = { host: "localhost", port: 1, security: "SSL_TLS" as const };
  const id = email === EMAIL ? await mailboxIn(world, workspaceId, email, sandbox) : newId("mbx");
  if (email !== EMAIL) await Mailbox.insert({ _id: id, email, username: email, smtp: server, imap: server });
  return { rest, workspaceId, id, Mailbox };
}

/** Lets a day pass for the domains of a workspace, and for its former ones. */
export async function dailyRound(workspaceId: string) {
  await Workspace.updateOne(
    { _id: workspaceId, trackingDomain: trusted({ $ne: null }) },
    { $set: { "trackingDomain.checkedAt": new Date(0) } },
  );
  await TrackingName.updateMany({}, { $set: { checkedAt: new Date(0) } });
  await world.temporal?.client.workflow.execute("dailyDnsChecks", {
    taskQueue: "engine",
    workflowId: newId("tst"),
    args: [],
  });
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    const certificate = await makeCertificate(["track.sender.test", "own.sender.test", "portal.sender.test"]);
    sandbox = await startSandbox({ mailboxes: [EMAIL], certificate });
    front = tls.createServer({ key: certificate.key, cert: certificate.cert }).listen(0, "127.0.0.1");
    front.on("tlsClientError", () => {});
    await once(front, "listening");
    const address = front.address();
    trackUrl = `https://localhost:${typeof address === "object" ? address?.port : 0}`;
    dns = await startDns();
    world = await startWorld({
      worker: realWorker({ extraCa: certificate.cert, dnsServers: [dns.server] }),
      settings: { trackUrl, publicUrl: trackUrl, egressAllow: "localhost:*" },
    });
  }, 90_000);
  afterAll(async () => {
    await world.close();
    await Promise.all([dns.close(), sandbox.close()]);
    front.close();
  }, 30_000);
  beforeEach(() => {
    setZone(GOOD);
  });
}
