import { z } from "zod";
import { CRM_CONNECTION_STATUSES, CRM_PROVIDERS } from "../../domain/crm/provider.ts";
import type { CrmConnection } from "../../models/crm/crm-connection.ts";
import type { CrmImport } from "../../models/crm/crm-import.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";

const { listId } = describedIds;

export const WriteBack = z.object({
  activities: z.boolean().describe("Whether sent emails, replies, bounces and meetings are logged on the CRM contact"),
  doNotContact: z.boolean().describe("Whether leads suppressed here are marked as do not contact in the CRM"),
});

/** CRM connection `crm_`. `connectionView` turns a stored one into it. */
export const CrmConnectionRecord = record({
  provider: z.enum(CRM_PROVIDERS).describe("Which CRM"),
  status: z
    .enum(CRM_CONNECTION_STATUSES)
    .describe("RECONNECT_REQUIRED: a person must connect it again; its imports and settings are kept"),
  statusReason: nullable(z.string()).describe("The reason of the status, as a code: CONSENT_REVOKED or TOKEN_REFUSED"),
  accountName: z.string().describe("The name of the CRM account"),
  connectedAt: time.describe("When it was last connected"),
  lastSyncAt: optionalTime.describe("When a segment was last imported completely"),
  writeBack: WriteBack.describe("What is reported to the CRM; nothing until you turn it on"),
  keptInStep: z
    .array(
      z.object({
        segmentId: z.string().describe("The segment"),
        listId: nullable(listId),
        syncedAt: optionalTime.describe("When it was last read completely"),
        stoppedBy: nullable(z.string()).describe("Why the sync stopped, as a code; null while it runs"),
      }),
    )
    .describe(
      "Segments that are read again each hour, and those whose sync stopped because the list or segment was deleted",
    ),
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
