import pLimit from "p-limit";
import { type ConductFigures, type Measure, ratesOf } from "../../domain/access/conduct.ts";
import type { Suspension } from "../../domain/access/suspension.ts";
import { isNamed } from "../../domain/fold.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { Campaign } from "../../models/campaigns/campaign.ts";
import { SendingCap } from "../../models/sending/sending-cap.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadConduct } from "../../store/campaigns/conduct.ts";
import { capFacts } from "../../store/sending/caps.ts";

export interface JudgedWorkspace {
  workspaceId: string;
  name: string;
  ownerEmail: string;
  suspension: Suspension | null;
  cap: ReturnType<typeof capFacts> | null;
  figures: ConductFigures;
  rates: Record<Measure, number | null>;
}

const ACROSS = { acrossWorkspaces: true };
const MOST = 200;
const AT_ONCE = 5;

/**
 * The workspaces that an operator may want to look at, the suspended ones first, then those with the worst rates: all
 * that are suspended, limited or sending, or those whose name, owner or id contains `search`. At most 200.
 */
export async function listWorkspaces(search: string | null, now = Date.now()): Promise<JudgedWorkspace[]> {
  const stored = await SendingCap.find({}, null, ACROSS).lean<SendingCap[]>();
  // Only the limits of emails: the others have longer ids
  const caps = new Map(stored.flatMap((cap) => (cap._id === cap.workspaceId ? [[cap._id, cap] as const] : [])));
  const slots = pLimit(AT_ONCE);
  const workspaces = search === null ? await findNotable([...caps.keys()]) : await findNamed(search);
  const judged = await Promise.all(
    workspaces.map((workspace) => slots(() => judgedOf(workspace, caps.get(workspace._id) ?? null, now))),
  );
  return judged.sort((one, other) => rankOf(other) - rankOf(one));
}

async function judgedOf(workspace: Workspace, cap: SendingCap | null, now: number): Promise<JudgedWorkspace> {
  const { _id: workspaceId, name, ownerEmail, suspension = null } = workspace;
  const figures = await loadConduct(workspace, now, { isShown: true });
  return {
    workspaceId,
    name,
    ownerEmail,
    suspension,
    cap: cap && capFacts(cap, now),
    figures,
    rates: ratesOf(figures),
  };
}

function rankOf({ suspension, rates, cap }: JudgedWorkspace): number {
  const worst = Math.max(...Object.values(rates).map((rate) => rate ?? 0));
  return (suspension === null ? 0 : 10) + (cap === null ? 0 : 1) + worst;
}

async function findNotable(limited: readonly string[]): Promise<Workspace[]> {
  const sending: string[] = await Campaign.distinct("workspaceId", { status: "ACTIVE" }).setOptions(ACROSS);
  const notable = [
    { suspension: trusted({ $ne: null }) },
    { _id: trusted({ $in: [...new Set([...limited, ...sending])] }) },
  ];
  return Workspace.find({ deletedAt: null, $or: notable }).sort({ _id: -1 }).limit(MOST).lean<Workspace[]>().exec();
}

async function findNamed(search: string): Promise<Workspace[]> {
  const found: Workspace[] = [];
  for await (const workspace of Workspace.find({ deletedAt: null }).sort({ _id: -1 }).lean<Workspace>().cursor()) {
    if (!isNamed(search, [workspace.name, workspace.ownerEmail, workspace._id])) continue;
    if (found.push(workspace) === MOST) break;
  }
  return found;
}
