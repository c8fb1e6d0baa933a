import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { requestDelegated } from "../../connectors/delegated-tokens.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { OAuthTrouble, refresh, type Tokens } from "../../connectors/oauth.ts";
import { type KeyRing, open, seal } from "../../domain/access/seal.ts";
import type { AccessFault } from "../../domain/mailboxes/connection-error.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import type { Login } from "../../domain/mailboxes/server.ts";
import type { Trouble } from "../../domain/sending/smtp-trouble.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { MailboxGrant } from "../../models/mailboxes/mailbox-grant.ts";
import { scoped } from "../../models/scoped.ts";
import { freeClient, parkMailbox } from "../../store/mailboxes/access-faults.ts";
import { passwordPlace } from "../../store/mailboxes/connect.ts";
import { forgetAccessToken, grantPlace, leaseGrant, recordRevoked, releaseGrant } from "../../store/mailboxes/grant.ts";

/** Provides the login of a mailbox. Credentials are decrypted here, for a single call. */
export interface Logins {
  /** @throws OAuthTrouble revoked when the mailbox has no usable credentials */
  of(mailbox: Mailbox): Promise<Login>;
  /** Runs `attempt` with the login, and once more with a new token if the servers refuse the current one. */
  with<T>(mailbox: Mailbox, attempt: (login: Login) => Promise<T>, isRefusal: (error: unknown) => boolean): Promise<T>;
}

export interface LoginDeps {
  egress: Egress;
  keyRing: KeyRing;
  providers: MailProviders;
  log: Logger;
}

/** Milliseconds: a token that expires within this time is no longer used. */
const MARGIN_MS = MINUTE_MS;
const WAIT_MS = 15_000;
const LOOK_EVERY_MS = 100;

/** Whether a mailbox has any credentials; a disconnected one has none. */
export function hasLogin({ sealedPassword, grantId }: Mailbox): boolean {
  return (sealedPassword ?? grantId ?? null) !== null;
}

/** A key that changes with the credentials, so that a connection opened with old ones is not reused. */
export function loginKey({ sealedPassword, grantId }: Mailbox): string {
  return sealedPassword?.data ?? grantId ?? "";
}

/** The answer of a server that refuses the login. */
export const REFUSED_LOGIN: Trouble = { stage: "AUTH", code: 535, text: "", cause: "OTHER" };
/** A token endpoint that is away, busy, or refuses this service says nothing about the mailbox's own login. */
const NO_TOKEN: Trouble = { stage: "AUTH", code: 454, text: "4.7.0 no access token", cause: "OTHER" };

/** A missing token as the answer of a mail server. What it means for the mailbox has been recorded already. */
export function troubleOfTokens({ kind }: OAuthTrouble): Trouble {
  return kind === "revoked" ? REFUSED_LOGIN : NO_TOKEN;
}

/** For how long Google accepts a consent of an app in testing, and within which time after that it is noticed. */
const TESTING_MS = 7 * DAY_MS;
const NOTICED_MS = DAY_MS;

/** Why a consent ended. Google says the same of every one, so one that ends after seven days is recognised by its age. */
function causeOf({ access, isGoogleEnd }: OAuthTrouble, { createdAt }: MailboxGrant): AccessFault {
  const ageMs = Date.now() - createdAt.getTime();
  const isTesting = isGoogleEnd && ageMs >= TESTING_MS && ageMs < TESTING_MS + NOTICED_MS;
  return isTesting ? "APP_IN_TESTING" : (access ?? "TOKEN_REVOKED");
}

