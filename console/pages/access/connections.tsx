import { useState } from "react";
import { useCall, useWrite } from "../../api/query.ts";
import { Form } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { Empty, Page, ReferenceLink } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { pageOfWhole, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { connectionsWords as says } from "../../words/en/access/keys.ts";
import { policyInWords } from "../../words/en/access/policies.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { PolicyFields, policyIn } from "./policy-fields.tsx";
import { type Connection, type NameOf, useMemberNames } from "./reads.ts";
import { ScopeList } from "./scope-list.tsx";

const RENEWS = ["get /connections"] as const;

/** Applications that have access by OAuth. People who cannot manage members see only their own. */
export function Connections() {
  const [{ page }, change] = useView(readPaged);
  const connections = useCall("get /connections", {});
  const order = useSort({});
  const { nameOf } = useMemberNames();
  const { run, refusal } = useWrite("post /connections/:connectionId/revoke", { renews: RENEWS });
  const [changing, setChanging] = useState<Connection | null>(null);
  const revoke = async ({ id, clientName }: Connection) => {
    const answer = await run({ connectionId: id });
    if (answer !== null) say(says.revoked(clientName));
    return answer;
  };
  const actsOf = ({ clientName }: Connection): Act<Connection>[] => [
    { name: says.change, run: (connection) => void setChanging(connection) },
    { name: says.revoke, effect: <p>{says.revokeEffect(clientName)}</p>, isDangerous: true, run: revoke, refusal },
  ];
  return (
    <Page title={says.title} subtitle={says.lead}>
      <Table
        label={says.title}
        nouns={nouns.connections}
        rows={pageOfWhole(connections, page)}
        columns={connectionColumns(nameOf)}
        order={order}
        empty={
          <Empty text={says.empty}>
            <ReferenceLink />
          </Empty>
        }
        acts={actsOf}
        onPage={(next) => change({ page: next })}
      />
      {changing !== null && <ChangePolicy connection={changing} onClose={() => setChanging(null)} />}
    </Page>
  );
}

function connectionColumns(nameOf: NameOf): readonly Column<Connection>[] {
  return [
    {
      head: says.name,
      by: "name",
      sortKey: ({ clientName }) => clientName,
      cell: (connection) => <Client connection={connection} />,
    },
    { head: says.may, cell: ({ scopes }) => <ScopeList scopes={scopes} /> },
    { head: says.sends, cell: ({ policy }) => policyInWords(policy) },
    { head: says.by, cell: ({ userId }) => <bdi>{nameOf(userId) ?? userId}</bdi> },
    {
      head: says.since,
      by: "createdAt",
      isDownFirst: true,
      sortKey: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <When at={createdAt} />,
    },
    {
      head: says.used,
      by: "lastUsedAt",
      isDownFirst: true,
      sortKey: ({ lastUsedAt }) => lastUsedAt,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? words.never : <When at={lastUsedAt} />),
    },
    {
      head: says.ends,
      by: "expiresAt",
      sortKey: ({ expiresAt }) => expiresAt,
      cell: ({ expiresAt }) => <When at={expiresAt} />,
    },
  ];
}

/** An application's name and id. It chooses its own name; if the id is a URL, the URL shows who it really is. */
function Client({ connection: { clientName, clientId } }: { connection: Connection }) {
  return (
    <>
      <bdi>{clientName}</bdi>
      <span className="fine">
        <br />
        {clientId}
      </span>
    </>
  );
}

function ChangePolicy({
  connection: { id, clientName, policy },
  onClose,
}: {
  connection: Connection;
  onClose: () => void;
}) {
  const { run, isRunning, refusal } = useWrite("post /connections/:connectionId/policy", { renews: RENEWS });
  const submit = async (next: Connection["policy"]) => {
    if ((await run({ connectionId: id, policy: next })) === null) return;
    say(says.changed(clientName));
    onClose();
  };
  return (
    <Modal title={says.changeTitle(clientName)} onClose={onClose}>
      <Form
        act={says.changeAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={[]}
        onSubmit={(values) => void submit(policyIn(values))}
        onCancel={onClose}
      >
        <PolicyFields policy={policy} refusal={refusal} />
      </Form>
    </Modal>
  );
}
