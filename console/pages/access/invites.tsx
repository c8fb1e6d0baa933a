import { useState } from "react";
import { ROLES, type Role } from "../../../domain/access/roles.ts";
import { limitsOf } from "../../api/forms.ts";
import { useCall, useWrite } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { useMay } from "../../api/workspace.ts";
import { ShownOnce } from "../../kit/copy.tsx";
import { Field, Select } from "../../kit/field.tsx";
import { Form } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { Empty } from "../../kit/page.tsx";
import { type Act, type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { PAGE_SIZE, useSort } from "../../kit/view.ts";
import { When } from "../../kit/when.tsx";
import { INVITE_STATUS, ROLE_MAY, membersWords as says } from "../../words/en/access/members.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import { ROLE } from "../../words/states.ts";
import type { Invite } from "./reads.ts";

const RENEWS = ["get /invites"] as const;
/** Roles that an invite can give: all but owner. A member can be made an owner later. */
const INVITED = ROLES.filter((role) => role !== "OWNER");

interface InvitesProps {
  page: number;
  onPage: (page: number) => void;
  /** Null for people who may not invite. */
  onInvite: (() => void) | null;
}

/** The invited people. An open invite can be sent again with a new link, or revoked. */
export function Invites({ page, onPage, onInvite }: InvitesProps) {
  const order = useSort({ served: ["createdAt"], name: "inviteSort" });
  const invites = useCall("get /invites", { page, pageSize: PAGE_SIZE, sort: order.asked });
  const may = useMay();
  const { run, refusal } = useWrite("post /invites/manage", { renews: RENEWS });
  const [made, setMade] = useState<Made | null>(null);
  const resend = async ({ id, email }: Invite) => {
    const answer = await run({ action: "resend", inviteId: id });
    if (answer !== null) setMade({ ...answer, email });
    return answer;
  };
  const revoke = async ({ id, email }: Invite) => {
    const answer = await run({ action: "revoke", inviteId: id });
    if (answer !== null) say(says.revoked(email));
    return answer;
  };
  const actsOf = ({ status, email }: Invite): Act<Invite>[] => {
    if (status !== "PENDING" && status !== "EXPIRED") return [];
    return [
      { name: says.resend, effect: <p>{says.resendEffect(email)}</p>, run: resend, refusal },
      { name: says.revoke, effect: <p>{says.revokeEffect(email)}</p>, isDangerous: true, run: revoke, refusal },
    ];
  };
  return (
    <>
      <h2>{says.invites}</h2>
      <Table
        label={says.invites}
        nouns={nouns.invites}
        rows={invites}
        columns={COLUMNS}
        order={order}
        empty={
          <Empty text={says.noInvites}>
            {onInvite !== null && (
              <button type="button" onClick={onInvite}>
                {says.inviteFirst}
              </button>
            )}
          </Empty>
        }
        onPage={onPage}
        {...(may("workspace:write") && { acts: actsOf })}
      />
      {made !== null && <LinkShown made={made} onClose={() => setMade(null)} />}
    </>
  );
}

const COLUMNS: readonly Column<Invite>[] = [
  { head: says.email, by: "email", sortKey: ({ email }) => email, cell: ({ email }) => email },
  { head: says.role, by: "role", sortKey: ({ role }) => ROLE[role], cell: ({ role }) => ROLE[role] },
  {
    head: words.status,
    by: "status",
    sortKey: ({ status }) => INVITE_STATUS[status],
    cell: ({ status }) => INVITE_STATUS[status],
  },
  { head: says.invited, by: "createdAt", isDownFirst: true, cell: ({ createdAt }) => <When at={createdAt} /> },
  { head: says.until, cell: ({ status, expiresAt }) => (status === "PENDING" ? <When at={expiresAt} /> : "–") },
];

/**
 * The answer to an invite. `inviteUrl` is undefined in the answer to a repeated call, because the link is shown only
 * once.
 */
interface Made {
  email: string;
  inviteUrl?: string;
  isMailed: boolean;
}

/** Invites a person, then shows the link once. */
export function NewInvite({ onClose }: { onClose: () => void }) {
  const { run, isRunning, refusal } = useWrite("post /invites/manage", { renews: RENEWS });
  const [role, setRole] = useState<Role>("MEMBER");
  const [made, setMade] = useState<Made | null>(null);
  if (made !== null) return <LinkShown made={made} onClose={onClose} />;
  const invite = async (email: string) => {
    const invitedRole = INVITED.find((one) => one === role);
    if (invitedRole === undefined) return;
    const answer = await run({ action: "create", email, role: invitedRole });
    if (answer !== null) setMade(answer);
  };
  return (
    <Modal title={says.inviteTitle} onClose={onClose}>
      <Form
        act={says.inviteAct}
        isRunning={isRunning}
        refusal={refusal}
        fields={["email", "role"]}
        onSubmit={(values) => void invite(values.text("email"))}
        onCancel={onClose}
      >
        <Field
          label={says.email}
          name="email"
          type="email"
          autoComplete="off"
          required
          limits={limitsOf("post /invites/manage", "email", "create")}
          refusal={refusal}
        />
        <RoleChoice label={says.role} roles={INVITED} value={role} refusal={refusal} onPick={setRole} />
        <p className="fine">{says.inviteHint}</p>
      </Form>
    </Modal>
  );
}

function LinkShown({ made: { email, inviteUrl, isMailed }, onClose }: { made: Made; onClose: () => void }) {
  return (
    <Modal title={says.linkTitle} onClose={onClose} isWide>
      <p>{says.linkText(email)}</p>
      <ShownOnce label={says.link} text={inviteUrl} />
      <p>{isMailed ? says.isMailed(email) : says.isNotMailed}</p>
      <div className="buttons">
        <button type="button" className="primary" onClick={onClose}>
          {says.done}
        </button>
      </div>
    </Modal>
  );
}

interface RoleChoiceProps {
  label: string;
  roles: readonly Role[];
  value: Role;
  refusal: Refusal | null;
  onPick: (role: Role) => void;
}

/** A role, with what it allows. */
export function RoleChoice({ label, roles, value, refusal, onPick }: RoleChoiceProps) {
  return (
    <Select
      label={label}
      name="role"
      value={value}
      hint={ROLE_MAY[value]}
      refusal={refusal}
      options={roles.map((role) => ({ value: role, text: ROLE[role] }))}
      onPick={(picked) => {
        const role = roles.find((one) => one === picked);
        if (role !== undefined) onPick(role);
      }}
    />
  );
}
