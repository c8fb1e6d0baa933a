import { z } from "zod";
import { adminConsentUrl, PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";
import { missingForConsent } from "./providers.ts";
import { server } from "./record.ts";

const Provider = z
  .object({
    provider: z.enum(PROVIDERS).describe("The provider"),
    name: z.string().describe("The displayed name"),
    logo: nullable(z.string()).describe("The logo as a `data:` URL; null without one"),
    smtp: nullable(server).describe("The server that its mailboxes send through; null if not configured"),
    imap: nullable(server).describe("The server that its mailboxes are read from; null if not configured"),
    canConsent: z.boolean().describe("Whether users can connect a mailbox by OAuth consent in the browser"),
    canShare: z
      .boolean()
      .describe("Whether a user can connect a shared mailbox by consent, which works over Microsoft Graph only"),
    adminConsentUrl: nullable(z.string()).describe(
      "Where an organisation's admin allows the app for all its users, such as at Microsoft; null at other providers",
    ),
    missingSetting: nullable(z.string()).describe("The setting missing for that consent; null if none is"),
  })
  .meta({ id: "MailProvider", description: "A mail provider with known servers" });

export const listProviders = operation({
  summary: "List the mail providers, with their servers and whether users can connect a mailbox by OAuth consent",
  scope: "mailboxes:connect",
  input: z.strictObject({}),
  output: z.array(Provider),
  async run({ services }) {
    return PROVIDERS.map((provider) => {
      const { name, logo, servers, oauth, api = null } = services.settings.providers[provider];
      const missingSetting = missingForConsent(services.settings.providers, provider);
      return {
        provider,
        name,
        logo,
        smtp: servers?.smtp ?? null,
        imap: servers?.imap ?? null,
        canConsent: missingSetting === null,
        canShare: missingSetting === null && provider === "B" && api?.transport === "GRAPH",
        adminConsentUrl: oauth === null ? null : adminConsentUrl(oauth),
        missingSetting,
      };
    });
  },
});
