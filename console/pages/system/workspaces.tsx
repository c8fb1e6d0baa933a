import { useCallback, useState } from "react";
import { useCall } from "../../api/query.ts";
import { SearchField } from "../../kit/field.tsx";
import { Empty, Page } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { PAGE_SIZE, type Raw, readPaged, useView } from "../../kit/view.ts";
import { workspacesWords as says } from "../../words/en/workspaces.ts";
import { formatCount, formatShare } from "../../words/format.ts";
import { FindReported } from "./reported.tsx";
import { ActOnWorkspace, type Deed, type Judged } from "./workspace-deed.tsx";

function readView(raw: Raw) {
  return { ...readPaged(raw), search: raw["search"] ?? "" };
}

/** The workspaces of the service with their rates, for operators, who suspend, resume and limit them here. */
export function Workspaces() {
  const [{ page, search }, change] = useView(readView);
  const [asked, setAsked] = useState<{ deed: Deed; workspace: Judged } | null>(null);
  const rows = useCall("get /system/workspaces", { page, pageSize: PAGE_SIZE, ...(search !== "" && { search }) });
  const look = useCallback((words: string) => change({ search: words }, { replaces: true }), [change]);
  const buttons: Column<Judged> = {
    head: says.suspend,
    cell: (workspace) => (
      <div className="actions">
        {(workspace.suspension === null
          ? (["suspend", "resume", "limit"] as const)
          : (["resume", "limit"] as const)
        ).map((deed) => (
          <button
            key={deed}
            type="button"
            aria-label={says[`${deed}Title`](workspace.name)}
            onClick={() => setAsked({ deed, workspace })}
          >
            {says[deed]}
          </button>
        ))}
      </div>
    ),
  };
  return (
    <Page title={says.title} subtitle={says.lead}>
      <div className="filters">
        <SearchField label={says.search} value={search} onSearch={look} />
      </div>
      <Table
        label={says.title}
        nouns={says.nouns}
        rows={rows}
        columns={[...COLUMNS, buttons]}
        empty={<Empty text={says.empty} />}
        onClear={search === "" ? undefined : () => change({ search: null })}
        onPage={(next) => change({ page: next })}
      />
      <FindReported onLook={look} />
      {asked !== null && <ActOnWorkspace {...asked} onClose={() => setAsked(null)} />}
    </Page>
  );
}

const counted = (count: number, rate: number | null) =>
  rate === null ? formatCount(count) : `${formatCount(count)} (${formatShare(rate)})`;

const COLUMNS: readonly Column<Judged>[] = [
  {
    head: says.name,
    cell: ({ id, name }) => (
      <>
        {name} <span className="fine">{id}</span>
      </>
    ),
  },
  { head: says.owner, cell: ({ ownerEmail }) => ownerEmail },
  { head: says.state, cell: (workspace) => <Standing {...workspace} /> },
  { head: says.emails, isNumber: true, cell: ({ emails }) => formatCount(emails) },
  { head: says.bounced, isNumber: true, cell: ({ bounced, rates }) => counted(bounced, rates.bounces) },
  { head: says.complained, isNumber: true, cell: ({ complained, rates }) => counted(complained, rates.complaints) },
  {
    head: says.inSpam,
    isNumber: true,
    cell: ({ inSpam, seen, rates }) => says.of(counted(inSpam, rates.spam), formatCount(seen)),
  },
  {
    head: says.listed,
    isNumber: true,
    cell: ({ listed, domains }) => says.of(formatCount(listed), formatCount(domains)),
  },
];

function Standing({ suspension, cap }: Judged) {
  if (suspension !== null)
    return (
      <>
        <span className="mark bad">{says.suspended}</span> <span className="fine">{suspension.reason}</span>
      </>
    );
  if (cap === null) return says.sending;
  return (
    <>
      <span className="mark waits">{says.limited(formatCount(cap.most))}</span>{" "}
      <span className="fine">{cap.reason}</span>
    </>
  );
}
