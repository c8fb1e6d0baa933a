import type { Logger } from "pino";
import { readProfile } from "../../connectors/gmail/history.ts";
import { listSenders } from "../../connectors/gmail/messages.ts";
import { GmailTrouble } from "../../connectors/gmail/trouble.ts";
import { readInbox } from "../../connectors/graph/mime.ts";
import { GraphTrouble } from "../../connectors/graph/trouble.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import {
  fetchMailboxAddress,
  isGrantedWhole,
  OAuthTrouble,
  redeem,
  revoke,
  type Tokens,
} from "../../connectors/oauth.ts";
import { type KeyRing, open } from "../../domain/access/seal.ts";
import { AppError } from "../../domain/errors.ts";
import type {
  ConsentIds,
  ConsentOutcome,
  ConsentRefusal,
  GrantIds,
  MailProvider,
  MailProviders,
} from "../../domain/mailboxes/provider.ts";
import { withSharedAccess } from "../../domain/mailboxes/provider-presets.ts";
import { graphMailboxOf, type MailApi } from "../../domain/mailboxes/transport.ts";
import type { MailboxGrant } from "../../models/mailboxes/mailbox-grant.ts";
import type { OAuthState } from "../../models/mailboxes/oauth-state.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { connectMailbox } from "../../store/mailboxes/connect.ts";
import { consentPlace, grantPlace, isUserConnected } from "../../store/mailboxes/grant.ts";
import { quotaAt } from "./api-quota.ts";
import { tryBoth } from "./connection.ts";

export interface ConsentDeps {
  egress: Egress;
  keyRing: KeyRing;
  providers: MailProviders;
  log: Logger;
}

export interface ConsentActivities {
  completeConsent(ids: ConsentIds): Promise<ConsentOutcome>;
  revokeGrant(ids: GrantIds): Promise<void>;
}

/** Milliseconds; less than the time that the browser waits. */
const TRY_LIMITS = { floorMs: 0, deadlineMs: 20_000 };

/**
 * The activities that connect a mailbox by an OAuth consent, and revoke the consent when the mailbox is disconnected.
 */
