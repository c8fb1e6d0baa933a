import { z } from "zod";
import { SendPolicy } from "../../domain/access/send-policy.ts";
import { PRINCIPAL_KINDS } from "../context.ts";
import { operation } from "../operation.ts";

export const whoami = operation({
  summary: "Describe this credential: its workspace and scopes",
  scope: null,
  input: z.strictObject({}),
  output: z.object({
    workspaceId: z.string().describe("The workspace that the key opens"),
    scopes: z.array(z.string()).describe("What the key may do"),
    credentialId: z.string().describe("The id of the key"),
    credentialType: z.enum(PRINCIPAL_KINDS).describe("What kind of credential it is"),
    name: z.string().describe("What the key is called"),
    policy: SendPolicy.describe("What it may put on the wire by itself"),
  }),
  async run({ workspaceId, scopes, credentialId, kind, name, policy }) {
    return { workspaceId, scopes: [...scopes], credentialId, credentialType: kind, name, policy };
  },
});
