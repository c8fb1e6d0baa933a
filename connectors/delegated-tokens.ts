import type { MailProvider } from "../domain/mailboxes/provider.ts";
import { assertionOf } from "./google-tokens.ts";
import type { Egress } from "./net/egress.ts";
import { asDelegation, exchangeAssertion, OAuthTrouble, requestForClient, type Tokens } from "./oauth.ts";

/**
 * An access token for one mailbox that an admin has allowed. Microsoft's token is for every allowed mailbox, so its
 * requests name the mailbox.
 * @throws OAuthTrouble never `revoked`, because there is no consent that could end
 */
export async function requestDelegated(
  egress: Egress,
  provider: Pick<MailProvider, "oauth" | "delegation">,
  address: string,
): Promise<Tokens> {
  return request(egress, provider, address).catch((error: unknown) => {
    throw error instanceof OAuthTrouble ? asDelegation(error) : error;
  });
}

async function request(
  egress: Egress,
  { oauth, delegation = null }: Pick<MailProvider, "oauth" | "delegation">,
  address: string,
): Promise<Tokens> {
  if (delegation?.kind === "GOOGLE") {
    const { account, scope } = delegation;
    return exchangeAssertion(egress, account.token_uri, assertionOf(account, [scope], Date.now(), address));
  }
  if (delegation === null || oauth === null) throw new OAuthTrouble("unavailable");
  return requestForClient(egress, oauth, delegation.scope);
}
