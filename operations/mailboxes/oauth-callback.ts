import { AppError } from "../../domain/errors.ts";
import {
  adminApprovalText,
  adminConsentUrl,
  CONSENT,
  CONSENT_REFUSALS,
  type ConsentOutcome,
  needsAdminApproval,
  type ProviderName,
} from "../../domain/mailboxes/provider.ts";
import { OAuthState } from "../../models/mailboxes/oauth-state.ts";
import { scoped } from "../../models/scoped.ts";
import { consentPlace } from "../../store/mailboxes/grant.ts";
import { consentRun } from "../../temporal/runs.ts";
import { stateId } from "../consents/begin.ts";
import { type Bringer, type ConsentPurpose, endConsent, type Returned } from "../consents/end.ts";
import type { Services } from "../context.ts";
import { type Connection, undoTokenOf } from "./undo-consent.ts";

const MAILBOX: ConsentPurpose = {
  ownerOf: (_id) => OAuthState.findOne({ _id }, { workspaceId: 1 }, { acrossWorkspaces: true }).lean<OAuthState>(),
  of: (workspaceId) => scoped(workspaceId).OAuthState,
  place: consentPlace,
  scope: "mailboxes:connect",
  action: "mailboxes.connect",
  refusal: "MAILBOX_CONNECTION_FAILED",
  nothing: "no mailbox was connected",
};

/**
 * Completes the consent of a mailbox's user. Returns the mailbox, the workspace, the token that undoes the connection,
 * and whether a console session began the consent; then the person who consented is the one who connects it.
 * @throws AppError as `endConsent`; MAILBOX_CONNECTION_FAILED and similar for refusals by the provider or the servers
 */
export async function completeConsent(
  services: Services,
  provider: ProviderName,
  returned: Returned,
  by: Bringer,
): Promise<Connection & { undo: string; isOwn: boolean }> {
  const { name, oauth } = services.settings.providers[provider];
  const approvalRefusal = () =>
    new AppError(MAILBOX.refusal, adminApprovalText(name, oauth === null ? null : adminConsentUrl(oauth)));
  const explain = (error: string, description: string) =>
    needsAdminApproval(error, description) ? approvalRefusal() : null;
  const { connected, consent, workspace } = await endConsent(
    services,
    { ...MAILBOX, explain },
    provider,
    returned,
    by,
    async ({ workspaceId, _id }) => {
      const run = consentRun({ v: 1, workspaceId, consentId: _id });
      const outcome = await services.engine.execute<ConsentOutcome>(run, CONSENT.deadlineMs);
      if (outcome.kind === "connected") return outcome.email;
      const { reason, email = "" } = outcome;
      if (reason === "ADMIN_APPROVAL_NEEDED") throw approvalRefusal();
      throw new AppError(
        reason === "LIMIT_EXCEEDED" ? reason : "MAILBOX_CONNECTION_FAILED",
        CONSENT_REFUSALS[reason].replace(/^The provider/, name).replace("{address}", email),
      );
    },
  );
  const undo = undoTokenOf(services, consent.workspaceId, consent._id);
  return { email: connected, workspace, undo, isOwn: consent.credentialKind === "CONSOLE" };
}

/**
 * The path to which the consent with this `state` returns, also when the consent was used or has expired; null when it
 * has none.
 */
export async function findWayBack(state: string | null): Promise<string | null> {
  const consent = await MAILBOX.ownerOf(stateId(state ?? ""));
  const whole = consent === null ? null : await scoped(consent.workspaceId).OAuthState.get(stateId(state ?? ""));
  return whole?.returnTo ?? null;
}
