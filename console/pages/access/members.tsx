import { useState } from "react";
import { ROLES, type Role } from "../../../domain/access/roles.ts";
import { useCall, useWrite } from "../../api/query.ts";
import { useMay, useMembership } from "../../api/workspace.ts";
import { Form } from "../../kit/form.tsx";
import { PersonChip } from "../../kit/given.tsx";
import { Modal } from "../../kit/modal.tsx";
import { Empty, Page } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { PAGE_SIZE, type Raw, readPaged, useSort, useView } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { ROLE_MAY, membersWords as says } from "../../words/en/access/members.ts";
import { nouns } from "../../words/en/nouns.ts";
import { ROLE } from "../../words/states.ts";
import { Ending } from "./ending.tsx";
import { Invites, NewInvite, RoleChoice } from "./invites.tsx";
import type { Member } from "./reads.ts";

const RENEWS = ["get /members", "get /session", "get /api-keys", "get /connections"] as const;

function readView(raw: Raw) {
  return { ...readPaged(raw), invites: readPaged({ page: raw["invites"] ?? "" }).page };
}

/** The people in the workspace with their roles, and the invited people. */
export function Members() {
  const [{ page, invites }, change] = useView(readView);
  const mayChange = useMay()("workspace:write");
  const [isInviting, setInviting] = useState(false);
  const invite = (
    <button type="button" className="primary" onClick={() => setInviting(true)}>
      {says.invite}
    </button>
  );
  return (
    <Page title={says.title} actions={mayChange ? invite : undefined}>
      <MemberTable page={page} onPage={(next) => change({ page: next })} />
      <Invites
        onInvite={mayChange ? () => setInviting(true) : null}
        page={invites}
        onPage={(next) => change({ invites: next, page })}
      />
      {isInviting && <NewInvite onClose={() => setInviting(false)} />}
    </Page>
  );
}

function MemberTable({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const order = useSort({ served: ["joinedAt"], usual: "-joinedAt" });
  const members = useCall("get /members", { page, pageSize: PAGE_SIZE, sort: order.asked });
  const { data: person } = useCall("get /session", {});
  const mayChange = useMay()("workspace:write");
  const isOwner = useMembership()?.role === "OWNER";
  const { run, refusal } = useWrite("post /members/manage", { renews: RENEWS });
  const [changing, setChanging] = useState<Member | null>(null);
  const isMe = ({ userId }: Member) => userId === person?.userId;
  const remove = async (member: Member) => {
    const answer = await run({ action: "remove", memberId: member.id });
    if (answer !== null) say(says.removed(calledOf(member)));
    return answer;
  };
  // Only an owner can change another owner; the server refuses everyone else
  const actsOf = (member: Member): Act<Member>[] => {
    if (member.role === "OWNER" && !isOwner) return [];
    const effect = (
      <>
        <p>{isMe(member) ? says.leaveEffect : says.removeEffect(calledOf(member))}</p>
        <Ending member={member} next={null} />
      </>
    );
    return [
      { name: says.changeRole, run: () => void setChanging(member) },
      { name: isMe(member) ? says.leave : says.remove, effect, isDangerous: true, run: remove, refusal },
    ];
  };
  return (
    <>
      <Table
        label={says.title}
        nouns={nouns.members}
        rows={members}
        columns={memberColumns(isMe)}
        order={order}
        empty={<Empty text={says.empty} />}
        onPage={onPage}
        {...(mayChange && { acts: actsOf })}
      />
      {changing !== null && <ChangeRole member={changing} isOwner={isOwner} onClose={() => setChanging(null)} />}
    </>
  );
}

function memberColumns(isMe: (member: Member) => boolean): readonly Column<Member>[] {
  return [
    { head: says.who, by: "name", sortKey: calledOf, cell: (member) => <Person member={member} isMe={isMe(member)} /> },
    {
      head: says.may,
      by: "role",
      sortKey: ({ role }) => ROLES.indexOf(role),
      cell: ({ role }) => <RoleShown role={role} />,
    },
    { head: says.since, by: "joinedAt", isDownFirst: true, cell: ({ joinedAt }) => <When at={joinedAt} /> },
  ];
}

function RoleShown({ role }: { role: Role }) {
  return (
    <>
      {ROLE[role]}
      <span className="fine">
        <br />
        {ROLE_MAY[role]}
      </span>
    </>
  );
}

function Person({ member: { name, email }, isMe }: { member: Member; isMe: boolean }) {
  return (
    <>
      <PersonChip name={name ?? email} />
      {isMe && <span className="fine"> {says.you}</span>}
      {name !== null && (
        <span className="fine">
          <br />
          {email}
        </span>
      )}
    </>
  );
}

function calledOf({ name, email }: Member): string {
  return name ?? email;
}

interface ChangeRoleProps {
  member: Member;
  isOwner: boolean;
  onClose: () => void;
}

/** Changes a member's role, and shows the API keys and connections that this revokes. */
function ChangeRole({ member, isOwner, onClose }: ChangeRoleProps) {
  const { run, isRunning, refusal } = useWrite("post /members/manage", { renews: RENEWS });
  const [role, setRole] = useState(member.role);
  const submit = async () => {
    if ((await run({ action: "updateRole", memberId: member.id, role })) === null) return;
    say(says.changed(calledOf(member)));
    onClose();
  };
  return (
    <Modal title={says.changeRoleOf(calledOf(member))} onClose={onClose}>
      <Form
        act={says.changeAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={["role"]}
        onSubmit={() => void submit()}
        onCancel={onClose}
      >
        <RoleChoice
          label={says.newRole}
          roles={isOwner ? ROLES : ROLES.filter((one) => one !== "OWNER")}
          value={role}
          refusal={refusal}
          onPick={setRole}
        />
        {role !== member.role && (
          <div className="effect">
            <Ending member={member} next={role} />
          </div>
        )}
      </Form>
    </Modal>
  );
}
