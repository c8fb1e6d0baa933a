import { z } from "zod";
import { isPassword, LONGEST_PASSWORD } from "../../domain/access/password.ts";
import { MAILS_WITHIN_MS, MOST_MAILS } from "../../domain/access/sign-up.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import type { Session } from "../../models/sign-in/session.ts";
import { User } from "../../models/sign-in/user.ts";
import { findMemberships, role } from "../access/members.ts";
import { confirmSession, endSession, findSessionsOf } from "../access/sessions.ts";
import type { Context } from "../context.ts";
import { name as named, nullable, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { usePasskey } from "./passkeys.ts";
import { changePassword } from "./password.ts";
import { hasSecondFactor, loadPerson } from "./people.ts";
import { useCode } from "./second-factor.ts";
import { requestConfirmation } from "./sign-up-requests.ts";

/**
 * Operations on a person's own sessions and account. API keys cannot call them, because a key must not be able to
 * create its own successor.
 */

const CurrentSession = z.object({
  id: z.string().describe("The id of this session: `ses_…`"),
  userId: z.string().describe("The id of the person: `usr_…`"),
  email: z.string().describe("The address that the person signs in with"),
  name: nullable(z.string()).describe("The name of the person"),
  isOperator: z.boolean().describe("Whether the person is an operator outside a portal"),
  mustConfirmAddress: z
    .boolean()
    .describe(
      "Whether the person has not confirmed the address. A workspace sends nothing while none of its owners has",
    ),
  engineRunsUrl: nullable(z.string()).describe("For an operator: the page of Temporal that lists workflow runs"),
  hasSecondFactor: z.boolean().describe("Whether each sign-in needs a second factor"),
  confirmedAt: time.describe("When password or second factor was last confirmed"),
  expiresAt: time.describe("When the session expires"),
  workspaces: z
    .array(
      z.object({
        id: z.string().describe("The id of the workspace: `wsp_…`"),
        name: z.string().describe("The name of the workspace"),
        role,
        needsSecondFactor: z.boolean().describe("Whether members need a second factor"),
      }),
    )
    .describe("The workspaces of the person"),
});

const nothing = z.strictObject({});
const ended = z.object({
  id: z.string().describe("The id of the session"),
  deleted: z.literal(true).describe("The session has ended"),
});

export const get = operation({
  summary: "Show who is signed in in this browser, and their workspaces",
  scope: null,
  input: nothing,
  output: CurrentSession,
  run: async (ctx) => describe(ctx, sessionOf(ctx)),
});

export const end = operation({
  summary: "Sign out of this browser",
  scope: null,
  input: nothing,
  output: ended,
  async run(ctx) {
    const session = sessionOf(ctx);
    await endSession(session);
    return { id: session.sessionId, deleted: true as const };
  },
});

export const confirm = operation({
  summary: "Confirm the password, and the second factor if set up, to allow sensitive actions for ten minutes",
  scope: null,
  errors: ["WRONG_PASSWORD", "WRONG_CODE"],
  checksSecret: true,
  input: z.strictObject({
    password: z
      .string()
      .max(LONGEST_PASSWORD * 4)
      .describe("The password"),
    code: z
      .string()
      .max(40)
      .optional()
      .describe("A code of the app, or a recovery code; required if the person has a second factor"),
    passkey: z.record(z.string(), z.unknown()).optional().describe("The proof of a passkey instead of a code"),
  }),
  output: CurrentSession,
  async run(ctx, { password, code, passkey }) {
    const session = sessionOf(ctx);
    const person = await loadPerson(session.userId);
    if (!(await isPassword(password, person.passwordHash)))
      throw new AppError("WRONG_PASSWORD", "The password is not right");
    if (hasSecondFactor(person)) {
      if (passkey !== undefined) await usePasskey(ctx.services.settings.publicUrl, session, person, passkey);
      else if (code === undefined) throw invalid("code", "is required: this person has a second factor", "REQUIRED");
      else await useCode(ctx.services.keyRing, person, code, new Date());
    }
    const confirmedAt = new Date();
    await confirmSession(session, confirmedAt);
    return describe(ctx, { ...session, confirmedAt });
  },
});

export const confirmAddress = operation({
  summary: "Email the link that confirms the address of the person who is signed in",
  scope: null,
  errors: ["INVALID_STATE_TRANSITION", "RATE_LIMITED"],
  input: nothing,
  output: z.object({ email: z.string().describe("The address to which the link is on its way") }),
  async run(ctx) {
    const person = await loadPerson(sessionOf(ctx).userId);
    const { email } = person;
    const { allowSignUp, hasSystemMail } = ctx.services.settings;
    if (person.isUnconfirmed !== true || !allowSignUp || !hasSystemMail)
      throw new AppError("INVALID_STATE_TRANSITION", "This address needs no confirmation", { email });
    if (!(await requestConfirmation(ctx.services, person, new Date())))
      throw new AppError("RATE_LIMITED", `At most ${MOST_MAILS} links an hour: check your spam folder`, {
        retryAfterSeconds: MAILS_WITHIN_MS / 1_000,
      });
    return { email };
  },
});

export const list = operation({
  summary: "List the browsers where you are signed in, latest first",
  scope: null,
  input: nothing,
  output: z.array(
    z.object({
      id: z.string().describe("The id of the session: `ses_…`"),
      isCurrent: z.boolean().describe("Whether this is the current browser"),
      ip: nullable(z.string()).describe("The IP address that opened the session"),
      browser: nullable(z.string()).describe("The user agent of the browser"),
      createdAt: time.describe("When the session was opened"),
      lastSeenAt: time.describe("When the session was last used, to the minute"),
      expiresAt: time.describe("When the session expires"),
    }),
  ),
  async run(ctx) {
    const session = sessionOf(ctx);
    const all = await findSessionsOf(session, new Date());
    return all.map(({ _id, sessionId, ip, browser, createdAt, lastSeenAt, expiresAt }) => {
      return { id: sessionId, isCurrent: _id === session._id, ip, browser, createdAt, lastSeenAt, expiresAt };
    });
  },
});

export const revoke = operation({
  summary: "Sign out of another browser",
  scope: null,
  errors: ["SESSION_NOT_FOUND"],
  input: z.strictObject({ sessionId: z.string().max(64).describe("The id of the session: `ses_…`") }),
  output: ended,
  async run(ctx, { sessionId }) {
    const all = await findSessionsOf(sessionOf(ctx), new Date());
    const found = all.find((one) => one.sessionId === sessionId);
    if (found === undefined) throw new AppError("SESSION_NOT_FOUND", "You have no such session");
    await endSession(found);
    return { id: sessionId, deleted: true as const };
  },
});

export const password = operation({
  summary: "Change your password; all other browsers are signed out",
  scope: null,
  errors: ["WRONG_PASSWORD"],
  checksSecret: true,
  input: z.strictObject({
    currentPassword: z
      .string()
      .max(LONGEST_PASSWORD * 4)
      .describe("The present password"),
    password: z
      .string()
      .max(LONGEST_PASSWORD * 4)
      .describe("The new password, 10 to 200 characters"),
  }),
  output: CurrentSession,
  async run(ctx, { currentPassword, password }) {
    const session = sessionOf(ctx);
    await refuseBeyondPortal(session);
    await changePassword(session, currentPassword, password);
    return describe(ctx, session);
  },
});

export const rename = operation({
  summary: "Change your name",
  scope: null,
  input: z.strictObject({ name: named.describe("The new name") }),
  output: CurrentSession,
  async run(ctx, { name }) {
    const session = sessionOf(ctx);
    await User.updateOne({ _id: session.userId }, { $set: { name } });
    return describe(ctx, session);
  },
});

/** @throws AppError UNAUTHENTICATED without a session */
export function sessionOf({ session }: Context): Session {
  if (session === undefined) throw new AppError("UNAUTHENTICATED", "Sign in first");
  return session;
}

/**
 * Refuses changes to an account at a portal if the account also works outside of it, because the owner of the portal's
 * domain could read all requests (rules/access 6.2).
 * @throws AppError CROSS_SITE_REFUSED
 */
export async function refuseBeyondPortal({ userId, portalId }: Session): Promise<void> {
  if ((portalId ?? null) === null) return;
  const [{ isOperator }, all, open] = await Promise.all([
    loadPerson(userId),
    findMemberships(userId, null),
    findMemberships(userId, portalId),
  ]);
  if (!isOperator && all.length === open.length) return;
  throw new AppError(
    "CROSS_SITE_REFUSED",
    "Your account is not limited to this portal: change it at the service's own address",
  );
}

async function describe({ services }: Context, session: Session): Promise<z.input<typeof CurrentSession>> {
  const { sessionId: id, userId, portalId, confirmedAt, expiresAt } = session;
  const [person, memberships] = await Promise.all([loadPerson(userId), findMemberships(userId, portalId ?? null)]);
  const workspaces = memberships.map(({ workspaceId, workspaceName, role, needsSecondFactor }) => {
    return { id: workspaceId, name: workspaceName, role, needsSecondFactor };
  });
  const { email, name } = person;
  const isOperator = operates(person, session);
  const engineRunsUrl = isOperator ? services.settings.engineRunsUrl : null;
  const { allowSignUp, hasSystemMail } = services.settings;
  const mustConfirmAddress = allowSignUp && hasSystemMail && person.isUnconfirmed === true;
  const about = { id, userId, email, name, isOperator, mustConfirmAddress, engineRunsUrl };
  return { ...about, hasSecondFactor: hasSecondFactor(person), confirmedAt, expiresAt, workspaces };
}

/** The person of a call, who must be an operator outside a portal. @throws AppError ROLE_NOT_ALLOWED, UNAUTHENTICATED */
export async function loadOperator(ctx: Context, refusal: string): Promise<User> {
  const session = sessionOf(ctx);
  const person = await loadPerson(session.userId);
  if (!operates(person, session)) throw new AppError("ROLE_NOT_ALLOWED", refusal);
  return person;
}

/** Returns true for an operator, except at a portal, which gives access to nothing beyond it (rules/access 6.2). */
export function operates({ isOperator }: Pick<User, "isOperator">, { portalId }: Session): boolean {
  return isOperator && (portalId ?? null) === null;
}
