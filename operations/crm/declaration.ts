import type { Declaration } from "../declaration.ts";
import { EXAMPLE_IDS as ids } from "../described-ids.ts";
import { manage as manageCrm } from "./connect.ts";
import { connections as crmConnections } from "./connections.ts";
import { importSegment as importCrmSegment } from "./import.ts";
import { segments as crmSegments } from "./segments.ts";

export const crmDeclaration = {
  verbs: {
    "crm.listConnections": crmConnections,
    "crm.listSegments": crmSegments,
    "crm.connect": manageCrm,
    "crm.import": importCrmSegment,
  },
  routes: [
    ["get", "/crm/connections", crmConnections],
    ["get", "/crm/segments", crmSegments],
    ["post", "/crm/connect", manageCrm],
    ["post", "/crm/import", importCrmSegment],
  ],
  tools: {
    crm: {
      crm_connections: {
        operation: crmConnections,
        title: "CRM connections",
        readOnly: true,
        untrusted: true,
        when: "Returns the connectionId for the other CRM tools. RECONNECT_REQUIRED: a person must connect it again with crm_connect.",
      },
      crm_segments: {
        operation: crmSegments,
        title: "CRM segments",
        readOnly: true,
        openWorld: true,
        untrusted: true,
        when: "Returns the segmentId that crm_import takes; crm_connections returns the connectionId.",
      },
      crm_connect: {
        operation: manageCrm,
        title: "Connect a CRM",
        destructive: true,
        openWorld: true,
        untrusted: true,
        when: "start returns an authUrl for a person to open. Reports to the CRM are off until update turns them on.",
      },
      crm_import: {
        operation: importCrmSegment,
        title: "Import from a CRM",
        openWorld: true,
        untrusted: true,
        when: "Starts a job; status shows its progress. Nothing is sent. crm_segments returns the segmentId, lead_lists the listId.",
      },
    },
  },
  examples: {
    afterwards: [
      {
        at: "post /crm/connect",
        title: "Connect a CRM with a token",
        body: { action: "connect", provider: "PIPEDRIVE", apiToken: "an-api-token" },
      },
      { at: "post /crm/connect", title: "Start a CRM consent", body: { action: "start", provider: "HUBSPOT" } },
      {
        at: "post /crm/import",
        title: "Sync a list with a segment",
        body: { connectionId: ids.connectionId, segmentId: "3", listId: ids.listId, sync: true },
      },
      {
        at: "post /crm/connect",
        title: "Report activities and suppressions to the CRM",
        body: { action: "update", connectionId: ids.connectionId, writeBack: { activities: true, doNotContact: true } },
      },
    ],
  },
} as const satisfies Declaration;