export function createLogins({ egress, keyRing, providers, log }: LoginDeps): Logins {
  /** The token requests that are running in this process, so that each token is requested only once at a time. */
  const underWay = new Map<string, Promise<string>>();

  async function loginOf(mailbox: Mailbox): Promise<Login> {
    const { workspaceId, _id, username, sealedPassword, grantId } = mailbox;
    if (sealedPassword !== null)
      return { user: username, password: open(keyRing, passwordPlace(workspaceId, _id), sealedPassword) };
    if (grantId === null) throw new OAuthTrouble("revoked");
    const request = underWay.get(grantId) ?? tokenOf(mailbox, grantId).finally(() => underWay.delete(grantId));
    underWay.set(grantId, request);
    return { user: username, accessToken: await request };
  }

  async function tokenOf(mailbox: Mailbox, grantId: string): Promise<string> {
    const { workspaceId } = mailbox;
    const end = Date.now() + WAIT_MS;
    while (Date.now() < end) {
      const grant = await scoped(workspaceId).MailboxGrant.get(grantId);
      if (grant === null || grant.revokedAt !== null) throw new OAuthTrouble("revoked");
      const fresh = freshToken(grant);
      if (fresh !== null) return fresh;
      const leaseId = randomUUID();
      const leased = await leaseGrant(workspaceId, grantId, leaseId);
      if (leased !== null) return renew(leased, leaseId, mailbox);
      await delay(LOOK_EVERY_MS);
    }
    throw new OAuthTrouble("unavailable");
  }

  function freshToken({ workspaceId, _id, sealedAccessToken, accessExpiresAt }: MailboxGrant): string | null {
    if (sealedAccessToken === null || (accessExpiresAt?.getTime() ?? 0) < Date.now() + MARGIN_MS) return null;
    return open(keyRing, grantPlace(workspaceId, _id, "accessToken"), sealedAccessToken);
  }

  /**
   * Renews the token while holding the lease. A provider that rotates refresh tokens revokes the old one, so the new
   * one is stored before it is used.
   */
  async function renew(grant: MailboxGrant, leaseId: string, mailbox: Mailbox): Promise<string> {
    const { workspaceId, _id: grantId, provider } = grant;
    const { _id: mailboxId } = mailbox;
    const fresh = freshToken(grant);
    if (fresh !== null) {
      await releaseGrant(workspaceId, grantId, leaseId);
      return fresh;
    }
    try {
      const { accessToken, refreshToken, expiresAt } = await refreshTokens(grant);
      await releaseGrant(workspaceId, grantId, leaseId, {
        sealedAccessToken: seal(keyRing, grantPlace(workspaceId, grantId, "accessToken"), accessToken),
        accessExpiresAt: expiresAt,
        ...(refreshToken !== null && {
          sealedRefreshToken: seal(keyRing, grantPlace(workspaceId, grantId, "refreshToken"), refreshToken),
        }),
      });
      // The permission of an organisation says nothing about the client of consents
      if ((grant.delegatedTo ?? null) === null) await freeClient(provider);
      return accessToken;
    } catch (error) {
      if (error instanceof OAuthTrouble && error.isClientRefused)
        log.error(
          { provider, err: error },
          "a mail provider refuses this service's client id or its secret: its mailboxes wait",
        );
      else log.info({ mailboxId, err: error }, "could not get a new access token");
      await releaseGrant(workspaceId, grantId, leaseId);
      if (error instanceof OAuthTrouble && error.kind === "revoked")
        await recordRevoked(workspaceId, mailboxId, grantId, causeOf(error, grant));
      else if (error instanceof OAuthTrouble && error.access !== null)
        await parkMailbox({ ...mailbox, grantId }, error.access);
      throw error;
    }
  }

  function refreshTokens(grant: MailboxGrant): Promise<Tokens> {
    const { workspaceId, _id, provider, sealedRefreshToken, delegatedTo = null } = grant;
    if (delegatedTo !== null) return requestDelegated(egress, providers[provider], delegatedTo);
    const client = providers[provider].oauth;
    if (client === null) throw new OAuthTrouble("unavailable");
    return refresh(egress, client, open(keyRing, grantPlace(workspaceId, _id, "refreshToken"), sealedRefreshToken));
  }

  async function withLogin<T>(
    mailbox: Mailbox,
    attempt: (login: Login) => Promise<T>,
    isRefusal: (error: unknown) => boolean,
  ): Promise<T> {
    const { workspaceId, grantId } = mailbox;
    if (grantId === null) return attempt(await loginOf(mailbox));
    const login = await loginOf(mailbox);
    const grant = await scoped(workspaceId).MailboxGrant.get(grantId);
    try {
      return await attempt(login);
    } catch (error) {
      const sealed = grant?.sealedAccessToken ?? null;
      if (!isRefusal(error) || sealed === null) throw error;
      await forgetAccessToken(workspaceId, grantId, sealed);
      return attempt(await loginOf(mailbox));
    }
  }

  return { of: loginOf, with: withLogin };
}
