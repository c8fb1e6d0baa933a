import { hashPassword, whyNotPassword } from "../../domain/access/password.ts";
import { cidIn, MAILS_WITHIN_MS, MOST_MAILS } from "../../domain/access/sign-up.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { SignInLink } from "../../models/sign-in/sign-in-link.ts";
import { SignUpRequest } from "../../models/sign-in/sign-up-request.ts";
import { User } from "../../models/sign-in/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { endCredentialsBeyond, findMemberships } from "../access/members.ts";
import { hashOf, newSecret } from "../access/secrets.ts";
import { endSessionsOf } from "../access/sessions.ts";
import { firstWorkspace } from "../access/workspaces.ts";
import type { Services } from "../context.ts";
import { startJob } from "../jobs.ts";
import { type AttemptSource, countTry, credential } from "./attempts.ts";
import { deadLink } from "./dead-link.ts";
import { LINK_MS, NO_SECOND_FACTOR } from "./links.ts";
import { findByAddress, hasSecondFactor } from "./people.ts";
import { type AlsoOnSignUp, addressOf, countSignUpTry, refuseTooEarly, signUp, workspaceNameOf } from "./sign-up.ts";
import type { CountSignUp } from "./sign-up-limits.ts";

export interface AskedSignUp {
  email: string;
  workspaceName: string;
  /** As in `NewAccount`. */
  svc: string | null;
}

/**
 * Emails a link with which the person creates the account. If the address already has an account, the email says that
 * instead. The response is the same in both cases, so that it does not reveal which addresses have accounts.
 * @throws AppError VALIDATION_FAILED, RATE_LIMITED or SERVICE_UNAVAILABLE, without sending an email
 */
export async function requestSignUp(
  services: Services,
  asked: AskedSignUp,
  visitor: AttemptSource,
  now: Date,
  count: CountSignUp,
): Promise<void> {
  await countSignUpTry(asked.email, visitor);
  const email = addressOf(asked.email);
  const workspaceName = workspaceNameOf(asked.workspaceName);
  await refuseTooEarly();
  const takeBack = await count(email, visitor);
  try {
    if (!(await mailLink(services, { email, workspaceName, cid: cidIn(asked.svc) }, now))) await takeBack();
  } catch (error) {
    await takeBack();
    throw error;
  }
}

/**
 * Emails a link that confirms the address of a person who signed up without one (rules/access 2.7). Returns false
 * without an email when the address has had as many as it may within an hour.
 */
export function requestConfirmation(services: Services, { email }: Pick<User, "email">, now: Date): Promise<boolean> {
  return mailLink(services, { email, workspaceName: email, cid: null }, now);
}

async function mailLink(
  services: Services,
  request: Pick<SignUpRequest, "email" | "workspaceName" | "cid">,
  now: Date,
): Promise<boolean> {
  const { email } = request;
  const { value, hash } = newSecret();
  const recent = { email, createdAt: trusted({ $gt: new Date(now.getTime() - MAILS_WITHIN_MS) }) };
  if ((await SignUpRequest.countDocuments(recent)) >= MOST_MAILS) return false;
  const person = await findByAddress(email);
  const expiresAt = new Date(now.getTime() + LINK_MS);
  await SignUpRequest.insertMany([{ _id: hash, ...request, expiresAt }]);
  const { publicUrl } = services.settings;
  const link = `${publicUrl}/signup/${value}`;
  const text =
    person === null ? linkText(link) : person.isUnconfirmed === true ? confirmText(link) : knownText(publicUrl);
  await mail(services, { to: email, subject: "Your account in Outreach", text });
  return true;
}

/** Sends the email with a job of the first workspace, whose members are the operators. */
async function mail(services: Services, row: { to: string; subject: string; text: string }): Promise<void> {
  const workspaceId = await firstWorkspace();
  if (workspaceId === null) throw new AppError("SERVICE_UNAVAILABLE", "There is no workspace yet");
  const chunks = [{ count: 1, json: JSON.stringify([row]) }];
  await startJob(
    { workspaceId, services },
    { type: "SYSTEM_MAIL", fileName: null, parameters: { isOfService: true }, chunks },
  );
}

function linkText(link: string): string {
  return `Someone, most likely you, asked for an Outreach account with this address.\n\nOpen this link within a day to choose a password:\n${link}\n\nIf it was not you, ignore this email: no account was created.\n`;
}

function confirmText(link: string): string {
  return `Someone, most likely you, has an Outreach account with this address.\n\nOpen this link within a day to confirm the address. Until then its workspaces may send no email:\n${link}\n\nIf it was not you, ignore this email.\n`;
}

function knownText(publicUrl: string): string {
  return `Someone, most likely you, asked for an Outreach account with this address. You already have one: sign in at\n${publicUrl}/login\n\nIf it was not you, ignore this email: nothing was changed.\n`;
}

/**
 * Reads a link without using it. @throws AppError ROUTE_NOT_FOUND for a link that is unknown, used or expired;
 * RATE_LIMITED
 */
