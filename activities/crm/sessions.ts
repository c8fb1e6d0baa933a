import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import { type CrmCall, CrmTrouble } from "../../connectors/crm/vendor.ts";
import { CRM_VENDORS, crmCall } from "../../connectors/crm/vendors.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { OAuthTrouble, refresh } from "../../connectors/oauth.ts";
import { type KeyRing, open, seal } from "../../domain/access/seal.ts";
import type { CrmWaits } from "../../domain/crm/limits.ts";
import { type CrmProviders, originOf } from "../../domain/crm/provider.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { CrmConnection } from "../../models/crm/crm-connection.ts";
import { scoped } from "../../models/scoped.ts";
import {
  crmTokenPlace,
  forgetCrmToken,
  leaseConnection,
  loseConnection,
  releaseConnection,
} from "../../store/crm/connections.ts";

export interface CrmDeps {
  egress: Egress;
  keyRing: KeyRing;
  crm: CrmProviders;
  waits: CrmWaits;
  log: Logger;
  /** Called when a person must connect the CRM again. */
  onLost(workspaceId: string): Promise<void>;
}

/**
 * Thrown when the vendor no longer accepts any token of the connection, or the connection was deleted: a person must
 * connect the CRM again.
 */
export class CrmLost extends Error {}

/** Calls CRM vendors. The token is decrypted for a single call. */
export interface CrmSessions {
  /**
   * Runs `work` with calls to the vendor. If the vendor refuses the current token, `work` is run a second time from its
   * start with a new one. @throws CrmTrouble; CrmLost when a person must connect the CRM again
   */
  within<T>(
    connectionId: { workspaceId: string; connectionId: string },
    signal: AbortSignal,
    work: (call: CrmCall, connection: CrmConnection) => Promise<T>,
  ): Promise<T>;
}

/** Milliseconds: a token that expires within this time is no longer used. */
const MARGIN_MS = MINUTE_MS;
const WAIT_MS = 15_000;
const LOOK_EVERY_MS = 100;

export function createCrmSessions({ egress, keyRing, crm, waits, log, onLost }: CrmDeps): CrmSessions {
  async function withCrmSession<T>(
    ids: { workspaceId: string; connectionId: string },
    signal: AbortSignal,
    work: (call: CrmCall, connection: CrmConnection) => Promise<T>,
  ): Promise<T> {
    const first = await sessionOf(ids, signal);
    const at = ({ connection, token }: OpenSession) => {
      const session = { base: connection.base, token, isApiToken: connection.sealedApiToken !== null };
      return work(
        crmCall(egress, CRM_VENDORS[connection.provider], session, { timeoutMs: waits.callMs, signal }),
        connection,
      );
    };
    try {
      return await at(first);
    } catch (error) {
      if (!isExpired(error)) throw error;
    }
    const { sealedAccessToken } = first.connection;
    if (sealedAccessToken === null) throw await markLost(first.connection, "TOKEN_REFUSED");
    await forgetCrmToken(ids.workspaceId, ids.connectionId, sealedAccessToken);
    const second = await sessionOf(ids, signal);
    try {
      return await at(second);
    } catch (error) {
      // The vendor refuses even a new token
      throw isExpired(error) ? await markLost(second.connection, "TOKEN_REFUSED") : error;
    }
  }

  interface OpenSession {
    connection: CrmConnection;
    token: string;
  }

  async function sessionOf(
    { workspaceId, connectionId }: { workspaceId: string; connectionId: string },
    signal: AbortSignal,
  ): Promise<OpenSession> {
    const end = Date.now() + WAIT_MS;
    while (Date.now() < end) {
      const connection = await scoped(workspaceId).CrmConnection.get(connectionId);
      if (connection === null || connection.status !== "CONNECTED") throw new CrmLost();
      const token = tokenAtHand(connection);
      if (token !== null) return { connection, token };
      const leaseId = randomUUID();
      const leased = await leaseConnection(workspaceId, connectionId, leaseId);
      if (leased !== null) await renew(leased, leaseId);
      else await delay(LOOK_EVERY_MS, undefined, { signal });
    }
    throw new CrmTrouble("AWAY");
  }

  function tokenAtHand({
    workspaceId,
    _id,
    sealedApiToken,
    sealedAccessToken,
    accessExpiresAt,
  }: CrmConnection): string | null {
    if (sealedApiToken !== null) return open(keyRing, crmTokenPlace(workspaceId, _id, "apiToken"), sealedApiToken);
    if (sealedAccessToken === null || (accessExpiresAt?.getTime() ?? 0) < Date.now() + MARGIN_MS) return null;
    return open(keyRing, crmTokenPlace(workspaceId, _id, "accessToken"), sealedAccessToken);
  }

  /**
   * Gets a new token while holding the lease. A vendor that rotates refresh tokens ends the old one, so the new one is
   * stored before it is used. If the process dies before storing the new one, the old one is tried once more; if the
   * vendor refuses it, a person must connect the CRM again (rules/crm 1.4).
   */
  async function renew(connection: CrmConnection, leaseId: string): Promise<void> {
    const { workspaceId, _id, provider, sealedRefreshToken } = connection;
    if (tokenAtHand(connection) !== null) {
      await releaseConnection(workspaceId, _id, leaseId);
      return;
    }
    const client = crm[provider].oauth;
    if (sealedRefreshToken === null) throw await markLost(connection, "TOKEN_REFUSED");
    try {
      if (client === null) throw new CrmTrouble("AWAY");
      const tokens = await refresh(
        egress,
        client,
        open(keyRing, crmTokenPlace(workspaceId, _id, "refreshToken"), sealedRefreshToken),
      );
      const { accessToken, refreshToken, expiresAt } = tokens;
      const base = tokens.base === null ? null : originOf(tokens.base);
      await releaseConnection(workspaceId, _id, leaseId, {
        sealedAccessToken: seal(keyRing, crmTokenPlace(workspaceId, _id, "accessToken"), accessToken),
        accessExpiresAt: expiresAt,
        ...(refreshToken !== null && {
          sealedRefreshToken: seal(keyRing, crmTokenPlace(workspaceId, _id, "refreshToken"), refreshToken),
        }),
        ...(base !== null && { base }),
      });
    } catch (error) {
      await releaseConnection(workspaceId, _id, leaseId);
      if (error instanceof OAuthTrouble && error.kind === "revoked")
        throw await markLost(connection, "CONSENT_REVOKED");
      log.info({ workspaceId, connectionId: _id, err: error }, "the CRM did not issue a new token");
      throw error instanceof OAuthTrouble ? new CrmTrouble("AWAY") : error;
    }
  }

  async function markLost(connection: CrmConnection, reason: string): Promise<CrmLost> {
    const { workspaceId, _id: connectionId, provider } = connection;
    log.warn({ workspaceId, connectionId, provider, reason }, "a CRM connection must be connected again by a user");
    await loseConnection(connection, reason);
    await onLost(workspaceId).catch((err: unknown) =>
      log.warn({ workspaceId, err }, "failed to notify a lost CRM connection"),
    );
    return new CrmLost();
  }

  return { within: withCrmSession };
}

function isExpired(error: unknown): boolean {
  return error instanceof CrmTrouble && error.fault === "EXPIRED";
}
