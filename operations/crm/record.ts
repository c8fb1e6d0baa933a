import { z } from "zod";
import { CRM_CONNECTION_STATUSES, CRM_PROVIDERS } from "../../domain/crm/provider.ts";
import type { CrmConnection } from "../../models/crm/crm-connection.ts";
import type { CrmImport } from "../../models/crm/crm-import.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";

const { listId } = describedIds;

export const WriteBack = z.object({
  activities: z.boolean().describe("Whether sent emails, replies, bounces and meetings are logged at the contact"),
  doNotContact: z.boolean().describe("Whether people who are suppressed here are marked there as do not contact"),
});

/** CRM connection `crm_`. `connectionView` turns a stored one into it. */
export const CrmConnectionRecord = record({
  provider: z.enum(CRM_PROVIDERS).describe("Which CRM"),
  status: z
    .enum(CRM_CONNECTION_STATUSES)
    .describe("RECONNECT_REQUIRED: a person must connect it again; its imports and settings are kept"),
  statusReason: nullable(z.string()).describe("Why, by code: CONSENT_REVOKED or TOKEN_REFUSED"),
  accountName: z.string().describe("The name of the account there"),
  connectedAt: time.describe("When it was last connected"),
  lastSyncAt: optionalTime.describe("When a segment was last imported as a whole"),
  writeBack: WriteBack.describe("What is reported to the CRM; nothing until you turn it on"),
  keptInStep: z
    .array(
      z.object({
        segmentId: z.string().describe("The segment"),
        listId: nullable(listId),
        syncedAt: optionalTime.describe("When it was last read as a whole"),
        stoppedBy: nullable(z.string()).describe("Why it is kept in step no more, by code; null while it is"),
      }),
    )
    .describe("Segments whose members are read again each hour, and those whose list or segment was deleted"),
}).meta({ id: "CrmConnection", description: "A connection to a CRM; its tokens are never shown" });

export function connectionView(
  connection: CrmConnection,
  imports: readonly CrmImport[],
): z.input<typeof CrmConnectionRecord> {
  const own = imports.filter(
    ({ connectionId, isKept, stoppedBy }) => connectionId === connection._id && (isKept || stoppedBy !== null),
  );
  return { ...connection, keptInStep: own };
}
