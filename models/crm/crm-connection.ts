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
  /** The code of the reason why the connection needs a person; null while it works. */
  statusReason: string | null;
  /** The vendor's own id of the account. Connecting the same account again keeps the connection. */
  accountId: string;
  accountName: string;
  /** The base URL of the vendor's API, without a slash at the end. */
  base: string;
  /** An API token that a person entered does not expire. A refresh token is exchanged for access tokens, which do. */
  sealedApiToken: Sealed | null;
  sealedRefreshToken: Sealed | null;
  sealedAccessToken: Sealed | null;
  accessExpiresAt: Date | null;
  /** The holder of the lease gets a new access token; others wait for it. */
  leaseId: string | null;
  leaseUntil: Date | null;
  connectedAt: Date;
  lastSyncAt: Date | null;
  writeBack: CrmWriteBack;
  /** The instant from which activities and opt-outs are reported to the CRM. Earlier events are not reported. */
  toldFrom: { activities: Date | null; doNotContact: Date | null };
  /** The instant up to which events have been read for reporting to the CRM; null while nothing is reported. */
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
    // The scheduled task that reports events finds the connections of all workspaces in this index
    { fields: { toldUntil: 1 }, where: { toldUntil: { $gt: new Date(0) } } },
  ],
);
