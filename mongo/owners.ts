import type mongoose from "mongoose";
import { newId } from "./ids.ts";

type Db = mongoose.mongo.Db;

interface Row {
  _id: string;
}

interface WorkspaceRow extends Row {
  ownerId: string;
  ownerEmail: string;
}

/**
 * Turns the owners that workspaces only named into people and members. Owners with the same address are one person: the one of the oldest
 * workspace; what the others made becomes that person's.
 */
export async function makeOwnersPeople(db: Db): Promise<void> {
  const [users, memberships] = [db.collection<Row>("users"), db.collection<Row>("memberships")];
  const byAddress = new Map<string, string>();
  const now = new Date();
  const times = { createdAt: now, updatedAt: now };
  for await (const { _id: workspaceId, ownerId, ownerEmail } of db.collection<WorkspaceRow>("workspaces").find().sort({ _id: 1 })) {
    const userId = byAddress.get(ownerEmail) ?? ownerId;
    const isOperator = byAddress.size === 0;
    byAddress.set(ownerEmail, userId);
    const person = { email: ownerEmail, name: null, passwordHash: null, isOperator, totp: null, totpOffered: null, totpStep: 0 };
    const fresh = { ...person, recoveryCodes: [], passkeys: [], ...times };
    await users.updateOne({ _id: userId }, { $setOnInsert: fresh }, { upsert: true });
    const member = { workspaceId, userId };
    const joined = { _id: newId("mbr"), role: "OWNER", joinedAt: now, ...times };
    await memberships.updateOne(member, { $setOnInsert: joined }, { upsert: true });
    if (userId === ownerId) continue;
    await db.collection("api_keys").updateMany({ workspaceId, createdBy: ownerId }, { $set: { createdBy: userId } });
    await db.collection("notes").updateMany({ workspaceId, authorUserId: ownerId }, { $set: { authorUserId: userId } });
    await db.collection<WorkspaceRow>("workspaces").updateOne({ _id: workspaceId }, { $set: { ownerId: userId } });
  }
}
