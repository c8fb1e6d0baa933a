import { useState } from "react";
import { useCall, useWrite } from "../../api/query.ts";
import { Select } from "../../kit/field.tsx";
import { Page } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf, type Raw, readPaged, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { keysWords as says } from "../../words/en/access/keys.ts";
import { policyInWords } from "../../words/en/access/policies.ts";
import { words } from "../../words/en.ts";
import { NewKey } from "./new-key.tsx";
import { isLiving, type Key, type NameOf, pageOfWhole, useMemberNames } from "./reads.ts";
import { ScopeList } from "./scope-list.tsx";

function readView(raw: Raw) {
  return { ...readPaged(raw), show: oneOf(["every"], raw["show"]) };
}

/** The keys of the workspace, one's own alone for who does not manage members. */
export function Keys() {
  const [{ page, show }, change] = useView(readView);
  const keys = useCall("get /api-keys", {});
  const { nameOf } = useMemberNames();
  const { run, refusal } = useWrite("post /api-keys/:keyId/revoke", { renews: ["get /api-keys"] });
  const [isMaking, setMaking] = useState(false);
  const revoke = async ({ id, name }: Key) => {
    const answer = await run({ keyId: id });
    if (answer !== null) say(says.saidRevoked(name));
    return answer;
  };
  const actsOf = (key: Key): Act<Key>[] =>
    isLiving(key) ? [{ name: says.revoke, effect: <RevokeEffect apiKey={key} />, isDangerous: true, run: revoke, refusal }] : [];
  const make = (
    <button type="button" className="primary" onClick={() => setMaking(true)}>
      {says.create}
    </button>
  );
  return (
    <Page title={says.title} actions={make}>
      <p>{says.lead}</p>
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
        rows={pageOfWhole(keys, page, (key) => show === "every" || isLiving(key))}
        columns={columnsOf(nameOf)}
        empty={<p>{says.empty}</p>}
        acts={actsOf}
        onPage={(next) => change({ page: next })}
      />
      {isMaking && <NewKey onClose={() => setMaking(false)} />}
    </Page>
  );
}

function columnsOf(nameOf: NameOf): readonly Column<Key>[] {
  return [
    { head: says.name, cell: ({ name }) => <bdi>{name}</bdi> },
    { head: says.may, cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
    { head: says.sends, cell: ({ policy }) => policyInWords(policy) },
    { head: says.by, cell: ({ createdBy }) => <bdi>{nameOf(createdBy) ?? createdBy}</bdi> },
    { head: says.used, cell: (key) => <Used apiKey={key} /> },
    { head: says.ends, cell: (key) => <Ends apiKey={key} /> },
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

/** What a key was used for last says most about what ends with it. */
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
