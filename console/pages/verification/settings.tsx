import { useState } from "react";
import { CATCH_ALL_TREATMENTS } from "../../../domain/verification.ts";
import type { Out } from "../../api/call.ts";
import { limitsOf } from "../../api/forms.ts";
import { useCall, useWrite } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Looking } from "../../kit/looking.tsx";
import { say } from "../../kit/toast.tsx";
import { oneOf } from "../../kit/view.ts";
import { verificationWords as says } from "../../words/en/leads/verification.ts";

const CHANGE = "patch /verification/settings";
type Shown = Out<"get /verification/settings">;

/** How the workspace verifies addresses, and how sending uses the results. */
export function Settings() {
  const called = useCall("get /verification/settings", {});
  const { data, refusal, isLooking, again } = called;
  if (data === undefined)
    return refusal === null ? <Looking isLooking={isLooking} /> : <RefusalAlert refusal={refusal} again={again} />;
  return <Edit settings={data} />;
}

function Edit({ settings: current }: { settings: Shown }) {
  const mayWrite = useMay()("workspace:write");
  // What the form showed at first: a setting that someone else changes meanwhile is not set back
  const [settings, setSettings] = useState(current);
  const { run, isRunning, refusal } = useWrite(CHANGE, { renews: ["get /verification/settings"] });
  const save = async (values: FormValues) => {
    const typed: Shown = {
      autoVerifyOnImport: values.isTicked("autoVerifyOnImport"),
      blockInvalid: values.isTicked("blockInvalid"),
      reverifyAfterDays: Number(values.text("reverifyAfterDays")),
      treatCatchAllAs: oneOf(CATCH_ALL_TREATMENTS, values.text("treatCatchAllAs")) ?? settings.treatCatchAllAs,
    };
    const changed = Object.fromEntries(
      Object.entries(typed).filter(([name, value]) => value !== settings[name as keyof Shown]), // its own keys
    );
    if (Object.keys(changed).length > 0) {
      const saved = await run(changed);
      if (saved === null) return;
      setSettings(saved);
    }
    say(says.saidSaved);
  };
  if (!mayWrite)
    return (
      <fieldset disabled className="plain">
        <p className="fine">{says.readOnly}</p>
        <Fields settings={current} refusal={null} />
      </fieldset>
    );
  return (
    <div className="narrow">
      <p className="fine">{says.settingsEffect}</p>
      <Form
        act={says.save}
        isRunning={isRunning}
        refusal={refusal}
        fields={["reverifyAfterDays", "treatCatchAllAs"]}
        onSubmit={(values) => void save(values)}
      >
        <Fields settings={settings} refusal={refusal} />
      </Form>
    </div>
  );
}

function Fields({ settings, refusal }: { settings: Shown; refusal: Refusal | null }) {
  return (
    <>
      {(["autoVerifyOnImport", "blockInvalid"] as const).map((name) => (
        <p key={name}>
          <label>
            <input type="checkbox" name={name} defaultChecked={settings[name]} />{" "}
            {name === "blockInvalid" ? says.blockInvalid : says.autoVerify}
          </label>
        </p>
      ))}
      <Field
        label={says.reverify}
        hint={says.reverifyHint}
        name="reverifyAfterDays"
        type="number"
        required
        defaultValue={settings.reverifyAfterDays}
        refusal={refusal}
        limits={limitsOf(CHANGE, "reverifyAfterDays")}
      />
      <Select
        label={says.catchAllAs}
        name="treatCatchAllAs"
        defaultValue={settings.treatCatchAllAs}
        refusal={refusal}
        options={CATCH_ALL_TREATMENTS.map((value) => ({ value, text: says.treatments[value] }))}
      />
    </>
  );
}
