import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { Session, type SessionStage } from "../../models/sign-in/session.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { newId } from "../../mongo/ids.ts";
import { hashOf, newSecret } from "./secrets.ts";

/** How long a person stays signed in (rules/access 3.1), and how long the second factor may take. */
export const SESSION_MS = 12 * HOUR_MS;
const SECOND_FACTOR_MS = 10 * MINUTE_MS;
const REMEMBERED_MS = 1_000;
const MOST_REMEMBERED = 10_000;
const LONGEST_BROWSER = 200;

export interface Browser {
  ip: string | null;
  userAgent: string | null;
  /** The workspace whose portal opened the session; null for the service's own address. */
  portalId: string | null;
}

/** Opens a session, or one that waits for the second factor, and returns the value of its cookie. */
export async function startSession(
  userId: string,
  stage: SessionStage,
  { ip, userAgent, portalId }: Browser,
  now: Date,
): Promise<string> {
  const { value, hash } = newSecret();
  const expiresAt = new Date(now.getTime() + (stage === "OPEN" ? SESSION_MS : SECOND_FACTOR_MS));
  const seen = {
    confirmedAt: now,
    lastSeenAt: now,
    expiresAt,
    ip,
    browser: userAgent?.slice(0, LONGEST_BROWSER) ?? null,
  };
  await Session.insertMany([{ _id: hash, sessionId: newId("ses"), userId, stage, portalId, ...seen }], sessionOption());
  return value;
}

const remembered = new Map<string, { session: Session; until: number }>();

/**
 * The open session of a cookie; null when there is none, when it has ended, or when it was opened at another portal or
 * address (rules/access 6.2). The result is at most 1 s old.
 */
export async function findSession(value: string, portalId: string | null, now: Date): Promise<Session | null> {
  const session = await findOpenSession(hashOf(value), now);
  return session !== null && isOpenedAt(session, portalId) ? session : null;
}

async function findOpenSession(hash: string, now: Date): Promise<Session | null> {
  const cached = remembered.get(hash);
  if (cached !== undefined && cached.until > now.getTime()) return cached.session;
  remembered.delete(hash);
  const session = await Session.findOne({ _id: hash, stage: "OPEN" }).lean<Session>();
  if (session === null || session.expiresAt <= now) return null;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(hash, { session, until: Math.min(now.getTime() + REMEMBERED_MS, session.expiresAt.getTime()) });
  noteSeen(session, now);
  return session;
}

/** The session at this portal or address that waits for the second factor. */
export async function findWaitingSession(value: string, portalId: string | null, now: Date): Promise<Session | null> {
  const session = await Session.findOne({ _id: hashOf(value), stage: "SECOND_FACTOR" }).lean<Session>();
  return session === null || session.expiresAt <= now || !isOpenedAt(session, portalId) ? null : session;
}

/** Sessions created before portals existed lack the field. */
function isOpenedAt(session: Session, portalId: string | null): boolean {
  return (session.portalId ?? null) === portalId;
}

/** Records that the person has just confirmed their password or second factor. */
export async function confirmSession(session: Session, now: Date): Promise<void> {
  await Session.updateOne({ _id: session._id }, { $set: { confirmedAt: now } }, sessionOption());
  remembered.delete(session._id);
}

/** Stores the passkey challenge that this browser received; it is valid for one response. */
export async function setChallenge(session: Session, challenge: string): Promise<void> {
  await Session.updateOne({ _id: session._id }, { $set: { challenge } });
}

/** Reads and removes the challenge of this browser, so that no response is accepted twice; null without one. */
export async function takeChallenge(session: Session): Promise<string | null> {
  const before = await Session.findOneAndUpdate({ _id: session._id }, { $set: { challenge: null } }).lean<Session>();
  return before?.challenge ?? null;
}

export async function endSession(session: Session): Promise<void> {
  await Session.deleteOne({ _id: session._id });
  remembered.delete(session._id);
}

/** Ends all sessions of a person except one. */
export async function endSessionsOf(userId: string, except: Session | null): Promise<void> {
  await Session.deleteMany({ userId, ...(except !== null && { _id: trusted({ $ne: except._id }) }) }, sessionOption());
  for (const [hash, { session }] of remembered)
    if (session.userId === userId && hash !== except?._id) remembered.delete(hash);
}

/** The open sessions of a person, latest first. At a portal, only the sessions that were opened there. */
export function findSessionsOf(
  { userId, portalId }: Pick<Session, "userId" | "portalId">,
  now: Date,
): Promise<Session[]> {
  const there = (portalId ?? null) === null ? {} : { portalId };
  return Session.find({ userId, ...there, stage: "OPEN", expiresAt: trusted({ $gt: now }) })
    .sort({ lastSeenAt: -1, _id: 1 })
    .lean<Session[]>();
}

/** Written at most once a minute. The request does not wait for it and does not fail because of it. */
function noteSeen({ _id, lastSeenAt }: Session, now: Date): void {
  if (lastSeenAt.getTime() > now.getTime() - MINUTE_MS) return;
  Session.updateOne({ _id }, { $set: { lastSeenAt: now } }).then(
    () => {},
    () => {},
  );
}
