import { type VerificationSettings, verificationSettingsOf } from "../../domain/verification.ts";
import { Workspace } from "../../models/workspace.ts";
import { sessionOption } from "../../mongo/direct.ts";

/** What a workspace has set about verification, with the defaults. */
export async function loadVerificationSettings(workspaceId: string): Promise<VerificationSettings> {
  const found = await Workspace.findOne({ _id: workspaceId }, { verification: 1 }, sessionOption()).lean<Workspace>();
  return verificationSettingsOf(found?.verification);
}

export async function changeVerificationSettings(workspaceId: string, changes: object): Promise<void> {
  const set = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [[`verification.${name}`, value]]));
  if (set.length > 0) await Workspace.updateOne({ _id: workspaceId }, { $set: Object.fromEntries(set) }, sessionOption());
}
