import type { CrmProviderName } from "../../domain/crm/provider.ts";
import { hubspot } from "./hubspot.ts";
import { pipedrive } from "./pipedrive.ts";
import { salesforce } from "./salesforce.ts";
import type { CrmVendor } from "./vendor.ts";

/** Each vendor that there is: another one is a line here, a file beside this one, and its name in the domain. */
export const CRM_VENDORS: Record<CrmProviderName, CrmVendor> = { HUBSPOT: hubspot, SALESFORCE: salesforce, PIPEDRIVE: pipedrive };
