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
 * Clients refresh in parallel: for so long a refresh token that was used up still counts as unused (rules/access 5.5).
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

/** Two requests used the same code at the same time and both saw it unused: the second ends what the first began. */
async function endTwiceUsed(kind: string, id: string): Promise<never> {
  const grantId = (await findRecord(kind, id, new Date()))?.payload["grantId"];
  if (typeof grantId === "string") await revokeOwnGrant(grantId);
  throw new errors.InvalidGrant("authorization code already consumed");
}
