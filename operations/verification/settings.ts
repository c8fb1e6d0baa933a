import { z } from "zod";
import { CATCH_ALL_TREATMENTS } from "../../domain/verification.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { changeVerificationSettings, loadVerificationSettings } from "../../store/verification/settings.ts";
import { VerificationPatch } from "../access/workspace.ts";
import { changing, namesAny } from "../fields.ts";
import { operation } from "../operation.ts";

const Settings = z
  .object({
    autoVerifyOnImport: z.boolean().describe("Whether the new leads of imports are verified by themselves"),
    blockInvalid: z.boolean().describe("Whether nothing is sent to an address that was found INVALID"),
    reverifyAfterDays: z.number().int().describe("How many days a result is kept before an address is checked again"),
    treatCatchAllAs: z
      .enum(CATCH_ALL_TREATMENTS)
      .describe("How sending treats addresses whose domain takes any address"),
  })
  .meta({ id: "VerificationSettings", description: "How the workspace uses verification and its results" });

export const settings = operation({
  summary: "Read the verification settings, which the workspace's settings change too",
  scope: "verification:read",
  input: z.strictObject({}),
  output: Settings,
  run: ({ workspaceId }) => loadVerificationSettings(workspaceId),
});

export const changeSettings = operation({
  summary: "Change how the workspace uses verification and its results; fields that you leave out stay the same",
  scope: "workspace:write",
  audits: "verification.updateSettings",
  effects: { CHANGES_SENDING: true },
  input: changing(VerificationPatch, ({ autoVerifyOnImport, blockInvalid, reverifyAfterDays, treatCatchAllAs }) =>
    namesAny({ autoVerifyOnImport, blockInvalid, reverifyAfterDays, treatCatchAllAs }),
  ),
  output: Settings,
  run: ({ workspaceId }, patch) =>
    inTransaction(async () => {
      await changeVerificationSettings(workspaceId, patch);
      return loadVerificationSettings(workspaceId);
    }),
});
