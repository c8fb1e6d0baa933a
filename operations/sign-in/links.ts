import { hashPassword, isPassword, whyNotPassword } from "../../domain/access/password.ts";
import type { Role } from "../../domain/access/roles.ts";
import { type KeyRing, open, type Sealed, type SealPlace, seal } from "../../domain/access/seal.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Invite } from "../../models/access/invite.ts";
import { Membership } from "../../models/access/membership.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { SignInLink } from "../../models/sign-in/sign-in-link.ts";
import { User } from "../../models/sign-in/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { findMemberships } from "../access/members.ts";
import { hashOf, newSecret } from "../access/secrets.ts";
import { endSessionsOf } from "../access/sessions.ts";
import { ensureUser, loadWorkspaceName } from "../access/workspaces.ts";
import { type AttemptSource, credential, guess } from "./attempts.ts";
import { deadLink } from "./dead-link.ts";
import { isKnownBrowser, namesOf, WRONG_PASSWORDS } from "./password.ts";
import { hasSecondFactor, loadPerson } from "./people.ts";
import { isOpenAt } from "./portals.ts";

/** How long the link of a first start or a password reset is valid (rules/access 2.2). */
export const LINK_MS = DAY_MS;

/** Creates a link with which a person sets a password, and invalidates earlier links. */
export async function createPersonLink(
  userId: string,
  now: Date,
  { removesSecondFactor = false } = {},
): Promise<string> {
  return storeLink(
    { userId, inviteId: null, workspaceId: null, removesSecondFactor },
    new Date(now.getTime() + LINK_MS),
  );
}

/**
 * The link of a first start. It stays the same until it is used or expires, so that a restart never invalidates a link
 * that is open in a browser. A new link does not invalidate others, because the operator may have created one
 * meanwhile.
 */
export async function keepFirstLink(
  userId: string,
  ring: KeyRing,
  now: Date,
): Promise<{ token: string; expiresAt: Date }> {
  const good = { userId, usedAt: null, expiresAt: trusted({ $gt: now }), sealedToken: trusted({ $ne: null }) };
  const kept = await SignInLink.findOne(good).sort({ expiresAt: -1 }).lean<SignInLink>();
  const token = kept?.sealedToken == null ? null : opened(ring, kept._id, kept.sealedToken);
  if (kept !== null && token !== null) return { token, expiresAt: kept.expiresAt };
  const { value, hash } = newSecret();
  const expiresAt = new Date(now.getTime() + LINK_MS);
  const target = { userId, inviteId: null, workspaceId: null, removesSecondFactor: false };
  await SignInLink.insertMany([{ _id: hash, ...target, sealedToken: seal(ring, placeOf(hash), value), expiresAt }]);
  return { token: value, expiresAt };
}

/** The decrypted token; null when its encryption key is no longer configured. */
function opened(ring: KeyRing, linkId: string, sealed: Sealed): string | null {
  return ring.all.has(sealed.keyVersion) ? open(ring, placeOf(linkId), sealed) : null;
}

function placeOf(documentId: string): SealPlace {
  return { workspaceId: "installation", collection: "sign_in_links", documentId, field: "sealedToken" };
}

/** Creates the link of an invite and invalidates the earlier ones. */
export function createInviteLink({ _id, workspaceId, expiresAt }: Invite): Promise<string> {
  return storeLink({ userId: null, inviteId: _id, workspaceId, removesSecondFactor: false }, expiresAt);
}

type Target = Pick<SignInLink, "userId" | "inviteId" | "workspaceId" | "removesSecondFactor">;

function storeLink(target: Target, expiresAt: Date): Promise<string> {
  const { value, hash } = newSecret();
  return inTransaction(async () => {
    const { userId, inviteId } = target;
    await SignInLink.deleteMany({ userId, inviteId, usedAt: null }, sessionOption());
    await SignInLink.insertMany([{ _id: hash, ...target, expiresAt }], sessionOption());
    return value;
  });
}

/** The target of a link, for the page that shows its form. */
export interface Linked {
  link: SignInLink;
  email: string;
  /** The existing person; null when accepting the invite will create the person. */
  person: User | null;
  /** Null for a link that does not belong to an invite. */
  invite: { workspaceId: string; workspaceName: string; role: Role; invitedBy: string } | null;
}

