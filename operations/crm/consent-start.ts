import { z } from "zod";
import { CRM_PROVIDERS, CRM_TRAITS, type CrmProviderName } from "../../domain/crm/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { crmConsentPlace } from "../../store/crm/connections.ts";
import { beginConsent, begunConsent } from "../consents/begin.ts";
import { operation } from "../operation.ts";
import { crmClientOf } from "./configured.ts";

/**
 * The paths to which the CRMs redirect a browser: one for each, so that a response of one cannot pass for another's (RFC
 * 9700 4.4.2).
 */
export const CRM_CALLBACKS: Record<CrmProviderName, string> = {
  HUBSPOT: "/connect/crm/hubspot/callback",
  SALESFORCE: "/connect/crm/salesforce/callback",
  PIPEDRIVE: "/connect/crm/pipedrive/callback",
};

export const start = operation({
  summary:
    "Start a consent: open `authUrl` in a browser and allow access to connect the CRM. Valid once, for ten minutes",
  scope: "crm:write",
  errors: ["PROVIDER_NOT_CONFIGURED"],
  audits: "crm.start",
  effects: { DISCLOSES: true },
  input: z.strictObject({ provider: z.enum(CRM_PROVIDERS).describe("Which CRM") }),
  output: begunConsent,
  async run(ctx, { provider }) {
    const client = crmClientOf(ctx, provider);
    const place = (workspaceId: string, id: string) => crmConsentPlace(workspaceId, id, "verifier");
    const way = { callback: CRM_CALLBACKS[provider], place: CRM_TRAITS[provider].usesPkce ? place : null, more: {} };
    return beginConsent(ctx, client, way, (begun) => scoped(ctx.workspaceId).CrmConsent.insert({ ...begun, provider }));
  },
});
