import { z } from "zod";
import { invalid } from "../../domain/errors.ts";
import type { ProviderName } from "../../domain/mailboxes/provider.ts";
import { withSharedAccess } from "../../domain/mailboxes/provider-presets.ts";
import { scoped } from "../../models/scoped.ts";
import { consentPlace } from "../../store/mailboxes/grant.ts";
import { address } from "../address.ts";
import { beginConsent, begunConsent, NEW_REFRESH_TOKEN } from "../consents/begin.ts";
import { ownPath } from "../consents/own-path.ts";
import { operation } from "../operation.ts";
import { clientOf, presetOf } from "./providers.ts";

/**
 * The paths to which the providers redirect a browser. Each provider has its own, so that a response of one cannot pass
 * for the other's.
 */
export const MAILBOX_CALLBACKS: Record<ProviderName, string> = {
  A: "/connect/providerA/callback",
  B: "/connect/providerB/callback",
};

const returnTo = z
  .string()
  .max(2_000)
  .refine((asked) => ownPath(asked) !== null, {
    message: "must be a path of this service, such as /w/wsp_1/mailboxes",
    params: { code: "INVALID_PATH" },
  })
  .optional()
  .describe("The path of this service to return the browser to, such as `/w/wsp_1/mailboxes`");

const sharedMailbox = address
  .optional()
  .describe(
    "A shared mailbox, over Microsoft Graph only: it is connected instead of the mailbox of the user who signs in, who needs Full Access and Send As for it",
  );

const withShared = z.strictObject({ returnTo, sharedMailbox });
/** It has the same type, so that both providers have one operation. */
const alone = z.strictObject({ returnTo }) as typeof withShared;

/**
 * Creates the operation that starts a provider's consent. It returns a URL to open in a browser, which works once, for
 * ten minutes.
 */
export function startConsent(provider: ProviderName) {
  return operation({
    summary: `Start the consent of provider ${provider}: open \`authUrl\` in a browser; when the user allows access, the mailbox is connected. The last page lets the user undo this for 24 hours`,
    scope: "mailboxes:connect",
    errors: ["PROVIDER_NOT_CONFIGURED"],
    input: provider === "B" ? withShared : alone,
    output: begunConsent,
    async run(ctx, { returnTo, sharedMailbox }) {
      const own = clientOf(ctx, provider);
      const shared = sharedMailbox?.address ?? null;
      const { api } = ctx.services.settings.providers[provider];
      if (shared !== null && api?.transport !== "GRAPH")
        throw invalid("sharedMailbox", "Shared mailboxes need Microsoft Graph: PROVIDERB_TRANSPORT is not GRAPH");
      const client = shared === null ? own : { ...own, scope: withSharedAccess(own.scope) };
      presetOf(ctx, provider);
      const place = (workspaceId: string, id: string) => consentPlace(workspaceId, id, "verifier");
      const way = { callback: MAILBOX_CALLBACKS[provider], place, more: NEW_REFRESH_TOKEN };
      return beginConsent(ctx, client, way, (begun) =>
        scoped(ctx.workspaceId).OAuthState.insert({
          ...begun,
          provider,
          returnTo: ownPath(returnTo),
          sharedMailbox: shared,
        }),
      );
    },
  });
}
