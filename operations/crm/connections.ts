import { z } from "zod";
import { CRM_PROVIDERS, CRM_TRAITS } from "../../domain/crm/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { operation } from "../operation.ts";
import { CrmConnectionRecord, connectionView } from "./record.ts";

export const connections = operation({
  summary: "List the CRM connections with their syncs and reports, and the CRMs that can be connected",
  scope: "crm:read",
  input: z.strictObject({}),
  output: z.object({
    items: z.array(CrmConnectionRecord).describe("The connections"),
    providers: z
      .array(
        z.object({
          provider: z.enum(CRM_PROVIDERS).describe("A CRM"),
          configured: z
            .boolean()
            .describe("Whether a consent can be started: true if this deployment has an OAuth client for the CRM"),
          takesToken: z.boolean().describe("Whether you can connect it with a token, which needs no OAuth client"),
        }),
      )
      .describe("All supported CRMs"),
  }),
  async run({ workspaceId, services }) {
    const { CrmConnection, CrmImport } = scoped(workspaceId);
    const [found, imports] = await Promise.all([
      CrmConnection.find({}, { sort: { _id: 1 } }),
      CrmImport.find({}, { sort: { _id: 1 } }),
    ]);
    const { crm } = services.settings;
    return {
      items: found.map((connection) => connectionView(connection, imports)),
      providers: CRM_PROVIDERS.map((provider) => {
        const takesToken = CRM_TRAITS[provider].takesToken && crm[provider].apiUrl !== null;
        return { provider, configured: crm[provider].oauth !== null, takesToken };
      }),
    };
  },
});
