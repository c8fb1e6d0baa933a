import type { Sealed } from "../../domain/access/seal.ts";
import {
  CRM_CONNECTION_STATUSES,
  CRM_PROVIDERS,
  type CrmConnectionStatus,
  type CrmProviderName,
  type CrmWriteBack,
} from "../../domain/crm/provider.ts";
import { instant, mixed, type Owned, oneOf, required, secret, tenantModel, text } from "../../mongo/schema.ts";

/** A workspace's connection to a CRM: how we reach it, and which of our events we report to it. */
export interface CrmConnection extends Owned {
  provider: CrmProviderName;
  status: CrmConnectionStatus;
  /** The code of the reason why it needs a person; null while it works. */
  statusReason: string | null;
  /** The vendor's own id of the account. Connecting the same account again keeps the connection. */
  accountId: string;
  accountName: string;
  /** The base URL of the vendor's API, without a slash at the end. */
  base: string;
  /** A token that a person entered does not expire; a refresh token gets tokens that do. */
  sealedApiToken: Sealed | null;
  sealedRefreshToken: Sealed | null;
  sealedAccessToken: Sealed | null;
  accessExpiresAt: Date | null;
  /** The holder of the lease is getting a new token; others wait for it. */
  leaseId: string | null;
  leaseUntil: Date | null;
  connectedAt: Date;
  lastSyncAt: Date | null;
  writeBack: CrmWriteBack;
  /** The time from which each of these is reported. Earlier events are not. */
  toldFrom: { activities: Date | null; doNotContact: Date | null };
  /** Events since then are looked for, to be reported to the CRM; null while none is. */
  toldUntil: Date | null;
}

export const CrmConnection = tenantModel<CrmConnection>(
  "CrmConnection",
  "crm_connections",
  {
    provider: oneOf(CRM_PROVIDERS, CRM_PROVIDERS[0]),
    status: oneOf(CRM_CONNECTION_STATUSES, "CONNECTED"),
    statusReason: text,
    accountId: required,
    accountName: required,
    base: required,
    sealedApiToken: secret,
    sealedRefreshToken: secret,
    sealedAccessToken: secret,
    accessExpiresAt: instant,
    leaseId: text,
    leaseUntil: instant,
    connectedAt: { type: Date, required: true },
    lastSyncAt: instant,
    writeBack: mixed,
    toldFrom: mixed,
    toldUntil: instant,
  },
  [
    { fields: { workspaceId: 1, provider: 1, accountId: 1 }, unique: true },
    // The round that reports events looks for the connections of all workspaces
    { fields: { toldUntil: 1 }, where: { toldUntil: { $gt: new Date(0) } } },
  ],
);
