import type { OAuthClient } from "../mailboxes/provider.ts";

export const CRM_PROVIDERS = ["HUBSPOT", "SALESFORCE", "PIPEDRIVE"] as const;
export type CrmProviderName = (typeof CRM_PROVIDERS)[number];

/** How this deployment reaches a CRM. */
export interface CrmAccess {
  /** Null when no OAuth client is configured. */
  oauth: OAuthClient | null;
  /** The URL of the CRM's API, for connections whose token does not contain it; null if every token does. */
  apiUrl: string | null;
}

export type CrmProviders = Record<CrmProviderName, CrmAccess>;

const NOTHING: CrmAccess = { oauth: null, apiUrl: null };
export const NO_CRM: CrmProviders = { HUBSPOT: NOTHING, SALESFORCE: NOTHING, PIPEDRIVE: NOTHING };

/** The differences between the vendors that are known without a request to them. */
export const CRM_TRAITS: Record<CrmProviderName, { name: string; takesToken: boolean; usesPkce: boolean }> = {
  HUBSPOT: { name: "HubSpot", takesToken: true, usesPkce: false },
  SALESFORCE: { name: "Salesforce", takesToken: false, usesPkce: true },
  PIPEDRIVE: { name: "Pipedrive", takesToken: true, usesPkce: false },
};

export const CRM_CONNECTION_STATUSES = ["CONNECTED", "RECONNECT_REQUIRED"] as const;
export type CrmConnectionStatus = (typeof CRM_CONNECTION_STATUSES)[number];

/** The activities that are written to the CRM. All are off until someone turns them on (rules/crm 5.1). */
export interface CrmWriteBack {
  activities: boolean;
  doNotContact: boolean;
}

/** The origin of a URL that comes with a vendor's token, without a path; null for text that is not a web address. */
export function originOf(text: string): string | null {
  const url = URL.parse(text);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url.origin : null;
}

/** The source of leads from a CRM import, as shown in their history. */
export function sourceOf(provider: CrmProviderName): string {
  return `CRM_${provider}`;
}

/** The name of the CRM that has this source; null for an unknown one. */
export function crmNameOf(source: string): string | null {
  const provider = CRM_PROVIDERS.find((one) => sourceOf(one) === source);
  return provider === undefined ? null : CRM_TRAITS[provider].name;
}
