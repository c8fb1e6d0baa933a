import { useState } from "react";
import { useCall, useWrite } from "../../api/query.ts";
import { Select } from "../../kit/field.tsx";
import { Empty, Page } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf, pageOfWhole, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { keysWords as says } from "../../words/en/access/keys.ts";
import { policyInWords } from "../../words/en/access/policies.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { NewKey } from "./new-key.tsx";
import { isLiving, type Key, type NameOf, useMemberNames } from "./reads.ts";
import { ScopeList } from "./scope-list.tsx";

function readView(raw: Raw) {
  return { ...readPaged(raw), show: oneOf(["every"], raw["show"]) };
}

/** The workspace's API keys. People who cannot manage members see only their own. */
export function Keys() {
  const [{ page, show }, change] = useView(readView);
  const keys = useCall("get /api-keys", {});
  const order = useSort({});
  const { nameOf } = useMemberNames();
  const { run, refusal } = useWrite("post /api-keys/:keyId/revoke", { renews: ["get /api-keys"] });
  const [isMaking, setMaking] = useState(false);
  const revoke = async ({ id, name }: Key) => {
    const answer = await run({ keyId: id });
    if (answer !== null) say(says.saidRevoked(name));
    return answer;
  };
  const actsOf = (key: Key): Act<Key>[] =>
    isLiving(key)
      ? [{ name: says.revoke, effect: <RevokeEffect apiKey={key} />, isDangerous: true, run: revoke, refusal }]
      : [];
  const make = (
    <button type="button" className="primary" onClick={() => setMaking(true)}>
      {says.create}
    </button>
  );
  const rows = pageOfWhole(keys, page, (key) => show === "every" || isLiving(key));
  // An empty list contains the button, so it is not shown twice
  return (
    <Page title={says.title} subtitle={says.lead} actions={rows.data?.items.length === 0 ? undefined : make}>
      <div className="filters">
        <Select
          label={says.show}
          name="show"
          value={show ?? ""}
          options={[
            { value: "", text: says.living },
            { value: "every", text: says.every },
          ]}
          onPick={(value) => change({ show: value })}
        />
      </div>
      <Table
        label={says.title}
        nouns={nouns.keys}
        rows={rows}
        columns={keyColumns(nameOf)}
        order={order}
        empty={<Empty text={says.empty}>{make}</Empty>}
        acts={actsOf}
        onPage={(next) => change({ page: next })}
      />
      {isMaking && <NewKey onClose={() => setMaking(false)} />}
    </Page>
  );
}

const CREATED: Column<Key> = {
  head: words.created,
  by: "createdAt",
  isDownFirst: true,
  sortKey: ({ createdAt }) => createdAt,
  cell: ({ createdAt }) => <When at={createdAt} />,
};

function keyColumns(nameOf: NameOf): readonly Column<Key>[] {
  return [
    { head: says.name, by: "name", sortKey: ({ name }) => name, cell: ({ name }) => <bdi>{name}</bdi> },
    { head: says.may, cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
    { head: says.sends, cell: ({ policy }) => policyInWords(policy) },
    {
      head: says.by,
      by: "createdBy",
      sortKey: ({ createdBy }) => nameOf(createdBy) ?? createdBy,
      cell: ({ createdBy }) => <bdi>{nameOf(createdBy) ?? createdBy}</bdi>,
    },
    {
      head: says.used,
      by: "lastUsedAt",
      isDownFirst: true,
      sortKey: ({ lastUsedAt }) => lastUsedAt,
      cell: (key) => <Used apiKey={key} />,
    },
    { head: says.ends, by: "expiresAt", sortKey: ({ expiresAt }) => expiresAt, cell: (key) => <Ends apiKey={key} /> },
    CREATED,
  ];
}

function Used({ apiKey: { lastUsedAt, lastUsedIp } }: { apiKey: Key }) {
  if (lastUsedAt === null) return words.never;
  return (
    <>
      <When at={lastUsedAt} />
      {lastUsedIp !== null && <span className="fine"> {says.from(lastUsedIp)}</span>}
    </>
  );
}

function Ends({ apiKey }: { apiKey: Key }) {
  const { revokedAt, expiresAt } = apiKey;
  if (revokedAt !== null)
    return (
      <>
        {says.revoked} <When at={revokedAt} />
      </>
    );
  if (expiresAt === null) return words.never;
  return (
    <>
      {!isLiving(apiKey) && says.ended} <When at={expiresAt} />
    </>
  );
}

/** Shows when the key was last used, which helps to judge what breaks if it is revoked. */
function RevokeEffect({ apiKey }: { apiKey: Key }) {
  return (
    <>
      <p>{says.revokeEffect(apiKey.name)}</p>
      <p>
        {says.lastUsed} <Used apiKey={apiKey} />
      </p>
    </>
  );
}
