import { Navigate } from "@tanstack/react-router";
import { useCall } from "../api/query.ts";
import { LAST_WORKSPACE, readKept } from "../frame/kept.ts";
import { RefusalAlert } from "../kit/alert.tsx";
import { Looking } from "../kit/looking.tsx";
import { Page } from "../kit/page.tsx";
import { pathTo } from "../kit/to.tsx";
import { firstWords as says } from "../words/en/home.ts";
import { words } from "../words/en.ts";

/** `/` redirects to the workspace that was last open, or else to the first one. */
export function FirstWorkspace() {
  const { data, refusal, again } = useCall("get /session", {});
  const last = readKept(LAST_WORKSPACE);
  const workspace = data?.workspaces.find(({ id }) => id === last) ?? data?.workspaces[0];
  if (workspace !== undefined) return <Navigate to={pathTo(workspace.id, "/")} replace />;
  return (
    <main className="lone">
      <Page title={data === undefined ? words.product : says.noWorkspace}>
        {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
        {data === undefined ? <Looking isLooking={refusal === null} /> : <p>{says.noWorkspaceText}</p>}
      </Page>
    </main>
  );
}
