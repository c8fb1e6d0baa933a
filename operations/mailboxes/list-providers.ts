import { z } from "zod";
import { PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { nullable } from "../fields.ts";
import { operation } from "../operation.ts";
import { missingForConsent } from "./providers.ts";
import { server } from "./record.ts";

const Provider = z
  .object({
    provider: z.enum(PROVIDERS).describe("Which of the two"),
    name: z.string().describe("The displayed name"),
    logo: nullable(z.string()).describe("An image of it as a `data:` URL; null without one"),
    smtp: nullable(server).describe("The server that its mailboxes send by; null where it is not configured"),
    imap: nullable(server).describe("The server from which its mailboxes are read; null if it is not configured"),
    canConsent: z.boolean().describe("Whether its users connect their mailbox by a consent in the browser"),
    missingSetting: nullable(z.string()).describe("The setting that is missing for that; null where none is"),
  })
  .meta({ id: "MailProvider", description: "A mail provider whose mailboxes are connected without naming servers" });

export const listProviders = operation({
  summary:
    "List the mail providers, with their servers and whether their users can connect a mailbox by a consent here",
  scope: "mailboxes:connect",
  input: z.strictObject({}),
  output: z.array(Provider),
  async run({ services }) {
    return PROVIDERS.map((provider) => {
      const { name, logo, servers } = services.settings.providers[provider];
      const missingSetting = missingForConsent(services.settings.providers, provider);
      return {
        provider,
        name,
        logo,
        smtp: servers?.smtp ?? null,
        imap: servers?.imap ?? null,
        canConsent: missingSetting === null,
        missingSetting,
      };
    });
  },
});
