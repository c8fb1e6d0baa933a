import { type Role, scopesOf } from "../../domain/access/roles.ts";
import { GRANT_POLICY, SENDS, type SendPolicy } from "../../domain/access/send-policy.ts";
import { isTickedFirst, type Scope } from "../../domain/scopes.ts";
import { createGrant, listGrants, newGrantId } from "./connectors.ts";

export interface Member {
  workspaceId: string;
  workspaceName: string;
  role: Role;
}

/** What a person can allow an application in one of their workspaces. */
export interface ConsentChoice extends Member {
  /** Of the scopes that were asked for, those that the role may give; at least one. */
  givable: ReadonlySet<Scope>;
  /** What is ticked at first: nothing sensitive, unless the application holds it there already (rules/access 5.4). */
  ticked: ReadonlySet<Scope>;
}

export interface Asked {
  userId: string;
  clientId: string;
  scopes: readonly Scope[];
}

/** The workspaces in which a person may give something of what is asked, with what. */
export async function findChoices(
  memberships: readonly Member[],
  { userId, clientId, scopes }: Asked,
  now: Date,
): Promise<ConsentChoice[]> {
  const choices = memberships.map(async (member) => {
    const role = scopesOf(member.role);
    const givable = new Set(scopes.filter((scope) => role.includes(scope)));
    const held = (await listGrants(member.workspaceId, userId, now)).filter((grant) => grant.clientId === clientId);
    const known = new Set(held.flatMap((grant) => grant.scopes));
    return { ...member, givable, ticked: new Set([...givable].filter((scope) => isTickedFirst(scope) || known.has(scope))) };
  });
  return (await Promise.all(choices)).filter(({ givable }) => givable.size > 0);
}

/** The ways of sending that a person chooses from; the first is where a connector begins. */
export const SENDS_OFFERED: readonly SendPolicy["sends"][] = [GRANT_POLICY.sends, ...SENDS.filter((one) => one !== GRANT_POLICY.sends)];

export interface Given extends Asked {
  /** In which of their workspaces, and what they are there. */
  member: Pick<Member, "workspaceId" | "role">;
  clientName: string;
  /** One of SENDS_OFFERED; anything else counts as the first. */
  sends: string;
  ip: string | null;
  traceId: string | null;
}

/** Gives an application what was ticked and the role allows. Null when nothing is left of it: then there is no grant. */
export async function giveConsent(given: Given, now: Date): Promise<{ id: string; scopes: Scope[] } | null> {
  const { userId, clientId, clientName, member, ip, traceId } = given;
  const scopes = given.scopes.filter((scope) => scopesOf(member.role).includes(scope));
  if (scopes.length === 0) return null;
  const id = newGrantId();
  const sends = SENDS.find((one) => one === given.sends) ?? GRANT_POLICY.sends;
  const { workspaceId } = member;
  await createGrant({ id, workspaceId, userId, clientId, clientName, scopes, policy: { ...GRANT_POLICY, sends }, ip, traceId }, now);
  return { id, scopes };
}
