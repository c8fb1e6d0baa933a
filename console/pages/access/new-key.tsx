import { useState } from "react";
import { scopesOf } from "../../../domain/access/roles.ts";
import { isTickedFirst, SCOPES, type Scope } from "../../../domain/scopes.ts";
import { DAY_MS } from "../../../domain/time/durations.ts";
import type { Out } from "../../api/call.ts";
import { useWrite } from "../../api/query.ts";
import { useMembership } from "../../api/workspace.ts";
import { ShownOnce } from "../../kit/copy.tsx";
import { Field, Select } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { Modal } from "../../kit/modal.tsx";
import { oneOf } from "../../kit/view.ts";
import { keysWords as says } from "../../words/en/access/keys.ts";
import type { Policy } from "../../words/en/access/policies.ts";
import { PolicyFields, policyIn } from "./policy-fields.tsx";
import { byArea } from "./scope-list.tsx";

/** The service's defaults for a new key. */
const FIRST: Policy = {
  ...({ SENDS: "DIRECT", CHANGES_SENDING: "DIRECT", DISCLOSES: "DIRECT", DESTROYS: "DIRECT" } as const),
  dailySendBudget: null,
  undoSeconds: 0,
};
const PRESETS = ["READ", "LIGHT", "ALL", "NONE"] as const;
type Preset = (typeof PRESETS)[number];
const IN_PRESET: Record<Preset, (scope: Scope) => boolean> = {
  READ: (scope) => scope.endsWith(":read") && isTickedFirst(scope),
  LIGHT: isTickedFirst,
  ALL: () => true,
  NONE: () => false,
};
/** Days until a key expires; null: never. */
const EXPIRY_DAYS = { DAYS_90: 90, DAYS_30: 30, DAYS_365: 365, NEVER: null } as const;
const EXPIRIES = ["DAYS_90", "DAYS_30", "DAYS_365", "NEVER"] as const;

/** Creates an API key with scopes that the person's role has, then shows it once. */
export function NewKey({ onClose }: { onClose: () => void }) {
  const role = useMembership()?.role;
  const held = role === undefined ? [] : scopesOf(role);
  const { run, isRunning, refusal } = useWrite("post /api-keys", { renews: ["get /api-keys"] });
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set(held.filter(IN_PRESET.READ)));
  const [made, setMade] = useState<Partial<Out<"post /api-keys">> | null>(null);
  const [lacksScope, setLacksScope] = useState(false);
  if (made !== null) return <KeyShown text={made.key} onClose={onClose} />;
  const make = async (values: FormValues) => {
    const scopes = held.filter((scope) => chosen.has(scope));
    setLacksScope(scopes.length === 0);
    if (scopes.length === 0) return;
    const days = EXPIRY_DAYS[oneOf(EXPIRIES, values.text("expiry")) ?? "DAYS_90"];
    const expiresAt = days === null ? {} : { expiresAt: new Date(Date.now() + days * DAY_MS).toISOString() };
    const answer = await run({
      name: values.text("name"),
      scopes: [...scopes],
      policy: policyIn(values),
      ...expiresAt,
    });
    if (answer !== null) setMade(answer);
  };
  const toggle = (scope: Scope) =>
    setChosen(new Set(chosen.has(scope) ? [...chosen].filter((one) => one !== scope) : [...chosen, scope]));
  return (
    <Modal title={says.createTitle} onClose={onClose} isWide>
      <Form
        act={says.createAct(chosen.size)}
        isRunning={isRunning}
        refusal={refusal}
        fields={["name"]}
        onSubmit={(values) => void make(values)}
        onCancel={onClose}
      >
        <Field
          label={says.name}
          hint={says.nameHint}
          name="name"
          required
          maxLength={200}
          autoComplete="off"
          refusal={refusal}
        />
        <Select
          label={says.preset}
          name="preset"
          defaultValue="READ"
          hint={says.scopesHint}
          options={PRESETS.map((value) => ({ value, text: says.presets[value] }))}
          onPick={(value) => setChosen(new Set(held.filter(IN_PRESET[oneOf(PRESETS, value) ?? "NONE"])))}
        />
        <ScopeChoice held={held} chosen={chosen} onToggle={toggle} />
        {lacksScope && chosen.size === 0 && (
          <p className="wrong" role="alert">
            {says.noScope}
          </p>
        )}
        <Select
          label={says.expiry}
          name="expiry"
          defaultValue="DAYS_90"
          options={EXPIRIES.map((value) => ({ value, text: says.expiries[value] }))}
        />
        <PolicyFields policy={FIRST} refusal={refusal} />
      </Form>
    </Modal>
  );
}

interface ScopeChoiceProps {
  held: readonly Scope[];
  chosen: ReadonlySet<Scope>;
  onToggle: (scope: Scope) => void;
}

/** Every scope of the role, grouped by noun. */
function ScopeChoice({ held, chosen, onToggle }: ScopeChoiceProps) {
  return (
    <div className="scopes">
      {byArea(held).map(({ area, name, scopes }) => (
        <fieldset key={area}>
          <legend>{name}</legend>
          {scopes.map((scope) => (
            <label key={scope} className="choice">
              <input type="checkbox" checked={chosen.has(scope)} onChange={() => onToggle(scope)} />
              {SCOPES[scope]}
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}

function KeyShown({ text, onClose }: { text: string | undefined; onClose: () => void }) {
  return (
    <Modal title={says.shownTitle} onClose={onClose} isWide>
      <p>{says.shownText}</p>
      <ShownOnce label={says.shown} text={text} />
      <div className="buttons">
        <button type="button" className="primary" onClick={onClose}>
          {says.done}
        </button>
      </div>
    </Modal>
  );
}
