import { useState } from "react";
import { DEFAULT_CONFIG, type WarmupPreset } from "../../../domain/warmup/enrolment.ts";
import { useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice } from "../../kit/alert.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { To } from "../../kit/to.tsx";
import { say } from "../../kit/toast.tsx";
import { mailboxWords } from "../../words/en/mailboxes/mailbox.ts";
import { warmupWords as says } from "../../words/en/mailboxes/warmup.ts";
import type { Mailbox } from "../mailboxes/reads.ts";
import { changedConfig, OtherFields, RampEffect, RampFields } from "./fields.tsx";
import { type Enrolment, WARMUP_RENEWS } from "./reads.ts";

interface StartProps {
  mailbox: Mailbox;
  /** The stopped warmup that begins again; null for a mailbox that never warmed up. */
  enrolment: Enrolment | null;
}

/** The button that starts a warmup. A mailbox that cannot be reached has to be connected first. */
export function StartWarmup({ mailbox, enrolment }: StartProps) {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  if (mailbox.status === "RECONNECT_REQUIRED" || mailbox.status === "DISCONNECTED")
    return (
      <>
        <p>{says.connectFirst}</p>
        {may("mailboxes:connect") && (
          <To page="/mailboxes/connect" view={{ mailbox: mailbox.id }} className="button">
            {mailboxWords.reconnect}
          </To>
        )}
      </>
    );
  return (
    <>
      <button type="button" className="primary" onClick={() => setOpen(true)}>
        {says.start}
      </button>
      {isOpen && <StartDialog mailbox={mailbox} enrolment={enrolment} onClose={() => setOpen(false)} />}
    </>
  );
}

function StartDialog({ mailbox, enrolment, onClose }: StartProps & { onClose: () => void }) {
  const { id: mailboxId, email, warmupDailyLimit } = mailbox;
  const { run, isRunning, refusal } = useWrite("post /warmup/manage", { renews: WARMUP_RENEWS });
  const before = enrolment?.config ?? DEFAULT_CONFIG;
  const [preset, setPreset] = useState<WarmupPreset>(enrolment?.preset ?? "COLD");
  /** What was typed of a ramp of one's own, so that its effect is shown while it is typed. */
  const [typed, setTyped] = useState(before);
  const start = async (values: FormValues) => {
    const config = changedConfig(values, preset, before);
    const answer = await run({
      action: "start",
      mailboxId,
      ...(preset !== "CUSTOM" && { preset }),
      ...(Object.keys(config).length > 0 && { config }),
    });
    if (answer === null) return;
    say(says.said.start);
    onClose();
  };
  const note = (form: HTMLFormElement) => {
    const data = new FormData(form);
    const numberIn = (name: "start" | "increment" | "max") => Number(data.get(`config.${name}`) ?? before[name]);
    setTyped({ ...before, start: numberIn("start"), increment: numberIn("increment"), max: numberIn("max") });
  };
  return (
    <Modal title={says.startTitle(email)} onClose={onClose} isWide>
      <div
        onInput={({ target }) => {
          const form = target instanceof Element ? target.closest("form") : null;
          if (form !== null) note(form);
        }}
      >
        <Form
          act={says.startAct}
          isRunning={isRunning}
          refusal={refusal}
          fields={["preset", "config"]}
          mayBeLost
          onSubmit={(values) => void start(values)}
          onCancel={onClose}
        >
          <div className="effect" role="status">
            <RampEffect config={typed} preset={preset} limit={warmupDailyLimit} />
          </div>
          <p>{says.how}</p>
          {enrolment !== null && <p>{says.again}</p>}
          <Notice kind="attention">{says.terms}</Notice>
          <RampFields config={before} preset={preset} onPreset={setPreset} refusal={refusal} />
          <OtherFields config={before} refusal={refusal} />
        </Form>
      </div>
    </Modal>
  );
}
