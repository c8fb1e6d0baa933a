import type { Scope } from "../../domain/scopes.ts";
import { useMay } from "../api/workspace.ts";
import { type PagePath, To } from "../kit/to.tsx";
import { words } from "../words/en.ts";

interface Entry {
  name: string;
  page: PagePath;
  /** Whoever lacks it does not see the entry. */
  scope: Scope;
}

/** The navigation, in the order of what people do most. */
const ENTRIES: readonly Entry[] = [
  { name: words.navigation.start, page: "/", scope: "campaigns:read" },
  { name: words.navigation.campaigns, page: "/campaigns", scope: "campaigns:read" },
];

export function Navigation() {
  const may = useMay();
  return (
    <nav aria-label={words.frame.navigation} className="navigation">
      <ul>
        {ENTRIES.filter(({ scope }) => may(scope)).map(({ name, page }) => (
          <li key={page}>
            <To page={page} isNavigation>
              {name}
            </To>
          </li>
        ))}
      </ul>
    </nav>
  );
}
