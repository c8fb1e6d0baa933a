import { EFFECTS, type Effect, GRANT_POLICY, WAYS, type Way } from "../../domain/access/policy.ts";
import { type Role, scopesOf } from "../../domain/access/roles.ts";
import { isTickedFirst, type Scope } from "../../domain/scopes.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { hasSecondFactor, loadPerson } from "../sign-in/people.ts";
import { createGrant, listGrants, newGrantId } from "./connectors.ts";
import { findMemberships, findRole } from "./members.ts";

/** The scopes that a person can allow an application in one of their workspaces. */
export interface ConsentChoice {
  workspaceId: string;
  workspaceName: string;
  role: Role;
  /** The requested scopes that the person's role may grant; at least one. */
  givable: ReadonlySet<Scope>;
  /**
   * The scopes that are ticked initially: no sensitive one, unless the application already has it there (rules/access
   * 5.4).
   */
  ticked: ReadonlySet<Scope>;
}

export interface Choices {
  /** The address of the person. */
  account: string;
  choices: ConsentChoice[];
  /** The names of workspaces that require a second factor, which this person has not set up. */
  locked: string[];
}

export interface Asked {
  userId: string;
  clientId: string;
  scopes: readonly Scope[];
}

/**
 * The workspaces in which a person may grant some of the requested scopes, each with those scopes. @throws AppError
 * UNAUTHENTICATED when the person no longer exists
 */
export async function findChoices(asked: Asked, now: Date): Promise<Choices> {
  const [person, memberships] = await Promise.all([loadPerson(asked.userId), findMemberships(asked.userId, null)]);
  const isLocked = ({ needsSecondFactor }: { needsSecondFactor: boolean }) =>
    needsSecondFactor && !hasSecondFactor(person);
  const open = memberships.filter((one) => !isLocked(one));
  const choices = await Promise.all(open.map((one) => choiceOf(one, asked, now)));
  return {
    account: person.email,
    choices: choices.filter(({ givable }) => givable.size > 0),
    locked: memberships.filter(isLocked).map(({ workspaceName }) => workspaceName),
  };
}

async function choiceOf(
  { workspaceId, workspaceName, role }: Pick<ConsentChoice, "workspaceId" | "workspaceName" | "role">,
  { userId, clientId, scopes }: Asked,
  now: Date,
): Promise<ConsentChoice> {
  const givable = new Set(scopes.filter((scope) => scopesOf(role).includes(scope)));
  const grants = await listGrants(workspaceId, userId, now);
  const currentScopes = new Set(grants.filter((grant) => grant.clientId === clientId).flatMap((grant) => grant.scopes));
  const ticked = new Set([...givable].filter((scope) => isTickedFirst(scope) || currentScopes.has(scope)));
  return { workspaceId, workspaceName, role, givable, ticked };
}

/** The effects and ways from which a person chooses a policy, and the defaults. */
export const OFFERED = { effects: EFFECTS, ways: WAYS, first: GRANT_POLICY } as const;
export type EffectOffered = Effect;
export type WayOffered = Way;

export interface Consented extends Asked {
  workspaceId: string;
  clientName: string;
  /** The submitted way for each effect; an unknown value becomes the default of a connector. */
  ways: Record<Effect, string | null>;
  ip: string | null;
  traceId: string | null;
}

/** Grants an application the ticked scopes that the role allows. Returns null without a grant when none is left. */
export async function giveConsent(
  { ways, ...given }: Consented,
  now: Date,
): Promise<{ id: string; scopes: Scope[] } | null> {
  const { workspaceId, userId } = given;
  return inTransaction(async () => {
    // This write makes the transaction conflict with a concurrent deletion. A concurrent change of members conflicts at
    // the head of the audit chain
    const living = { _id: workspaceId, deletedAt: null };
    const { matchedCount } = await Workspace.updateOne(living, { $inc: { touches: 1 } }, sessionOption());
    const role = matchedCount === 0 ? null : await findRole(userId, workspaceId);
    const scopes = role === null ? [] : given.scopes.filter((scope) => scopesOf(role).includes(scope));
    if (scopes.length === 0) return null;
    const id = newGrantId();
    await createGrant({ ...given, id, scopes, policy: { ...GRANT_POLICY, ...chosenOf(ways) } }, now);
    return { id, scopes };
  });
}

function chosenOf(asked: Consented["ways"]): Partial<Record<Effect, Way>> {
  const chosen: Partial<Record<Effect, Way>> = {};
  for (const effect of EFFECTS) {
    const way = WAYS.find((one) => one === asked[effect]);
    if (way !== undefined) chosen[effect] = way;
  }
  return chosen;
}
