import { useState } from "react";
import { useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Form, type FormValues } from "../../kit/form.tsx";
import { say } from "../../kit/toast.tsx";
import { warmupWords as says } from "../../words/en/mailboxes/warmup.ts";
import { changedConfig, OtherFields, RampFields } from "./fields.tsx";
import { type Enrolment, WARMUP_RENEWS } from "./reads.ts";

/** The settings of a warmup. Only changed fields are sent. */
export function WarmupSettings({ enrolment }: { enrolment: Enrolment }) {
  const may = useMay();
  const { mailboxId } = enrolment;
  // What the form showed at first: a setting that someone else changes meanwhile is not set back
  const [config, setConfig] = useState(enrolment.config);
  const [preset, setPreset] = useState(enrolment.preset);
  const { run, isRunning, refusal } = useWrite("post /warmup/manage", { renews: WARMUP_RENEWS });
  const save = async (values: FormValues) => {
    const changed = changedConfig(values, preset, config);
    const isOtherPreset = preset !== enrolment.preset && preset !== "CUSTOM";
    const hasChanged = Object.keys(changed).length > 0;
    if (!isOtherPreset && !hasChanged) return say(says.unchanged);
    if (isOtherPreset && (await run({ action: "applyPreset", mailboxId, preset })) === null) return;
    if (hasChanged && (await run({ action: "configure", mailboxId, config: changed })) === null) return;
    setConfig({ ...config, ...changed });
    say(says.saved);
  };
  if (!may("warmup:write"))
    return (
      <>
        <h3>{says.settings}</h3>
        <p className="fine">{says.readOnly}</p>
        <RampFields config={config} preset={preset} onPreset={setPreset} refusal={null} isReadOnly />
        <OtherFields config={config} refusal={null} isReadOnly />
      </>
    );
  return (
    <>
      <h3>{says.settings}</h3>
      <p className="fine">{says.settingsHint}</p>
      <Form
        act={says.save}
        isRunning={isRunning}
        refusal={refusal}
        fields={["preset", "config"]}
        onSubmit={(values) => void save(values)}
      >
        <RampFields config={config} preset={preset} onPreset={setPreset} refusal={refusal} />
        <OtherFields config={config} refusal={refusal} />
      </Form>
    </>
  );
}
