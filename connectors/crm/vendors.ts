import type { CrmProviderName } from "../../domain/crm/provider.ts";
import type { Egress, EgressResponse } from "../net/egress.ts";
import { EgressError } from "../net/egress-error.ts";
import { hubspot } from "./hubspot.ts";
import { pipedrive } from "./pipedrive.ts";
import { salesforce } from "./salesforce.ts";
import { type CrmCall, CrmTrouble, type CrmVendor, jsonOf } from "./vendor.ts";

/** All vendors. Adding one takes a line here, a file in this folder, and its name in the domain. */
export const CRM_VENDORS: Record<CrmProviderName, CrmVendor> = {
  HUBSPOT: hubspot,
  SALESFORCE: salesforce,
  PIPEDRIVE: pipedrive,
};

/** The base URL and the current token of a connection. */
export interface CrmSession {
  /** Without a slash at its end. */
  base: string;
  token: string;
  isApiToken: boolean;
}

interface CallLimits {
  timeoutMs: number;
  signal: AbortSignal;
}

const PAGE_BYTES = 16 * 1024 * 1024;
const ANSWER_BYTES = 2 * 1024 * 1024;

/**
 * Returns the function that calls a vendor through the egress connector, which decides which addresses may be reached.
 * Redirects are not followed.
 */
export function crmCall(
  egress: Egress,
  vendor: CrmVendor,
  { base, token, isApiToken }: CrmSession,
  limits: CallLimits,
): CrmCall {
  return async ({ method, path, body, headers = {}, isPage }) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const own = { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) };
    let answer: EgressResponse;
    try {
      answer = await egress.request(`${base}${path}`, {
        method,
        ...sent,
        headers: { ...own, ...headers, ...vendor.authorize(token, isApiToken) },
        ...limits,
        maxBodyBytes: isPage ? PAGE_BYTES : ANSWER_BYTES,
      });
    } catch (cause) {
      limits.signal.throwIfAborted();
      // Only the connector's own error is kept as the cause: any other error may contain parts of the request
      throw new CrmTrouble("AWAY", cause instanceof EgressError ? { cause } : {});
    }
    if (answer.statusCode < 200 || answer.statusCode >= 300) throw vendor.troubleOf(answer);
    return jsonOf(answer);
  };
}
