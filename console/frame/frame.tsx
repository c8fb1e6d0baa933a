import { Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { useWorkspaceId } from "../api/path-id.ts";
import { useCall } from "../api/query.ts";
import { useMembership } from "../api/workspace.ts";
import { RefusalAlert } from "../kit/alert.tsx";
import { Looking } from "../kit/looking.tsx";
import { words } from "../words/en.ts";
import { Banners } from "./banners.tsx";
import { Header } from "./header.tsx";
import { keep, LAST_WORKSPACE } from "./kept.ts";
import { Navigation } from "./navigation.tsx";
import { NotMember } from "./not-member.tsx";

/** What stands around every page of a workspace: who and where one is, the way to the other pages, what concerns all of them. */
export function Frame() {
  const workspaceId = useWorkspaceId();
  const { data: person, refusal, again } = useCall("get /session", {});
  const membership = useMembership();
  useEffect(() => {
    if (membership !== null) keep(LAST_WORKSPACE, membership.id);
  }, [membership]);
  return (
    <>
      <a className="skip" href="#content">
        {words.skipToContent}
      </a>
      <Header />
      {membership !== null && <Navigation />}
      <main id="content" tabIndex={-1}>
        {person === undefined && refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
        {person === undefined && refusal === null && <Looking isLooking={true} />}
        {person !== undefined && membership === null && <NotMember person={person} />}
        {membership !== null && (
          <>
            <Banners />
            {/* Nothing of one workspace stays on the page of another */}
            <Outlet key={workspaceId} />
          </>
        )}
      </main>
    </>
  );
}
