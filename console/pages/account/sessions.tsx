import { useState } from "react";
import type { Out } from "../../api/call.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { Confirm } from "../../kit/modal.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { When } from "../../kit/when.tsx";
import { accountWords as says } from "../../words/en/access/account.ts";

type Session = Out<"get /sessions">[number];

/** Every browser in which the person is signed in; all but this one can be signed out here. */
export function Sessions() {
  const sessions = useCall("get /sessions", {});
  const { run, isRunning, refusal, clear } = useWrite("post /sessions/:sessionId/revoke", {
    renews: ["get /sessions"],
  });
  const [isAsking, setAsking] = useState(false);
  const all = sessions.data ?? [];
  const others = all.filter(({ isCurrent }) => !isCurrent);
  const end = async ({ id }: Session) => {
    const answer = await run({ sessionId: id });
    if (answer !== null) say(says.ended);
    return answer;
  };
  const endOthers = async () => {
    for (const { id } of others) if ((await run({ sessionId: id })) === null) return;
    setAsking(false);
    say(says.endedOthers);
  };
  const close = () => {
    clear();
    setAsking(false);
  };
  const actsOf = ({ isCurrent, browser, ip }: Session): Act<Session>[] => {
    if (isCurrent) return [];
    const effect = <p>{says.endEffect(browserInWords(browser), ip ?? says.somewhere)}</p>;
    return [{ name: says.end, effect, isDangerous: true, run: end, refusal }];
  };
  return (
    <>
      <h2>{says.sessions}</h2>
      <Table
        label={says.sessions}
        rows={{ ...sessions, data: sessions.data && { items: all, total: all.length, page: 1, pageSize: all.length } }}
        columns={COLUMNS}
        empty={<p>{says.noSessions}</p>}
        acts={actsOf}
      />
      {others.length > 0 && (
        <div className="buttons">
          <button type="button" onClick={() => setAsking(true)}>
            {says.endOthers}
          </button>
        </div>
      )}
      {isAsking && (
        <Confirm
          title={says.endOthers}
          effect={<p>{says.endOthersEffect(others.length)}</p>}
          act={says.endOthers}
          isDangerous
          isRunning={isRunning}
          refusal={refusal}
          onAct={() => void endOthers()}
          onClose={close}
        />
      )}
    </>
  );
}

const COLUMNS: readonly Column<Session>[] = [
  {
    head: says.browser,
    cell: ({ browser, isCurrent }) => (
      <>
        <span title={browser ?? ""}>{browserInWords(browser)}</span>
        {isCurrent && <span className="fine"> {says.here}</span>}
      </>
    ),
  },
  { head: says.from, cell: ({ ip }) => ip ?? says.somewhere },
  { head: says.seen, cell: ({ lastSeenAt }) => <When at={lastSeenAt} /> },
  { head: says.opened, cell: ({ createdAt }) => <When at={createdAt} /> },
  { head: says.expires, cell: ({ expiresAt }) => <When at={expiresAt} /> },
];

const BROWSERS = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/**
 * The browser and system in a user agent, such as "Firefox, Windows". Browsers also name other browsers in it, so the
 * first name found in the table counts.
 */
function browserInWords(named: string | null): string {
  if (named === null) return says.unknownBrowser;
  const find = (table: readonly (readonly [string, string])[]) => table.find(([mark]) => named.includes(mark))?.[1];
  const names = [find(BROWSERS), find(SYSTEMS)].filter((one) => one !== undefined);
  return names.length === 0 ? named : names.join(", ");
}
