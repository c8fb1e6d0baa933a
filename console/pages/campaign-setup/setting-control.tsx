import type { KeyboardEvent } from "react";
import { CAMPAIGN_WARNINGS } from "../../../domain/campaigns/warnings.ts";
import { WARNING } from "../../words/en/campaign-setup/findings.ts";
import { choicesOf, settingWords as says } from "../../words/en/campaign-setup/settings.ts";
import { KINDS, type SettingPath } from "./setting-kinds.ts";

/** A field that a person types into. */
export type Typed = HTMLInputElement | HTMLTextAreaElement;

interface ControlProps {
  path: SettingPath;
  value: unknown;
  typed: string;
  common: { id: string; disabled: boolean; "aria-describedby": string; "aria-invalid"?: true };
  onType: (text: string) => void;
  onSet: (value: unknown) => void;
  onLeave: (field: Typed) => void;
}

/** The field of a setting, by its kind. */
export function Control({ path, value, typed, common, onType, onSet, onLeave }: ControlProps) {
  const field = KINDS[path];
  if (field.kind === "switch")
    return (
      <input
        {...common}
        type="checkbox"
        checked={value === true}
        onChange={({ currentTarget: { checked } }) => onSet(checked)}
      />
    );
  if (field.kind === "choice")
    return (
      <select {...common} value={String(value)} onChange={({ currentTarget: { value: next } }) => onSet(next)}>
        {choicesOf(path).map((one) => (
          <option key={one.value} value={one.value}>
            {one.text}
          </option>
        ))}
      </select>
    );
  if (field.kind === "warnings") return <Warnings {...{ value, common, onSet }} />;
  const leave = ({ currentTarget }: { currentTarget: Typed }) => onLeave(currentTarget);
  const typing = { ...common, value: typed, onBlur: leave };
  if (field.kind === "list" || field.kind === "pairs")
    return <textarea {...typing} rows={2} onChange={({ currentTarget }) => onType(currentTarget.value)} />;
  const enter = (event: KeyboardEvent<HTMLInputElement>) => event.key === "Enter" && leave(event);
  const input = { ...typing, onKeyDown: enter } as const;
  const type = (event: { currentTarget: HTMLInputElement }) => onType(event.currentTarget.value);
  if (field.kind === "number")
    return <input {...input} type="number" min={field.min} max={field.max} step={1} onChange={type} />;
  if (field.kind === "share")
    return (
      <span className="unit">
        <input {...input} type="number" min={0} max={100} step="any" onChange={type} /> {says.percent}
      </span>
    );
  if (field.kind === "moment") return <input {...input} type="datetime-local" onChange={type} />;
  return (
    <>
      <input {...input} type="text" {...(field.kind === "zone" && { list: `${common.id}-zones` })} onChange={type} />
      {field.kind === "zone" && (
        <datalist id={`${common.id}-zones`}>
          {Intl.supportedValuesOf("timeZone").map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** The warnings that block a launch, each with a box. */
function Warnings({
  value,
  common: { id, disabled, ...described },
  onSet,
}: Pick<ControlProps, "value" | "common" | "onSet">) {
  const chosen = Array.isArray(value) ? value.map(String) : [];
  const set = (code: string, isChosen: boolean) =>
    onSet(isChosen ? [...chosen, code] : chosen.filter((one) => one !== code));
  return (
    <details {...described}>
      <summary id={id}>{says.blocking(chosen.length)}</summary>
      {CAMPAIGN_WARNINGS.map((code) => (
        <label key={code} className="choice">
          <input
            type="checkbox"
            disabled={disabled}
            checked={chosen.includes(code)}
            onChange={({ currentTarget: { checked } }) => set(code, checked)}
          />{" "}
          {WARNING[code]}
        </label>
      ))}
    </details>
  );
}
