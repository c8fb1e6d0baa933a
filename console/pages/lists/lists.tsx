import { useNavigate } from "@tanstack/react-router";
import listIcon from "lucide/dist/esm/icons/list.mjs";
import { useCallback, useState } from "react";
import { isNamed } from "../../../domain/fold.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { SearchField } from "../../kit/field.tsx";
import { Given } from "../../kit/given.tsx";
import { Empty, Page } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { pathTo, To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { pageOfWhole, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { LIST_TYPE, listWords as says } from "../../words/en/leads/lists.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { formatCount } from "../../words/format.ts";
import { Planned } from "../campaign-setup/planned.tsx";
import { type List, RENEWS } from "./reads.ts";

const EVERY_MS = 30_000;

function readView(raw: Raw) {
  return { ...readPaged(raw), search: raw["search"] ?? "" };
}

/** The lead lists of the workspace. The server returns all of them. */
export function Lists() {
  const [{ page, search }, change] = useView(readView);
  const may = useMay();
  const mayWrite = may("lead_lists:write");
  const lists = useCall("get /lead-lists", {}, { every: EVERY_MS });
  const order = useSort({});
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const [removing, setRemoving] = useState<List | null>(null);
  const look = useCallback((words: string) => change({ search: words }, { replaces: true }), [change]);
  const verify = ({ id }: List) => navigate({ to: pathTo(workspaceId, "/verification"), search: { list: id } });
  const acts: readonly Act<List>[] = [
    ...(mayWrite
      ? [
          {
            name: says.edit,
            run: ({ id }: List) => navigate({ to: pathTo(workspaceId, "/lists/$listId", { listId: id }) }),
          },
        ]
      : []),
    ...(may("leads:write") && may("verification:read") ? [{ name: says.verify, run: verify }] : []),
    ...(mayWrite ? [{ name: says.remove, run: async (list: List) => setRemoving(list) }] : []),
  ];
  const add = (
    <To page="/lists/new" className="button primary">
      {says.add}
    </To>
  );
  return (
    <Page title={says.title} subtitle={says.lead} {...(mayWrite && lists.data?.length !== 0 && { actions: add })}>
      <div className="filters">
        <SearchField label={words.search} value={search} onSearch={look} />
      </div>
      <Table
        label={says.title}
        nouns={nouns.lists}
        rows={pageOfWhole(lists, page, ({ name, description }) => isNamed(search, [name, description ?? ""]))}
        order={order}
        columns={COLUMNS}
        empty={
          <Empty icon={listIcon} text={says.empty}>
            {mayWrite && add}
          </Empty>
        }
        onClear={search === "" ? undefined : () => change({ search: null })}
        onPage={(next) => change({ page: next })}
        {...(acts.length > 0 && { acts: () => acts })}
      />
      {removing !== null && <RemoveList list={removing} onClose={() => setRemoving(null)} />}
    </Page>
  );
}

const COLUMNS: readonly Column<List>[] = [
  {
    head: says.name,
    by: "name",
    sortKey: ({ name }) => name,
    cell: ({ id, name }) => (
      <To page="/leads" view={{ list: id }}>
        <Given isShort>{name}</Given>
      </To>
    ),
  },
  { head: says.type, by: "type", sortKey: ({ type }) => LIST_TYPE[type], cell: ({ type }) => LIST_TYPE[type] },
  {
    head: says.members,
    by: "members",
    isNumber: true,
    isDownFirst: true,
    sortKey: ({ memberCount }) => memberCount,
    cell: (list) => <Members list={list} />,
  },
  {
    head: says.description,
    by: "description",
    sortKey: ({ description }) => description,
    cell: ({ description }) => <Given isShort>{description ?? "–"}</Given>,
  },
  {
    head: words.created,
    by: "createdAt",
    isDownFirst: true,
    sortKey: ({ createdAt }) => createdAt,
    cell: ({ createdAt }) => <When at={createdAt} />,
  },
];

/** How many leads the list has. A dynamic list is counted from time to time. */
function Members({ list: { type, memberCount, countedAt } }: { list: List }) {
  if (type === "STATIC") return formatCount(memberCount);
  if (countedAt === null) return says.notCounted;
  return (
    <>
      {formatCount(memberCount)}{" "}
      <span className="fine">
        {says.countedAt} <When at={countedAt} />
      </span>
    </>
  );
}

const ENDPOINT = "post /lead-lists/manage";

/** Shows what a deletion of a list changes, campaigns that use it included, and then does exactly that. */
function RemoveList({ list: { id: listId, name, memberCount }, onClose }: { list: List; onClose: () => void }) {
  const plan = useWrite(ENDPOINT, { renews: [] });
  const commit = useWrite(ENDPOINT, { renews: [...RENEWS, "get /campaigns/:campaignId"] });
  return (
    <Planned
      title={says.removeTitle(name)}
      act={says.removeAct}
      intro={
        <>
          <p>{says.removeEffect(memberCount)}</p>
          <p>{says.removeCampaigns}</p>
        </>
      }
      plan={{ ...plan, ask: () => plan.run({ action: "delete", listId, planOnly: true }) }}
      commit={{
        ...commit,
        run: async (planToken) => (await commit.run({ action: "delete", listId, planToken })) !== null,
      }}
      onDone={() => {
        say(says.saidRemoved(name));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
