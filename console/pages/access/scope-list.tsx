import { ALL_SCOPES, isScope, SCOPES, type Scope } from "../../../domain/scopes.ts";
import { AREA, scopesWords as says } from "../../words/en/access/keys.ts";

/** Scopes grouped by the part before the colon, in the order of `AREA`. */
export function byArea(scopes: readonly Scope[]): { area: string; name: string; scopes: Scope[] }[] {
  return Object.entries(AREA).flatMap(([area, name]) => {
    const own = scopes.filter((scope) => scope.startsWith(`${area}:`));
    return own.length === 0 ? [] : [{ area, name, scopes: own }];
  });
}

/** A short summary of what a credential may do; expanded, all of its scopes. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const apiScopes = scopes.filter(isScope);
  const areas = byArea(apiScopes);
  return (
    <details>
      <summary>{apiScopes.length === ALL_SCOPES.length ? says.all : says.some(scopes.length, areas.length)}</summary>
      <ul className="plain">
        {areas.map(({ area, name, scopes: own }) => (
          <li key={area}>
            <strong>{name}</strong>: {own.map((scope) => SCOPES[scope]).join("; ")}
          </li>
        ))}
        {scopes
          .filter((scope) => !isScope(scope))
          .map((scope) => (
            <li key={scope}>
              <code>{scope}</code>
            </li>
          ))}
      </ul>
    </details>
  );
}