/**
 * Reads a link without using it. At a portal, only links of invites to its workspaces work (rules/access 6.3).
 * @throws AppError ROUTE_NOT_FOUND for a link that is unknown, used, expired or revoked; RATE_LIMITED
 */
export function readLink(
  token: string,
  portalId: string | null,
  { address }: Pick<AttemptSource, "address">,
  now: Date,
): Promise<Linked> {
  return credential(address, () => findLinked(token, portalId, now));
}

async function findLinked(token: string, portalId: string | null, now: Date): Promise<Linked> {
  const link = await SignInLink.findOne({ _id: hashOf(token) }, null, sessionOption()).lean<SignInLink>();
  if (link === null || !(await isLinkOf(portalId, link))) throw deadLink("UNKNOWN");
  if (link.usedAt !== null) throw deadLink("USED");
  if (link.expiresAt <= now) throw deadLink(link.inviteId === null ? "LATE" : "INVITE_LATE");
  if (link.userId !== null) {
    const person = await loadPerson(link.userId);
    return { link, email: person.email, person, invite: null };
  }
  const { workspaceId, inviteId } = link;
  const invite = workspaceId === null || inviteId === null ? null : await scoped(workspaceId).Invite.get(inviteId);
  if (invite === null || invite.state !== "PENDING" || workspaceId === null) throw deadLink("INVITE_REVOKED");
  const person = await User.findOne({ email: invite.email }, null, sessionOption()).lean<User>();
  return {
    link,
    email: invite.email,
    person,
    invite: {
      workspaceId,
      workspaceName: await loadWorkspaceName(workspaceId),
      role: invite.role,
      invitedBy: invite.invitedBy,
    },
  };
}

async function isLinkOf(portalId: string | null, { workspaceId }: SignInLink): Promise<boolean> {
  if (portalId === null) return true;
  if (workspaceId === null) return false;
  const workspace = await Workspace.findOne(
    { _id: workspaceId },
    { parentWorkspaceId: 1 },
    sessionOption(),
  ).lean<Workspace>();
  return workspace !== null && isOpenAt(portalId, workspace);
}

export interface Answer {
  /** Null when the invited person is already signed in in this browser. */
  password: string | null;
  name: string | null;
  /** The address with which the person wants to sign in; only set at the first start. */
  email: string | null;
  /** The id of the person who is signed in in this browser. */
  signedIn: string | null;
  /** The workspace at whose portal the link was opened; null for the service's own address. */
  portalId: string | null;
  visitor: AttemptSource;
}

/**
 * Uses a sign-in link, which works once. A link to a password sets the password of its person. A link to an invite
 * accepts the invite; an invited person who already has a password must enter it or be signed in. A new password ends
 * the sessions of the earlier one. Refused tries are limited per link, because each one computes a password hash.
 * @throws AppError ROUTE_NOT_FOUND, VALIDATION_FAILED, WRONG_PASSWORD or RATE_LIMITED, without effect
 */
export async function followLink(token: string, answer: Answer, now: Date): Promise<User> {
  const linked = await readLink(token, answer.portalId, answer.visitor, now);
  return guess([`link:${token}`], "tries", () => follow(linked, answer, now));
}

async function follow(linked: Linked, answer: Answer, now: Date): Promise<User> {
  const hash = linked.invite === null || linked.person?.passwordHash == null ? await newHash(linked, answer) : null;
  if (hash === null) await refuseStranger(linked, answer, now);
  const { _id, userId: owner } = linked.link;
  return inTransaction(async () => {
    const used = await SignInLink.updateOne(
      { _id, usedAt: null },
      { $set: { usedAt: now, sealedToken: null } },
      sessionOption(),
    );
    if (used.matchedCount === 0) throw deadLink("USED");
    if (owner !== null) await SignInLink.deleteMany({ userId: owner, usedAt: null }, sessionOption());
    const userId = linked.person?._id ?? (await ensureUser(linked.email));
    if (hash !== null) await setPassword(userId, hash, linked, answer);
    if (linked.invite !== null) await join(userId, linked, now);
    return loadPerson(userId);
  });
}

