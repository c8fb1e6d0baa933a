import { z } from "zod";
import { CATCH_ALL_TREATMENTS } from "../../domain/verification.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { changeVerificationSettings, loadVerificationSettings } from "../../store/verification/settings.ts";
import { VerificationPatch } from "../access/workspace.ts";
import { changing, namesAny } from "../fields.ts";
import { operation } from "../operation.ts";

const Settings = z
  .object({
    autoVerifyOnImport: z.boolean().describe("Whether new leads from imports are verified automatically"),
    blockInvalid: z.boolean().describe("Whether no email is sent to an INVALID address"),
    reverifyAfterDays: z.number().int().describe("Days until an address is checked again instead of using its result"),
    treatCatchAllAs: z
      .enum(CATCH_ALL_TREATMENTS)
      .describe("How sending treats addresses at domains that accept any address"),
  })
  .meta({ id: "VerificationSettings", description: "How the workspace uses verification and its results" });

export const settings = operation({
  summary: "Read the verification settings, which are also in the workspace's settings",
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