export function readSignUp(
  token: string,
  { address }: Pick<AttemptSource, "address">,
  now: Date,
): Promise<SignUpRequest> {
  return credential(address, async () => {
    const request = await SignUpRequest.findOne({ _id: hashOf(token) }, null, sessionOption()).lean<SignUpRequest>();
    if (request === null || request.expiresAt <= now) throw deadLink("SIGN_UP_UNKNOWN");
    if (request.usedAt !== null) throw deadLink("SIGN_UP_USED");
    return request;
  });
}

/**
 * Uses a link, once: creates the person, the workspace and its owner. Each attempt is counted for the link, because it
 * costs a password hash.
 * @throws AppError ROUTE_NOT_FOUND, VALIDATION_FAILED or RATE_LIMITED, without effect
 */
export async function followSignUp(
  token: string,
  { name, password }: { name: string | null; password: string },
  also: AlsoOnSignUp,
  visitor: AttemptSource,
  now: Date,
): Promise<User> {
  const { _id, email, workspaceName, cid } = await readSignUp(token, visitor, now);
  await countTry([`signup:${token}`], "tries");
  const made = await signUp(
    { email, workspaceName, svc: cid, name, password },
    async (signedUp) => {
      const used = await SignUpRequest.updateOne({ _id, usedAt: null }, { $set: { usedAt: now } }, sessionOption());
      if (used.matchedCount === 0) throw deadLink("SIGN_UP_USED");
      await also(signedUp);
    },
    { isConfirmed: true },
  );
  if (made === null) throw deadLink("SIGN_UP_KNOWN");
  return made;
}

/**
 * Whether the link confirms the address of an account, instead of making one. @throws AppError ROUTE_NOT_FOUND for an
 * address that is already confirmed
 */
export async function isConfirmation({ email }: SignUpRequest): Promise<boolean> {
  const person = await findByAddress(email);
  if (person !== null && person.isUnconfirmed !== true) throw deadLink("SIGN_UP_KNOWN");
  return person !== null;
}

/** Whether the person whose address the link confirms is the one who is signed in in this browser. */
export async function isOfPerson({ email }: SignUpRequest, userId: string | null): Promise<boolean> {
  return userId !== null && (await findByAddress(email))?._id === userId;
}

/**
 * Uses a link, once: the person has confirmed the address. Someone else may have made the account with this address.
 * So unless the person is signed in in this browser (`signedIn`), the person chooses a new password, and all sessions,
 * keys, connectors and second factors of before end. It signs no one in.
 * @throws AppError ROUTE_NOT_FOUND, VALIDATION_FAILED or RATE_LIMITED, without effect
 */
export async function confirmAddress(
  token: string,
  { password, signedIn }: { password: string; signedIn: string | null },
  visitor: AttemptSource,
  now: Date,
): Promise<void> {
  const request = await readSignUp(token, visitor, now);
  const { _id, email } = request;
  await countTry([`signup:${token}`], "tries");
  const passwordHash = (await isOfPerson(request, signedIn)) ? null : await hashNew(password, email);
  await inTransaction(async () => {
    const used = await SignUpRequest.updateOne({ _id, usedAt: null }, { $set: { usedAt: now } }, sessionOption());
    if (used.matchedCount === 0) throw deadLink("SIGN_UP_USED");
    const person = await findByAddress(email);
    if (person?.isUnconfirmed !== true) throw deadLink("SIGN_UP_KNOWN");
    await User.updateOne({ _id: person._id }, { $set: { isUnconfirmed: false } }, sessionOption());
    await auditAccount(person._id, "account.confirmAddress");
    if (passwordHash !== null) await takeOver(person, passwordHash);
  });
}

async function hashNew(password: string, email: string): Promise<string> {
  const why = whyNotPassword(password, email);
  if (why !== null) throw invalid("password", why);
  return hashPassword(password);
}

/** Gives the account to the person who reads emails at its address, and to no one who had it before. */
async function takeOver(person: User, passwordHash: string): Promise<void> {
  const { _id: userId } = person;
  await User.updateOne({ _id: userId }, { $set: { passwordHash, ...NO_SECOND_FACTOR } }, sessionOption());
  await SignInLink.deleteMany({ userId, usedAt: null }, sessionOption());
  await endSessionsOf(userId, null);
  for (const { workspaceId } of await findMemberships(userId, null))
    await endCredentialsBeyond(workspaceId, userId, null, userId);
  await auditAccount(userId, "account.setPassword");
  if (hasSecondFactor(person)) await auditAccount(userId, "account.removeSecondFactor");
}

/** Writes an entry of the person into the audit log of each of their workspaces. */
async function auditAccount(userId: string, action: string): Promise<void> {
  for (const { workspaceId } of await findMemberships(userId, null)) {
    const actor = { kind: "CONSOLE" as const, id: userId };
    await appendAuditEntry({ workspaceId, actor, action, input: { userId } }, "DONE", null);
  }
}
