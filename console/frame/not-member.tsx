import { Link } from "@tanstack/react-router";
import type { Person } from "../api/workspace.ts";
import { Page } from "../kit/page.tsx";
import { pathTo } from "../kit/to.tsx";
import { words } from "../words/en.ts";

/** A workspace that is not there, or not for this person: both look the same. */
export function NotMember({ person }: { person: Person }) {
  return (
    <Page title={words.frame.notMember}>
      <p>{words.frame.notMemberText}</p>
      <ul>
        {person.workspaces.map(({ id, name }) => (
          <li key={id}>
            <Link to={pathTo(id, "/")}>{name}</Link>
          </li>
        ))}
      </ul>
    </Page>
  );
}
