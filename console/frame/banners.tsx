import { useQuery } from "@tanstack/react-query";
import { prefix } from "../api/prefix.ts";
import { useCall } from "../api/query.ts";
import { useMay } from "../api/workspace.ts";
import { Notice } from "../kit/alert.tsx";
import { DATABASE_AWAY } from "../words/codes.ts";
import { words } from "../words/en.ts";

const EVERY_MS = 30_000;
const SOON_MS = 5_000;

/** What concerns every page: mail that is stopped, an engine that is away, a connection that others can read. */
export function Banners() {
  return (
    <>
      <Stopped />
      <Missing />
      {location.protocol === "http:" && !isLocal(location.hostname) && <Notice kind="attention">{words.frame.plainHttp}</Notice>}
    </>
  );
}

function Stopped() {
  const may = useMay();
  const { data } = useCall("get /workspace", {}, { every: EVERY_MS, isOff: !may("workspace:read") });
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

/** What the installation lacks so that mail leaves, as the public state of the service tells it. */
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

/** What is missing is looked at more often, so that its notice goes soon after it is there. */
function refetchInterval({ state }: { state: { data: Readiness | undefined } }): number {
  return isDatabaseAway(state.data) || (state.data?.missing ?? []).length > 0 ? SOON_MS : EVERY_MS;
}

async function loadReadiness(): Promise<Readiness> {
  return (await fetch(`${prefix}/readyz`)).json();
}

function isLocal(host: string): boolean {
  return host === "localhost" || host === "127.0.0.1" || host === "[::1]";
}