async function newHash({ email }: Linked, { password }: Answer): Promise<string> {
  const why = password === null ? "is required" : whyNotPassword(password, email);
  if (password === null || why !== null) throw invalid("password", why ?? "is required");
  return hashPassword(password);
}

/**
 * Requires the password of an existing person: the link of an invite is not enough to join as that person. Wrong
 * passwords are counted for the account like at a sign-in, because an admin can create any number of links.
 */
async function refuseStranger({ person }: Linked, { password, signedIn, visitor }: Answer, now: Date): Promise<void> {
  if (person === null || signedIn === person._id) return;
  const against = namesOf(person.email, visitor, await isKnownBrowser(visitor, person.email, now));
  await guess(against, WRONG_PASSWORDS, async () => {
    if (!(await isPassword(password ?? "", person.passwordHash)))
      throw new AppError("WRONG_PASSWORD", "The password is not right");
  });
}

async function setPassword(
  userId: string,
  passwordHash: string,
  { link, person, invite }: Linked,
  { name, email }: Answer,
): Promise<void> {
  const isUnnamed = person?.email === UNNAMED;
  const address = email?.trim().toLowerCase() ?? "";
  if (isUnnamed && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address)) throw invalid("email", "must be an e-mail address");
  if (isUnnamed && (await User.findOne({ email: address }, { _id: 1 }, sessionOption()).lean()) !== null)
    throw invalid("email", "belongs to another person");
  const lost = link.removesSecondFactor ? NO_SECOND_FACTOR : {};
  // An operator gave this link to the person; the link of an invite is also shown to the person who invites
  const isUnconfirmed = invite !== null && (await isUnconfirmedPerson(invite.invitedBy));
  const named = name?.trim() ? { name: name.trim().slice(0, 200) } : {};
  await User.updateOne(
    { _id: userId },
    { $set: { passwordHash, isUnconfirmed, ...named, ...lost, ...(isUnnamed && { email: address }) } },
    sessionOption(),
  );
  await endSessionsOf(userId, null);
  const hadSecondFactor = person !== null && hasSecondFactor(person);
  for (const { workspaceId } of await findMemberships(userId, null)) {
    const deed = { workspaceId, actor: { kind: "CONSOLE" as const, id: userId }, input: { userId } };
    await appendAuditEntry({ ...deed, action: "account.setPassword" }, "DONE", null);
    if (link.removesSecondFactor && hadSecondFactor)
      await appendAuditEntry({ ...deed, action: "account.removeSecondFactor" }, "DONE", null);
  }
}

async function isUnconfirmedPerson(userId: string): Promise<boolean> {
  return (await User.findOne({ _id: userId, isUnconfirmed: true }, { _id: 1 }, sessionOption()).lean()) !== null;
}

/** The fields of a person whose second factors were all removed. */
export const NO_SECOND_FACTOR = { totp: null, totpOffered: null, recoveryCodes: [], passkeys: [] };

/** The address of the first person until the link of the first start is used. */
export const UNNAMED = "owner@localhost";

async function join(userId: string, { link, invite }: Linked, now: Date): Promise<void> {
  const { inviteId } = link;
  if (invite === null || inviteId === null) return;
  const { workspaceId, role } = invite;
  const pending = { _id: inviteId, state: "PENDING", expiresAt: trusted({ $gt: now }) };
  const taken = await scoped(workspaceId).Invite.updateOne(pending, { $set: { state: "ACCEPTED", acceptedAt: now } });
  if (taken === 0) throw deadLink("INVITE_REVOKED");
  const member = { workspaceId, userId };
  const isNew = (await Membership.findOne(member, { _id: 1 }, sessionOption()).lean()) === null;
  if (isNew) await Membership.insertMany([{ _id: newId("mbr"), ...member, role, joinedAt: now }], sessionOption());
  const actor = { kind: "CONSOLE" as const, id: userId };
  await appendAuditEntry({ workspaceId, actor, action: "invites.accept", input: { inviteId, userId } }, "DONE", null);
}
