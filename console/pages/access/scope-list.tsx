import { ALL_SCOPES, isScope, SCOPES, type Scope } from "../../../domain/scopes.ts";
import { AREA, scopesWords as says } from "../../words/en/access/keys.ts";

/** Scopes by the noun that they are about, in the order of the table of nouns. */
export function byArea(scopes: readonly Scope[]): { area: string; name: string; scopes: Scope[] }[] {
  return Object.entries(AREA).flatMap(([area, name]) => {
    const own = scopes.filter((scope) => scope.startsWith(`${area}:`));
    return own.length === 0 ? [] : [{ area, name, scopes: own }];
  });
}

/** What a credential may do: how much at once, all of it when it is opened. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const known = scopes.filter(isScope);
  const areas = byArea(known);
  return (
    <details>
      <summary>{known.length === ALL_SCOPES.length ? says.all : says.some(scopes.length, areas.length)}</summary>
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
