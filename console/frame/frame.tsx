import { useQuery } from "@tanstack/react-query";
import { Link, Outlet } from "@tanstack/react-router";
import { Suspense, useEffect, useState } from "react";
import { useWorkspaceId } from "../api/path-id.ts";
import { prefix } from "../api/prefix.ts";
import { useCall } from "../api/query.ts";
import { type Person, useMay, useMembership } from "../api/workspace.ts";
import { Notice, RefusalAlert } from "../kit/alert.tsx";
import { Looking } from "../kit/looking.tsx";
import { Page } from "../kit/page.tsx";
import { pathTo } from "../kit/to.tsx";
import { DATABASE_AWAY } from "../words/codes.ts";
import { words } from "../words/en.ts";
import { GoToDialog, KillSwitchDialog } from "./dialogs.ts";
import { keep, LAST_WORKSPACE } from "./kept.ts";
import { useIsPhone, useSidebar } from "./layout.ts";
import { RoomTabs } from "./navigation.tsx";
import { PhoneBar } from "./phone-bar.tsx";
import { Sidebar } from "./sidebar.tsx";

/**
 * The frame around every page of a workspace: the person and workspace, the navigation, and notices that concern all
 * pages.
 */
export function Frame() {
  const workspaceId = useWorkspaceId();
  const { data: person, refusal, again } = useCall("get /session", {});
  const membership = useMembership();
  useEffect(() => {
    if (membership !== null) keep(LAST_WORKSPACE, membership.id);
  }, [membership]);
  const isPhone = useIsPhone();
  const [isOpen, onToggle] = useSidebar();
  const [dialog, setDialog] = useState<"goTo" | "stop" | "resume" | null>(null);
  const close = () => setDialog(null);
  const acts = {
    onGoTo: () => setDialog("goTo"),
    onKillSwitch: (isStopped: boolean) => setDialog(isStopped ? "resume" : "stop"),
  };
  const hasTabs = isPhone || !isOpen;
  useGoToKeys(acts.onGoTo);
  return (
    <div className={isPhone ? "shell phone" : isOpen ? "shell" : "shell rail"}>
      <a className="skip" href="#content">
        {words.skipToContent}
      </a>
      {isPhone ? <PhoneBar {...acts} /> : <Sidebar isOpen={isOpen} onToggle={onToggle} {...acts} />}
      <main id="content" tabIndex={-1}>
        {person === undefined && refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
        {person === undefined && refusal === null && <Looking isLooking={true} />}
        {person !== undefined && membership === null && <NotMember person={person} />}
        {membership !== null && (
          <>
            <Banners />
            {hasTabs && <RoomTabs />}
            {/* Resets the page when the workspace changes, so that no data of the other one stays visible */}
            <Outlet key={workspaceId} />
          </>
        )}
      </main>
      <Suspense fallback={null}>
        {dialog === "goTo" && membership !== null && <GoToDialog onClose={close} />}
        {(dialog === "stop" || dialog === "resume") && (
          <KillSwitchDialog isStopped={dialog === "resume"} onClose={close} />
        )}
      </Suspense>
    </div>
  );
}

/** Ctrl K, or Command K on a Mac, opens the list of pages, also while a person types. */
function useGoToKeys(open: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "k" || isInDialog()) return;
      event.preventDefault();
      open();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });
}

function isInDialog(): boolean {
  return document.querySelector("dialog[open]") !== null;
}

/** Shown for a workspace that does not exist, and for one that this person must not see; both look the same. */
function NotMember({ person }: { person: Person }) {
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

const EVERY_MS = 30_000;
const SOON_MS = 5_000;

/** Notices that concern every page: sending is paused, the engine is unreachable, the connection is not encrypted. */
function Banners() {
  return (
    <>
      <Stopped />
      <Missing />
      {location.protocol === "http:" && !isLocal(location.hostname) && (
        <Notice kind="attention">{words.frame.plainHttp}</Notice>
      )}
    </>
  );
}

function Stopped() {
  const may = useMay();
  const { data } = useCall("get /workspace", {}, { every: EVERY_MS, isOff: !may("workspace:read") });
  if (data?.suspension)
    return (
      <Notice kind="attention">
        <strong>{words.killSwitch.suspended}.</strong>{" "}
        {data.suspension.by === "OPERATOR"
          ? words.killSwitch.suspendedText(data.suspension.reason)
          : words.killSwitch.suspendedByService(data.suspension.reason)}
      </Notice>
    );
  if (data?.isSendingPaused !== true) return null;
  return (
    <Notice kind="attention">
      <strong>{words.killSwitch.stopped}.</strong> {words.killSwitch.stoppedText}
    </Notice>
  );
}

interface Readiness {
  mongodb?: string;
  engine?: string;
  missing?: readonly { code: string; message: string }[];
}

/** A notice that lists the parts that are missing for sending email, from the public endpoint `/readyz`. */
function Missing() {
  const { data } = useQuery({ queryKey: ["readyz"], queryFn: loadReadiness, refetchInterval, retry: false });
  const missing = data?.missing ?? [];
  if (isDatabaseAway(data)) return <Notice kind="attention">{DATABASE_AWAY}</Notice>;
  if (missing.length === 0) return null;
  return (
    <Notice kind="attention">
      {data?.engine === "down" ? <p>{words.frame.engineAway}</p> : <p>{words.frame.missing}</p>}
      <ul>
        {missing.map(({ code, message }) => (
          <li key={code}>{message}</li>
        ))}
      </ul>
    </Notice>
  );
}

function isDatabaseAway(data: Readiness | undefined): boolean {
  return data?.mongodb === "down";
}

/**
 * The pause until the next check; shorter while something is missing, so that the notice disappears soon after it is
 * fixed.
 */
function refetchInterval({ state }: { state: { data: Readiness | undefined } }): number {
  return isDatabaseAway(state.data) || (state.data?.missing ?? []).length > 0 ? SOON_MS : EVERY_MS;
}

async function loadReadiness(): Promise<Readiness> {
  return (await fetch(`${prefix}/readyz`)).json();
}

function isLocal(host: string): boolean {
  return host === "localhost" || host === "127.0.0.1" || host === "[::1]";
}
