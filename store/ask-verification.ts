import { verificationSettingsOf } from "../domain/verification.ts";
import { Workspace } from "../models/access/workspace.ts";
import { sessionOption } from "../mongo/direct.ts";
import { newId, pagesOf } from "../mongo/ids.ts";
import { nudgeAll } from "./outbox.ts";

/** The maximum number of leads in one outbox row. */
const PAGE = 500;

/**
 * Requests the verification of leads that an import or a reveal has stored. Call it in the transaction that stores
 * them. For an import, the request is made only if the workspace's `autoVerifyOnImport` is on. Requests with the same
 * `key` join one job while the job is running.
 */
export async function askVerification(
  workspaceId: string,
  leadIds: readonly string[],
  source: "IMPORT" | "REVEAL",
  key: string,
): Promise<void> {
  if (leadIds.length === 0 || (source === "IMPORT" && !(await isVerifiedOnImport(workspaceId)))) return;
  await nudgeAll(
    workspaceId,
    pagesOf(leadIds, PAGE).map((page) => ({
      kind: "VERIFY_LEADS",
      payload: { requestId: newId("vrq"), key, source, leadIds: page },
    })),
  );
}

async function isVerifiedOnImport(workspaceId: string): Promise<boolean> {
  const found = await Workspace.findOne({ _id: workspaceId }, { verification: 1 }, sessionOption()).lean<Workspace>();
  return verificationSettingsOf(found?.verification).autoVerifyOnImport;
}
