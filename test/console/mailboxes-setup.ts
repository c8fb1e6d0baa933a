import { afterAll, beforeAll } from "@jest/globals";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { type FakeImap, startImap } from "../fakes/imap.ts";
import { type FakeOAuth, startOAuth } from "../fakes/oauth.ts";
import { type FakeSmtp, startSmtp } from "../fakes/smtp.ts";
import { realWorker } from "../support/real-worker.ts";
import type { SignedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium, type Visit } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";

export const EMAIL = "ann@sender.test";

export const PASSWORD = "an app password";

export let world: World;

let chromium: Chromium;

export let smtp: FakeSmtp;

export let imap: FakeImap;

export let oauth: FakeOAuth;

export let dns: FakeDns;

const accounts = { [EMAIL]: PASSWORD };

export async function visit({ browser, workspaceId }: SignedIn, path: string, look?: Look): Promise<Visit> {
  const opened = await chromium.open(look);
  await opened.context.addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
  await opened.page.goto(`${world.baseUrl}/w/${workspaceId}${path}`);
  return opened;
}

/** A mailbox as it is stored, without a server behind it. */
export async function stored(workspaceId: string, fields: object = {}): Promise<string> {
  const _id = newId("mbx");
  const server = { host: "mail.sender.test", port: 465, security: "SSL_TLS" as const };
  await scoped(workspaceId).Mailbox.insert({
    _id,
    email: EMAIL,
    username: EMAIL,
    smtp: server,
    imap: { ...server, port: 993 },
    ...fields,
  });
  return _id;
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    const certificate = await makeCertificate();
    oauth = await startOAuth();
    const tokens = (user: string, token: string) => oauth.knows(user, token);
    smtp = await startSmtp({ certificate, secure: true, accounts, tokens });
    imap = await startImap({ certificate, secure: true, user: EMAIL, password: PASSWORD, tokens });
    dns = await startDns({ "sender.test": { MX: ["10 mx.sender.test"] } });
    const server = (port: number) => ({ host: "localhost", port, security: "SSL_TLS" as const });
    const { clientId, clientSecret, url } = oauth;
    const addresses = {
      authUrl: `${url}/authorize`,
      tokenUrl: `${url}/token`,
      userinfoUrl: `${url}/userinfo`,
      revocationUrl: null,
    };
    const client = { clientId, clientSecret, ...addresses, scope: "mail" };
    const providers = {
      ...NO_PROVIDERS,
      A: { ...NO_PROVIDERS.A, servers: { smtp: server(smtp.port), imap: server(imap.port) }, oauth: client },
    };
    world = await startWorld({
      worker: realWorker({ extraCa: certificate.cert, dnsServers: [dns.server] }),
      settings: { providers, egressAllow: "localhost:*" },
      console: await builtConsole(),
    });
    world.services.settings.publicUrl = world.baseUrl;
    chromium = await startChromium();
  }, 180_000);
  afterAll(async () => {
    await chromium?.close();
    await world?.close();
    await Promise.all([smtp, imap, oauth, dns].map((server) => server?.close()));
  }, 30_000);
}
