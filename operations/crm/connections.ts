import { z } from "zod";
import { CRM_PROVIDERS, CRM_TRAITS } from "../../domain/crm/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { operation } from "../operation.ts";
import { CrmConnectionRecord, connectionView } from "./record.ts";

export const connections = operation({
  summary: "CRM connections of the workspace, with what is synced and reported back, and which CRMs can be connected",
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
            .describe("Whether a consent can be started: this deployment has an OAuth client there"),
          takesToken: z.boolean().describe("Whether it can be connected by a token, which needs no OAuth client"),
        }),
      )
      .describe("The CRMs that there are"),
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
