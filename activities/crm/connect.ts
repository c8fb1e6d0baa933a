import { Context } from "@temporalio/activity";
import { CrmTrouble } from "../../connectors/crm/vendor.ts";
import { CRM_VENDORS, type CrmSession, crmCall } from "../../connectors/crm/vendors.ts";
import { OAuthTrouble, redeem } from "../../connectors/oauth.ts";
import { open } from "../../domain/access/seal.ts";
import type { CrmConsentIds, CrmConsentOutcome, CrmRefusal } from "../../domain/crm/contract.ts";
import { originOf } from "../../domain/crm/provider.ts";
import { AppError } from "../../domain/errors.ts";
import type { CrmConsent } from "../../models/crm/crm-consent.ts";
import { scoped } from "../../models/scoped.ts";
import { crmConsentPlace, type ProvenCrm, saveConnection } from "../../store/crm/connections.ts";
import type { CrmDeps } from "./sessions.ts";

export interface CrmConnectActivities {
  completeCrmConsent(ids: CrmConsentIds): Promise<CrmConsentOutcome>;
}

/** Milliseconds for the CRM's answer; less than the time that a browser waits. */
const CALL_MS = 10_000;

/**
 * The activity that makes a CRM connection from an OAuth consent or from a token that a person entered. It stores the
 * whole connection or nothing.
 */
export function crmConnectActivities({ egress, keyRing, crm, log }: CrmDeps): CrmConnectActivities {
  async function completeCrmConsent({ workspaceId, consentId }: CrmConsentIds): Promise<CrmConsentOutcome> {
    const { CrmConsent } = scoped(workspaceId);
    const consent = await CrmConsent.get(consentId);
    try {
      const proven = consent === null ? "GONE" : await prove(consent);
      if (typeof proven === "string") return { kind: "refused", reason: proven };
      const { _id: connectionId } = await saveConnection(keyRing, workspaceId, proven);
      await CrmConsent.updateOne({ _id: consentId }, { $set: { connectionId } });
      return { kind: "connected", connectionId };
    } catch (error) {
      if (error instanceof AppError && error.code === "LIMIT_EXCEEDED") return { kind: "refused", reason: error.code };
      if (!(error instanceof OAuthTrouble) && !(error instanceof CrmTrouble)) throw error;
      log.info({ workspaceId, err: error }, "a CRM could not be connected");
      return { kind: "refused", reason: crmRefusalOf(error) };
    }
  }

  async function prove(consent: CrmConsent): Promise<ProvenCrm | CrmRefusal> {
    return consent.sealedApiToken === null ? proveCode(consent) : proveToken(consent);
  }

  async function proveToken({
    workspaceId,
    _id,
    provider,
    sealedApiToken,
  }: CrmConsent): Promise<ProvenCrm | CrmRefusal> {
    const base = crm[provider].apiUrl;
    if (sealedApiToken === null) return "GONE";
    if (base === null) return "NO_BASE";
    const apiToken = open(keyRing, crmConsentPlace(workspaceId, _id, "apiToken"), sealedApiToken);
    await scoped(workspaceId).CrmConsent.updateOne({ _id }, { $set: { sealedApiToken: null } });
    return {
      ...(await readAccount(provider, { base, token: apiToken, isApiToken: true })),
      base,
      provider,
      tokens: { apiToken },
    };
  }

  /** Code and verifier can be used only once, so both are erased before the vendor is asked. */
  async function proveCode({
    workspaceId,
    _id,
    provider,
    sealedCode,
    sealedVerifier,
    redirectUri,
  }: CrmConsent): Promise<ProvenCrm | CrmRefusal> {
    const { oauth, apiUrl } = crm[provider];
    if (oauth === null || sealedCode === null || redirectUri === null) return "GONE";
    const code = open(keyRing, crmConsentPlace(workspaceId, _id, "code"), sealedCode);
    const verifier =
      sealedVerifier === null ? null : open(keyRing, crmConsentPlace(workspaceId, _id, "verifier"), sealedVerifier);
    await scoped(workspaceId).CrmConsent.updateOne({ _id }, { $set: { sealedCode: null, sealedVerifier: null } });
    const {
      accessToken,
      refreshToken,
      expiresAt,
      base: vendorBase,
    } = await redeem(egress, oauth, { code, verifier, redirectUri });
    if (refreshToken === null) return "NO_LASTING_TOKEN";
    const base = vendorBase === null ? apiUrl : originOf(vendorBase);
    if (base === null) return "NO_BASE";
    const account = await readAccount(provider, { base, token: accessToken, isApiToken: false });
    return { ...account, base, provider, tokens: { accessToken, refreshToken, expiresAt } };
  }

  async function readAccount(provider: ProvenCrm["provider"], session: CrmSession) {
    const vendor = CRM_VENDORS[provider];
    const limits = { timeoutMs: CALL_MS, signal: Context.current().cancellationSignal };
    const { id: accountId, name } = await vendor.readAccount(crmCall(egress, vendor, session, limits));
    return { accountId, accountName: name.slice(0, 200) };
  }

  return { completeCrmConsent };
}

function crmRefusalOf(error: OAuthTrouble | CrmTrouble): CrmRefusal {
  if (error instanceof OAuthTrouble) return error.kind === "revoked" || error.isRefusal ? "CODE_REFUSED" : "AWAY";
  if (error.fault === "EXPIRED") return "TOKEN_REFUSED";
  return error.fault === "FORBIDDEN" || error.fault === "REFUSED" || error.fault === "NOT_FOUND" ? "FORBIDDEN" : "AWAY";
}