export function consentActivities({ egress, keyRing, providers, log }: ConsentDeps): ConsentActivities {
  /**
   * Redeems the code, asks the provider for the address, tests both servers and stores the mailbox. If one of these
   * fails, nothing is stored.
   */
  async function completeConsent({ workspaceId, consentId }: ConsentIds): Promise<ConsentOutcome> {
    const consent = await scoped(workspaceId).OAuthState.get(consentId);
    try {
      return consent === null ? refusedOutcome("GONE") : await complete(consent);
    } catch (error) {
      log.info({ workspaceId, err: error }, "a consent could not be completed");
      if (error instanceof OAuthTrouble && error.isClientRefused) {
        log.error({ err: error }, "a mail provider refuses this service's client id or its secret");
        return refusedOutcome("CLIENT_REFUSED");
      }
      if (error instanceof OAuthTrouble && error.access === "ADMIN_APPROVAL")
        return refusedOutcome("ADMIN_APPROVAL_NEEDED");
      if (error instanceof OAuthTrouble)
        return refusedOutcome(error.kind === "revoked" ? "CODE_REFUSED" : "PROVIDER_AWAY");
      if (error instanceof AppError && error.code === "LIMIT_EXCEEDED") return refusedOutcome(error.code);
      throw error;
    }
  }

  async function complete(consent: OAuthState): Promise<ConsentOutcome> {
    const { workspaceId, provider, sharedMailbox = null } = consent; // consents of earlier versions have none
    const { oauth: own, servers, api = null } = providers[provider];
    if (own === null || servers === null || (sharedMailbox !== null && api?.transport !== "GRAPH"))
      return refusedOutcome("PROVIDER_AWAY");
    const oauth = sharedMailbox === null ? own : { ...own, scope: withSharedAccess(own.scope) };
    const tokens = await redeemCode(consent);
    if (tokens === null) return refusedOutcome("GONE");
    const { accessToken, refreshToken, expiresAt } = tokens;
    if (!isGrantedWhole(oauth, tokens)) return refusedOutcome("PERMISSION_MISSING");
    if (refreshToken === null) return refusedOutcome("NO_LASTING_TOKEN");
    const username = await fetchMailboxAddress(egress, oauth, tokens);
    if (username === null) return refusedOutcome("NO_ADDRESS");
    const email = sharedMailbox ?? username;
    const refusal =
      api === null
        ? await serverRefusal(servers, email, accessToken)
        : await apiRefusal(api, { email, username }, accessToken);
    if (refusal !== null) return { ...refusedOutcome(refusal), email };
    const grant = { provider, refreshToken, accessToken, expiresAt };
    const transport = api?.transport ?? ("SMTP_IMAP" as const);
    const proven = {
      email,
      provider: `PROVIDER${provider}` as const,
      transport,
      ...servers,
      username,
      login: { grant },
    };
    const { mailbox } = await inTransaction(async () => {
      const connected = await connectMailbox(keyRing, workspaceId, proven);
      const { _id: mailboxId, grantId } = connected.mailbox;
      const made = { mailboxId, grantId, mailboxBefore: connected.before };
      await scoped(workspaceId).OAuthState.updateOne({ _id: consent._id }, { $set: made });
      return connected;
    });
    return { kind: "connected", mailboxId: mailbox._id, email };
  }

  async function serverRefusal(
    servers: NonNullable<MailProvider["servers"]>,
    user: string,
    accessToken: string,
  ): Promise<ConsentRefusal | null> {
    const { smtp, imap } = await tryBoth({ egress, log, limits: TRY_LIMITS }, servers, { user, accessToken });
    return smtp.ok && imap.ok ? null : "SERVERS_REFUSED";
  }

  /** Why the mailbox cannot be used over its provider's API: it has no mailbox there, or may not send as its address. */
  async function apiRefusal(
    api: MailApi,
    { email, username }: { email: string; username: string },
    token: string,
  ): Promise<ConsentRefusal | null> {
    const { transport, url } = api;
    const signal = AbortSignal.timeout(TRY_LIMITS.deadlineMs);
    const access = { egress, url, token, signal, quota: quotaAt(api, email, "NEW") };
    try {
      if (transport === "GRAPH") await readInbox({ ...access, mailbox: graphMailboxOf({ email, username }) });
      else {
        await readProfile(access);
        if (!(await listSenders(access)).includes(email)) return "SENDER_NOT_ACCEPTED";
      }
      return null;
    } catch (err) {
      if (!(err instanceof GmailTrouble || err instanceof GraphTrouble)) throw err;
      log.info({ transport, err }, "the provider's API refused a new mailbox");
      const isDenied = err instanceof GraphTrouble && (err.kind === "rights" || err.kind === "gone");
      return isDenied && email !== username ? "SHARED_MAILBOX_DENIED" : "SERVERS_REFUSED";
    }
  }

  /** Redeems the code. Code and verifier can be used only once, so both are erased before the provider is asked. */
  async function redeemCode({
    workspaceId,
    _id,
    provider,
    redirectUri,
    sealedCode,
    sealedVerifier,
  }: OAuthState): Promise<Tokens | null> {
    const client = providers[provider].oauth;
    if (client === null || sealedCode === null || sealedVerifier === null) return null;
    const code = open(keyRing, consentPlace(workspaceId, _id, "code"), sealedCode);
    const verifier = open(keyRing, consentPlace(workspaceId, _id, "verifier"), sealedVerifier);
    await scoped(workspaceId).OAuthState.updateOne({ _id }, { $set: { sealedCode: null, sealedVerifier: null } });
    return redeem(egress, client, { code, verifier, redirectUri });
  }

  /**
   * Asks the provider to revoke the consent and erases it here, whether or not the provider succeeds. The provider is
   * not asked while the same user has a mailbox with another consent, because it might revoke that consent too.
   */
  async function revokeGrant({ workspaceId, grantId }: GrantIds): Promise<void> {
    const { MailboxGrant } = scoped(workspaceId);
    const grant = await MailboxGrant.get(grantId);
    if (grant === null || grant.endsAt === null) return;
    const isOwn = (grant.delegatedTo ?? null) === null;
    try {
      if (isOwn && !(await isUserConnected(grant))) await takenBack(grant);
    } catch (error) {
      log.warn({ workspaceId, mailboxId: grant.mailboxId, err: error }, "the provider did not revoke a consent");
    }
    await MailboxGrant.deleteOne({ _id: grantId });
  }

  async function takenBack({ workspaceId, _id, provider, sealedRefreshToken }: MailboxGrant): Promise<void> {
    const client = providers[provider].oauth;
    if (client === null) throw new OAuthTrouble("unavailable");
    await revoke(egress, client, open(keyRing, grantPlace(workspaceId, _id, "refreshToken"), sealedRefreshToken));
  }

  return { completeConsent, revokeGrant };
}

function refusedOutcome(reason: ConsentRefusal): ConsentOutcome {
  return { kind: "refused", reason };
}
