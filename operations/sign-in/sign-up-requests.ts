import { cidIn, MAILS_WITHIN_MS, MOST_MAILS } from "../../domain/access/sign-up.ts";
import { AppError } from "../../domain/errors.ts";
import { SignUpRequest } from "../../models/sign-in/sign-up-request.ts";
import { User } from "../../models/sign-in/user.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { hashOf, newSecret } from "../access/secrets.ts";
import { firstWorkspace } from "../access/workspaces.ts";
import type { Services } from "../context.ts";
import { startJob } from "../jobs.ts";
import { type AttemptSource, countTry, credential } from "./attempts.ts";
import { deadLink } from "./dead-link.ts";
import { LINK_MS } from "./links.ts";
import { findByAddress } from "./people.ts";
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
    await mailLink(services, { email, workspaceName, cid: cidIn(asked.svc) }, now);
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
  return `Someone, most likely you, has an Outreach account with this address.\n\nOpen this link within a day to confirm the address. Until then the account sends no email:\n${link}\n\nIf it was not you, ignore this email.\n`;
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

/** Whether the link confirms the address of an account, instead of making one. */
export async function isConfirmation({ email }: SignUpRequest): Promise<boolean> {
  return (await findByAddress(email))?.isUnconfirmed === true;
}

/**
 * Uses a link, once: the person has confirmed the address. It signs no one in. @throws AppError ROUTE_NOT_FOUND
 */
export async function confirmAddress(token: string, visitor: AttemptSource, now: Date): Promise<void> {
  const { _id, email } = await readSignUp(token, visitor, now);
  await inTransaction(async () => {
    const used = await SignUpRequest.updateOne({ _id, usedAt: null }, { $set: { usedAt: now } }, sessionOption());
    if (used.matchedCount === 0) throw deadLink("SIGN_UP_USED");
    await User.updateOne({ email }, { $set: { isUnconfirmed: false } }, sessionOption());
  });
}
