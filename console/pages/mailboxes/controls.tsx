import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Scope } from "../../../domain/scopes.ts";
import type { MailboxStatus } from "../../../domain/states.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Menu } from "../../kit/menu.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { pathTo } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { mailboxWords as says } from "../../words/en/mailboxes/mailbox.ts";
import { type Mailbox, RENEWS } from "./reads.ts";

type Deed = "pause" | "resume" | "reconnect" | "disconnect" | "delete";

/** The actions for each status, the most usual first. */
const DEEDS: Record<MailboxStatus, readonly Deed[]> = {
  CONNECTED: ["pause", "reconnect", "disconnect", "delete"],
  PAUSED: ["resume", "reconnect", "disconnect", "delete"],
  RECONNECT_REQUIRED: ["reconnect", "disconnect", "delete"],
  SENDING_ERROR: ["resume", "reconnect", "disconnect", "delete"],
  COOLING_DOWN: ["resume", "reconnect", "disconnect", "delete"],
  DISCONNECTED: ["reconnect", "delete"],
};
const SCOPES: Record<Deed, Scope> = {
  pause: "mailboxes:write",
  resume: "mailboxes:write",
  reconnect: "mailboxes:connect",
  disconnect: "mailboxes:connect",
  delete: "mailboxes:connect",
};

/** Pausing, reconnecting, disconnecting and deleting a mailbox; each action shows its effect first. */
export function Controls({ mailbox }: { mailbox: Mailbox }) {
  const may = useMay();
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const [asked, setAsked] = useState<Exclude<Deed, "reconnect"> | null>(null);
  const allowed = DEEDS[mailbox.status].filter((deed) => may(SCOPES[deed]));
  const [first, ...others] = allowed;
  const press = (deed: Deed) => {
    if (deed === "reconnect")
      void navigate({ to: pathTo(workspaceId, "/mailboxes/connect"), search: { mailbox: mailbox.id } });
    else setAsked(deed);
  };
  const close = () => setAsked(null);
  return (
    <>
      {first !== undefined && (
        <button type="button" className={first === "pause" ? "" : "primary"} onClick={() => press(first)}>
          {says[first]}
        </button>
      )}
      {others.length > 0 && (
        <Menu
          label={says.more}
          items={others.map((deed) => ({ name: says[deed], run: () => press(deed), isDangerous: deed === "delete" }))}
        />
      )}
      {(asked === "pause" || asked === "resume") && <Move mailbox={mailbox} action={asked} onClose={close} />}
      {(asked === "disconnect" || asked === "delete") && <Part mailbox={mailbox} action={asked} onClose={close} />}
    </>
  );
}

interface AskedProps<A extends Deed> {
  mailbox: Mailbox;
  action: A;
  onClose: () => void;
}

function Move({
  mailbox: { id, email, health, sentToday, dailySendLimit },
  action,
  onClose,
}: AskedProps<"pause" | "resume">) {
  const { run, isRunning, refusal } = useWrite("post /mailboxes/manage", { renews: RENEWS });
  const act = async () => {
    if ((await run({ action, mailboxId: id })) === null) return;
    say(says.said[action]);
    onClose();
  };
  return (
    <Confirm
      title={action === "pause" ? says.pauseTitle(email) : says.resumeTitle(email)}
      effect={
        <>
          {action === "resume" && health.evidence !== null && <p>{says.resumeOverrides(health.evidence)}</p>}
          <p>
            {action === "pause"
              ? says.pauseEffect(sentToday.total)
              : says.resumeEffect(dailySendLimit, sentToday.total)}
          </p>
        </>
      }
      act={action === "pause" ? says.pauseAct : says.resumeAct}
      isRunning={isRunning}
      refusal={refusal}
      onAct={() => void act()}
      onClose={onClose}
    />
  );
}

function Part({ mailbox: { id, email }, action, onClose }: AskedProps<"disconnect" | "delete">) {
  const navigate = useNavigate();
  const workspaceId = useWorkspaceId();
  const { run, isRunning, refusal } = useWrite("post /mailboxes/:mailboxId/disconnect", {
    // A deleted mailbox cannot be read again
    renews: action === "delete" ? ["get /mailboxes"] : RENEWS,
  });
  const act = async () => {
    if ((await run({ action, mailboxId: id })) === null) return;
    say(says.said[action]);
    if (action === "delete") await navigate({ to: pathTo(workspaceId, "/mailboxes") });
    else onClose();
  };
  return (
    <Confirm
      title={action === "disconnect" ? says.disconnectTitle(email) : says.deleteTitle(email)}
      effect={<p>{action === "disconnect" ? says.disconnectEffect : says.deleteEffect}</p>}
      act={action === "disconnect" ? says.disconnectAct : says.deleteAct}
      isDangerous
      isRunning={isRunning}
      refusal={refusal}
      onAct={() => void act()}
      onClose={onClose}
    />
  );
}
