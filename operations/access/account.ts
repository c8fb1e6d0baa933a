import { z } from "zod";
import { operation } from "../operation.ts";

export const whoami = operation({
  summary: "Describe this credential: its workspace and scopes",
  scope: null,
  input: z.strictObject({}),
  output: z.object({
    workspaceId: z.string(),
    scopes: z.array(z.string()),
    credentialId: z.string(),
    credentialType: z.enum(["API_KEY", "OAUTH"]),
    name: z.string(),
  }),
  async run({ workspaceId, scopes, credentialId, kind, name }) {
    return { workspaceId, scopes: [...scopes], credentialId, credentialType: kind, name };
  },
});
