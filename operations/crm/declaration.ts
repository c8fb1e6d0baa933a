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
        when: "Yields the connectionId of the other CRM tools. RECONNECT_REQUIRED: a person must connect it again, by crm_connect.",
      },
      crm_segments: {
        operation: crmSegments,
        title: "Segments of a CRM",
        readOnly: true,
        openWorld: true,
        untrusted: true,
        when: "Yields the segmentId that crm_import takes; crm_connections yields the connectionId.",
      },
      crm_connect: {
        operation: manageCrm,
        title: "Connect a CRM",
        destructive: true,
        openWorld: true,
        untrusted: true,
        when: "start answers an authUrl that a person opens. Writing back is off until update turns it on.",
      },
      crm_import: {
        operation: importCrmSegment,
        title: "Import from a CRM",
        openWorld: true,
        untrusted: true,
        when: "Answers a job, which status follows. Nothing is sent. crm_segments yields the segmentId, lead_lists the listId.",
      },
    },
  },
  examples: {
    afterwards: [
      {
        at: "post /crm/connect",
        title: "Connect a CRM by a token",
        body: { action: "connect", provider: "PIPEDRIVE", apiToken: "an-api-token" },
      },
      { at: "post /crm/connect", title: "Start a consent at a CRM", body: { action: "start", provider: "HUBSPOT" } },
      {
        at: "post /crm/import",
        title: "Keep a list in step with a segment",
        body: { connectionId: ids.connectionId, segmentId: "3", listId: ids.listId, sync: true },
      },
      {
        at: "post /crm/connect",
        title: "Tell the CRM what became of its contacts",
        body: { action: "update", connectionId: ids.connectionId, writeBack: { activities: true, doNotContact: true } },
      },
    ],
  },
} as const satisfies Declaration;
