import { type Adapter, type AdapterPayload, errors } from "oidc-provider";
import { revokeOwnGrant } from "../../operations/access/connectors.ts";
import {
  consumeRecord,
  deleteRecord,
  type FoundRecord,
  findRecord,
  findRecordByUid,
  storeRecord,
} from "../../operations/access/oauth-records.ts";

/**
 * Clients refresh tokens in parallel, so a used refresh token still counts as unused for this time (rules/access 5.5).
 */
const GRACE_MS = 60_000;

/** How the authorization server's library stores one kind of record. */
export function adapterOf(kind: string): Adapter {
  const shown = (found: FoundRecord | null) => (found === null ? undefined : payloadOf(kind, found, new Date()));
  return {
    upsert: (id, payload, expiresIn) => storeRecord({ kind, id, payload, expiresInSeconds: expiresIn }, new Date()),
    find: async (id) => shown(await findRecord(kind, id, new Date())),
    findByUid: async (uid) => shown(await findRecordByUid(kind, uid, new Date())),
    findByUserCode: async () => undefined,
    async consume(id) {
      if ((await consumeRecord(kind, id, new Date())) || kind !== "AuthorizationCode") return;
      await endTwiceUsed(kind, id);
    },
    destroy: (id) => (kind === "Grant" ? revokeOwnGrant(id) : deleteRecord(kind, id)),
    revokeByGrantId: revokeOwnGrant,
  };
}

function payloadOf(kind: string, { payload, consumedAt }: FoundRecord, now: Date): AdapterPayload {
  const grace = kind === "RefreshToken" ? GRACE_MS : 0;
  if (consumedAt === null || now.getTime() - consumedAt.getTime() < grace) return payload;
  return { ...payload, consumed: Math.floor(consumedAt.getTime() / 1_000) };
}

/**
 * Handles two concurrent requests with the same code that both found it unused: the second one revokes the grant of the
 * first.
 */
async function endTwiceUsed(kind: string, id: string): Promise<never> {
  const grantId = (await findRecord(kind, id, new Date()))?.payload["grantId"];
  if (typeof grantId === "string") await revokeOwnGrant(grantId);
  throw new errors.InvalidGrant("authorization code already consumed");
}
