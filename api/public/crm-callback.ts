import type { Router } from "express";
import type { Services } from "../../operations/context.ts";
import { completeCrmConsent } from "../../operations/crm/consent-callback.ts";
import { CRM_CALLBACKS } from "../../operations/crm/consent-start.ts";
import { consentCallbackOf } from "./consent-callback.ts";
import { pageOf } from "./page.ts";

/** The callback after a consent at a CRM. */
export function crmCallbackOf(services: Services): Router {
  return consentCallbackOf(services, CRM_CALLBACKS, "CRM not connected", async (provider, returned, by) => {
    const { account, workspace } = await completeCrmConsent(services, provider, returned, by);
    return pageOf(
      "CRM connected",
      `${account} is connected to the workspace “${workspace}”, which can now import its contacts.`,
    );
  });
}
