import { z } from "zod";
import { seal } from "../../domain/access/seal.ts";
import { CRM_PROVIDERS } from "../../domain/crm/provider.ts";
import { AppError } from "../../domain/errors.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { randomBase62 } from "../../mongo/ids.ts";
import { changeWriteBack, crmConsentPlace, removeConnection } from "../../store/crm/connections.ts";
import { choice } from "../choice.ts";
import { describedIds } from "../described-ids.ts";
import { changing } from "../fields.ts";
import { operation } from "../operation.ts";
import { assertTakesToken } from "./configured.ts";
import { connectionOf } from "./consent-callback.ts";
import { start } from "./consent-start.ts";
import { CrmConnectionRecord, connectionView, WriteBack } from "./record.ts";

const { connectionId } = describedIds;

const scope = "crm:write" as const;
/** How many tokens a workspace can try in a minute. */
const PER_MINUTE = 10;

const connect = operation({
  summary:
    "Connect HubSpot or Pipedrive with a token from that CRM. A known account gets the new token and keeps its id",
  scope,
  errors: ["CRM_CONNECTION_FAILED", "LIMIT_EXCEEDED", "PROVIDER_NOT_CONFIGURED"],
  audits: "crm.connect",
  effects: { DISCLOSES: true },
  input: z.strictObject({
    provider: z.enum(CRM_PROVIDERS).describe("Which CRM"),
    apiToken: z
      .string()
      .trim()
      .min(1)
      .max(2_000)
      .regex(/^[\x21-\x7E]+$/, "must be a token, without spaces")
      .describe("The token of a HubSpot private app, or a Pipedrive API token; stored encrypted and never shown"),
  }),
  output: CrmConnectionRecord,
  async run(ctx, { provider, apiToken }) {
    const { workspaceId, credentialId, kind: credentialKind, services } = ctx;
    assertTakesToken(ctx, provider);
    const { CrmConsent } = scoped(workspaceId);
    const now = new Date();
    const recent = await CrmConsent.count({ createdAt: trusted({ $gt: new Date(now.getTime() - MINUTE_MS) }) });
    if (recent >= PER_MINUTE) {
      throw new AppError("RATE_LIMITED", `At most ${PER_MINUTE} connections a minute`, {
        retryAfterSeconds: MINUTE_MS / 1_000,
      });
    }
    const _id = randomBase62(32);
    const sealedApiToken = seal(services.keyRing, crmConsentPlace(workspaceId, _id, "apiToken"), apiToken);
    const expiresAt = new Date(now.getTime() + MINUTE_MS);
    await CrmConsent.insert({ _id, provider, credentialId, credentialKind, expiresAt, usedAt: now, sealedApiToken });
    return connectionView(await connectionOf(services, workspaceId, _id), []);
  },
});

const update = operation({
  summary: "Turn reports to the CRM on or off: activities, and people not to contact. Earlier events are not reported",
  scope,
  errors: ["CONNECTION_NOT_FOUND"],
  audits: "crm.update",
  effects: { DISCLOSES: true },
  input: z.strictObject({
    connectionId,
    writeBack: changing(WriteBack.partial()).describe("What changes; fields that you leave out stay the same"),
  }),
  output: CrmConnectionRecord,
  async run({ workspaceId }, { connectionId, writeBack }) {
    const asked = Object.fromEntries(Object.entries(writeBack).filter(([, value]) => value !== undefined));
    const connection = await changeWriteBack(workspaceId, connectionId, asked);
    return connectionView(connection, await scoped(workspaceId).CrmImport.find({ connectionId }));
  },
});

const disconnect = operation({
  summary: "Delete a connection and its tokens: its imports and hourly syncs stop. Leads and lists stay",
  scope,
  errors: ["CONNECTION_NOT_FOUND"],
  audits: "crm.disconnect",
  input: z.strictObject({ connectionId }),
  output: z.object({
    id: z.string().describe("The id of the connection"),
    deleted: z.literal(true).describe("Always true"),
  }),
  async run({ workspaceId }, { connectionId }) {
    await removeConnection(workspaceId, connectionId);
    return { id: connectionId, deleted: true as const };
  },
});

export const manage = choice(scope, "Connect a CRM by consent or token, set what is reported to it, or disconnect it", {
  start,
  connect,
  update,
  disconnect,
});
