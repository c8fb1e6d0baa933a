import { type MailProviders, NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeImap, startImap } from "../fakes/imap.ts";
import { type FakeOAuth, startOAuth } from "../fakes/oauth.ts";
import { type FakeSmtp, startSmtp } from "../fakes/smtp.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

export const EMAIL = "ann@provider.test";
/** A password that opens the same mailbox without a consent. */
export const APP_PASSWORD = "app-password";

/**
 * A world with the real worker, and two providers whose users give consent: A, which cannot revoke one, and B, which
 * can. A states the address of an account at its userinfo URL, B in its ID token.
 */
export interface ConsentWorld {
  world: World;
  oauth: FakeOAuth;
  smtp: FakeSmtp;
  imap: FakeImap;
  providers: MailProviders;
  /** The certificate authority of the mail servers. */
  ca: string;
  /** Begins a consent and returns the address to open in a browser. */
  started(rest: Rest, provider?: "A" | "B"): Promise<string>;
  close(): Promise<void>;
}

export async function startConsentWorld(): Promise<ConsentWorld> {
  const certificate = await makeCertificate();
  const oauth = await startOAuth();
  const tokens = (user: string, token: string) => oauth.knows(user, token);
  const smtp = await startSmtp({ certificate, secure: true, accounts: { [EMAIL]: APP_PASSWORD }, tokens });
  const imap = await startImap({ certificate, secure: true, user: EMAIL, password: APP_PASSWORD, tokens });
  const server = (port: number) => ({ host: "localhost", port, security: "SSL_TLS" as const });
  const servers = { smtp: server(smtp.port), imap: server(imap.port) };
  const { clientId, clientSecret, url } = oauth;
  const addresses = { authUrl: `${url}/authorize`, tokenUrl: `${url}/token`, userinfoUrl: `${url}/userinfo` };
  const client = {
    clientId,
    clientSecret,
    ...addresses,
    revocationUrl: null,
    scope: "openid https://mail.provider.test/",
  };
  const revoking = { ...client, userinfoUrl: null, revocationUrl: `${url}/revoke` };
  const providers = {
    ...NO_PROVIDERS,
    A: { ...NO_PROVIDERS.A, servers, oauth: client },
    B: { ...NO_PROVIDERS.B, servers, oauth: revoking },
  };
  const worker = realWorker({ extraCa: certificate.cert });
  const world = await startWorld({ worker, settings: { providers, egressAllow: "localhost:*" } });
  world.services.settings.publicUrl = world.baseUrl;
  return {
    world,
    oauth,
    smtp,
    imap,
    providers,
    ca: certificate.cert,
    async started(rest, provider = "A") {
      const { status, body } = await rest.post("/mailboxes/connect", { action: `provider${provider}OAuthStart` });
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
      return body.authUrl;
    },
    async close() {
      await world.close();
      await Promise.all([oauth.close(), smtp.close(), imap.close()]);
    },
  };
}

/** Opens an address as a browser does, or posts a form to it. */
export async function browse(url: URL | string, method: "GET" | "HEAD" | "POST" = "GET") {
  const response = await fetch(url, { method, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
