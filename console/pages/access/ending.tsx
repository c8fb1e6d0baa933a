import { type Role, scopesOf } from "../../../domain/access/roles.ts";
import { useCall } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { membersWords as says } from "../../words/en/access/members.ts";
import { isLiving, type Member } from "./reads.ts";

/**
 * Lists the member's API keys and connections that a change of role, or removal from the workspace (`next` is null),
 * would revoke.
 */
export function Ending({ member: { userId }, next }: { member: Member; next: Role | null }) {
  const keys = useCall("get /api-keys", {});
  const connections = useCall("get /connections", {});
  const refusal = keys.refusal ?? connections.refusal;
  if (keys.data === undefined || connections.data === undefined)
    return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={keys.again} />;
  const roleScopes: readonly string[] = next === null ? [] : scopesOf(next);
  const isBeyond = (scopes: readonly string[]) => next === null || scopes.some((scope) => !roleScopes.includes(scope));
  const ending = [
    ...keys.data
      .filter((key) => key.createdBy === userId && isLiving(key) && isBeyond(key.scopes))
      .map(({ id, name }) => ({ id, text: says.key(name) })),
    ...connections.data
      .filter((one) => one.userId === userId && isBeyond(one.scopes))
      .map(({ id, clientName }) => ({ id, text: says.connection(clientName) })),
  ];
  if (ending.length === 0) return <p>{says.endsNothing}</p>;
  return (
    <>
      <p>{says.ends(ending.length)}</p>
      <ul>
        {ending.map(({ id, text }) => (
          <li key={id}>{text}</li>
        ))}
      </ul>
    </>
  );
}
