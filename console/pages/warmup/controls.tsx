import { useState } from "react";
import { rampTarget } from "../../../domain/warmup/enrolment.ts";
import { useWrite } from "../../api/query.ts";
import { ActButton } from "../../kit/act.tsx";
import { Menu } from "../../kit/menu.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { warmupWords as says } from "../../words/en/mailboxes/warmup.ts";
import type { Mailbox } from "../mailboxes/reads.ts";
import { type Enrolment, WARMUP_RENEWS } from "./reads.ts";
import { StartWarmup } from "./start.tsx";

type Asked = "unspam" | "markImportant" | "stop" | "remove";

/** The other actions in each state. */
const ASKED: Record<Enrolment["status"], readonly Asked[]> = {
  ACTIVE: ["unspam", "markImportant", "stop", "remove"],
  PAUSED: ["unspam", "markImportant", "stop", "remove"],
  RECONNECT_REQUIRED: ["stop", "remove"],
  SUSPENDED: ["stop", "remove"],
  STOPPED: ["remove"],
};

interface ControlsProps {
  mailbox: Mailbox;
  enrolment: Enrolment;
}

/** Starting, pausing, resuming, stopping and removing a warmup; each action shows its effect first. */
export function WarmupControls({ mailbox, enrolment }: ControlsProps) {
  const { status } = enrolment;
  const [asked, setAsked] = useState<Asked | null>(null);
  return (
    <div className="actions">
      {status === "STOPPED" && <StartWarmup mailbox={mailbox} enrolment={enrolment} />}
      {status !== "STOPPED" && <Move mailbox={mailbox} enrolment={enrolment} />}
      <Menu
        label={says.more}
        items={ASKED[status].map((name) => ({
          name: says[name],
          run: () => setAsked(name),
          isDangerous: name === "remove",
        }))}
      />
      {asked !== null && <Ask mailbox={mailbox} action={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

function Move({ mailbox, enrolment: { status, config, dayNumber } }: ControlsProps) {
  const { id: mailboxId, warmupDailyLimit } = mailbox;
  const { run, refusal } = useWrite("post /warmup/manage", { renews: WARMUP_RENEWS });
  const move = async (action: "start" | "pause" | "reconnect", said: string) => {
    const answer = await run({ action, mailboxId });
    if (answer !== null) say(said);
    return answer;
  };
  const common = { row: mailbox };
  if (status === "ACTIVE") {
    const act = { name: says.pause, effect: <p>{says.pauseEffect}</p>, refusal };
    return <ActButton {...common} act={{ ...act, run: () => move("pause", says.said.pause) }} />;
  }
  if (status === "PAUSED") {
    const target = rampTarget(config, dayNumber, warmupDailyLimit, false);
    const act = { name: says.resume, effect: <p>{says.resumeEffect(dayNumber, target)}</p>, refusal };
    return <ActButton {...common} act={{ ...act, run: () => move("start", says.said.resume) }} />;
  }
  // A warmup that waits for its mailbox continues by itself; this only shortens the wait once it is connected
  if (status === "RECONNECT_REQUIRED" && mailbox.status !== "RECONNECT_REQUIRED" && mailbox.status !== "DISCONNECTED") {
    const act = { name: says.reconnect, effect: <p>{says.reconnectEffect}</p>, refusal };
    return <ActButton {...common} act={{ ...act, run: () => move("reconnect", says.said.reconnect) }} />;
  }
  return null;
}

interface AskProps {
  mailbox: Mailbox;
  action: Asked;
  onClose: () => void;
}

function Ask({ mailbox: { id: mailboxId, email }, action, onClose }: AskProps) {
  const { run, isRunning, refusal } = useWrite("post /warmup/manage", { renews: WARMUP_RENEWS });
  const act = async () => {
    if ((await run({ action, mailboxId })) === null) return;
    say(says.said[action]);
    onClose();
  };
  const titles = {
    stop: says.stopTitle(email),
    remove: says.removeTitle(email),
    unspam: says.unspamTitle,
    markImportant: says.markImportantTitle,
  };
  return (
    <Confirm
      title={titles[action]}
      effect={<p>{says[`${action}Effect`]}</p>}
      act={says[`${action}Act`]}
      isDangerous={action === "stop" || action === "remove"}
      isRunning={isRunning}
      refusal={refusal}
      onAct={() => void act()}
      onClose={onClose}
    />
  );
}
