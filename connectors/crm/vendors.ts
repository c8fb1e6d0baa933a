import type { CrmProviderName } from "../../domain/crm/provider.ts";
import type { Egress, EgressResponse } from "../net/egress.ts";
import { EgressError } from "../net/egress-error.ts";
import { hubspot } from "./hubspot.ts";
import { pipedrive } from "./pipedrive.ts";
import { salesforce } from "./salesforce.ts";
import { type CrmCall, CrmTrouble, type CrmVendor, jsonOf } from "./vendor.ts";

/** All vendors: a further one is a line here, a file beside this one, and its name in the domain. */
export const CRM_VENDORS: Record<CrmProviderName, CrmVendor> = {
  HUBSPOT: hubspot,
  SALESFORCE: salesforce,
  PIPEDRIVE: pipedrive,
};

/** How a connection is reached at this moment. */
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
 * Calls to a vendor over the one egress connector, which alone decides where a request may lead. No redirect is
 * followed.
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
      // Only the connector's own error is kept: any other may repeat what was sent
      throw new CrmTrouble("AWAY", cause instanceof EgressError ? { cause } : {});
    }
    if (answer.statusCode < 200 || answer.statusCode >= 300) throw vendor.troubleOf(answer);
    return jsonOf(answer);
  };
}
