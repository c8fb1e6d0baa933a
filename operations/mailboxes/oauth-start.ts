import { z } from "zod";
import type { ProviderName } from "../../domain/mailboxes/provider.ts";
import { scoped } from "../../models/scoped.ts";
import { consentPlace } from "../../store/mailboxes/grant.ts";
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

/**
 * Creates the operation that starts a provider's consent. It returns a URL to open in a browser, which works once, for
 * ten minutes.
 */
export function startConsent(provider: ProviderName) {
  return operation({
    summary: `Start the consent of provider ${provider}: open \`authUrl\` in a browser; when the user allows access, the mailbox is connected. The last page lets the user undo this for 24 hours`,
    scope: "mailboxes:connect",
    errors: ["PROVIDER_NOT_CONFIGURED"],
    input: z.strictObject({ returnTo }),
    output: begunConsent,
    async run(ctx, { returnTo }) {
      const client = clientOf(ctx, provider);
      presetOf(ctx, provider);
      const place = (workspaceId: string, id: string) => consentPlace(workspaceId, id, "verifier");
      const way = { callback: MAILBOX_CALLBACKS[provider], place, more: NEW_REFRESH_TOKEN };
      return beginConsent(ctx, client, way, (begun) =>
        scoped(ctx.workspaceId).OAuthState.insert({ ...begun, provider, returnTo: ownPath(returnTo) }),
      );
    },
  });
}
