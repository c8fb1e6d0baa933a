import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { Membership } from "../../models/membership.ts";
import { Session } from "../../models/session.ts";
import { trusted } from "../../mongo/collection.ts";

/** Tells whether somebody of the workspace used this address at most 24 h before an instant in epoch milliseconds. */
export type MemberTest = (address: string, at: number) => boolean;

const remembered = new Map<string, { test: MemberTest; until: number }>();
const MOST_REMEMBERED = 1_000;

/** Read at most once a minute for each workspace: opens come by the thousand, sessions do not. */
export async function loadMemberTest(workspaceId: string): Promise<MemberTest> {
  const known = remembered.get(workspaceId);
  if (known !== undefined && known.until > Date.now()) return known.test;
  const test = await readMembers(workspaceId);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(workspaceId, { test, until: Date.now() + MINUTE_MS });
  return test;
}

async function readMembers(workspaceId: string): Promise<MemberTest> {
  const members = await Membership.find({ workspaceId }, { userId: 1 }).lean<Pick<Membership, "userId">[]>();
  const userIds = members.map(({ userId }) => userId);
  const since = new Date(Date.now() - 2 * DAY_MS);
  const sessions = await Session.find(
    { userId: trusted({ $in: userIds }), lastSeenAt: trusted({ $gt: since }) },
    { ip: 1, lastSeenAt: 1 },
  ).lean<Pick<Session, "ip" | "lastSeenAt">[]>();
  return (address, at) => sessions.some(({ ip, lastSeenAt }) => ip === address && at - lastSeenAt.getTime() < DAY_MS);
}
