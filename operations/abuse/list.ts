import pLimit from "p-limit";
import { type ConductFigures, type Measure, ratesOf } from "../../domain/access/conduct.ts";
import type { Suspension } from "../../domain/access/suspension.ts";
import { isNamed } from "../../domain/fold.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { Campaign } from "../../models/campaigns/campaign.ts";
import { type Capped, type CapSource, capIdOf, SendingCap } from "../../models/sending/sending-cap.ts";
import { trusted } from "../../mongo/collection.ts";
import { loadConduct } from "../../store/campaigns/conduct.ts";
import { capFacts } from "../../store/sending/caps.ts";

export interface JudgedWorkspace {
  workspaceId: string;
  name: string;
  ownerEmail: string;
  suspension: Suspension | null;
  /** Its limit of emails. */
  cap: ReturnType<typeof capFacts> | null;
  /** The limits that an operator has set; null: none. */
  ownLimits: Record<Capped, number | null>;
  figures: ConductFigures;
  rates: Record<Measure, number | null>;
}

/** Part of a list. */
interface Shown {
  skip?: number;
  most?: number;
  now?: number;
}

const ACROSS = { acrossWorkspaces: true };
/** The most workspaces for each reason to be in the list, and of a search. */
const MOST = 500;
const AT_ONCE = 5;

/**
 * The workspaces that an operator may want to look at: the suspended ones, then those that are slowed, those that send,
 * and others that an operator has limited, or those whose name, owner or id contains `search`. Only the part that is
 * shown is judged; of equals, the worst come first there.
 */
export async function listWorkspaces(
  search: string | null,
  { skip = 0, most = Number.POSITIVE_INFINITY, now = Date.now() }: Shown = {},
): Promise<{ items: JudgedWorkspace[]; total: number }> {
  const groups = search === null ? await findNotable() : [await findNamed(search)];
  const found = new Map<string, { workspace: Workspace; group: number }>();
  for (const [group, workspaces] of groups.entries())
    for (const workspace of workspaces) if (!found.has(workspace._id)) found.set(workspace._id, { workspace, group });
  const shown = [...found.values()].slice(skip, skip + most);
  const ids = trusted({ $in: shown.map(({ workspace }) => workspace._id) });
  const stored = await SendingCap.find({ workspaceId: ids }, null, ACROSS).lean<SendingCap[]>();
  const caps = new Map(stored.map((cap) => [cap._id, cap]));
  const slots = pLimit(AT_ONCE);
  const judged = await Promise.all(
    shown.map(({ workspace, group }) => slots(async () => ({ group, judged: await judgedOf(workspace, caps, now) }))),
  );
  judged.sort((one, other) => one.group - other.group || worstOf(other.judged) - worstOf(one.judged));
  return { items: judged.map(({ judged }) => judged), total: found.size };
}

async function judgedOf(
  workspace: Workspace,
  caps: ReadonlyMap<string, SendingCap>,
  now: number,
): Promise<JudgedWorkspace> {
  const { _id: workspaceId, name, ownerEmail, suspension = null } = workspace;
  const figures = await loadConduct(workspace, now, { isShown: true });
  const cap = caps.get(workspaceId) ?? null;
  const ownLimit = (what: Capped) => caps.get(capIdOf(workspaceId, what))?.by["OPERATOR"]?.most ?? null;
  return {
    workspaceId,
    name,
    ownerEmail,
    suspension,
    cap: cap && capFacts(cap, now),
    ownLimits: {
      EMAILS: ownLimit("EMAILS"),
      CONNECTION_TESTS: ownLimit("CONNECTION_TESTS"),
      IMPORTED_ROWS: ownLimit("IMPORTED_ROWS"),
    },
    figures,
    rates: ratesOf(figures),
  };
}

function worstOf({ rates }: JudgedWorkspace): number {
  return Math.max(...Object.values(rates).map((rate) => rate ?? 0));
}

/** A group for each reason, most urgent first. New workspaces are limited anyway, which is no reason. */
function findNotable(): Promise<Workspace[][]> {
  const limitedBy = async (source: CapSource): Promise<string[]> =>
    SendingCap.distinct("workspaceId", { [`by.${source}`]: trusted({ $exists: true }) }).setOptions(ACROSS);
  const among = async (ids: Promise<string[]>) => newest({ _id: trusted({ $in: await ids }) });
  const sending = async (): Promise<string[]> =>
    Campaign.distinct("workspaceId", { status: "ACTIVE" }).setOptions(ACROSS);
  return Promise.all([
    newest({ suspension: trusted({ $ne: null }) }, "suspension.at"),
    among(limitedBy("RATES")),
    among(sending()),
    among(limitedBy("OPERATOR")),
  ]);
}

function newest(filter: Record<string, unknown>, by = "_id"): Promise<Workspace[]> {
  return Workspace.find({ ...filter, deletedAt: null })
    .sort({ [by]: -1 })
    .limit(MOST)
    .lean<Workspace[]>()
    .exec();
}

async function findNamed(search: string): Promise<Workspace[]> {
  const found: Workspace[] = [];
  for await (const workspace of Workspace.find({ deletedAt: null }).sort({ _id: -1 }).lean<Workspace>().cursor()) {
    if (!isNamed(search, [workspace.name, workspace.ownerEmail, workspace._id])) continue;
    if (found.push(workspace) === MOST) break;
  }
  return found;
}
