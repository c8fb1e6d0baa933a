import { type KeyboardEvent, useId, useState } from "react";
import { CAMPAIGN_WARNINGS } from "../../../domain/campaigns/warnings.ts";
import { useSignal } from "../../api/signal.ts";
import { say } from "../../kit/toast.tsx";
import { sentenceOf, sentences } from "../../words/codes.ts";
import { WARNING } from "../../words/en/campaign-setup/findings.ts";
import {
  choicesOf,
  GROUP,
  SETTING,
  settingWords as says,
  settingInWords,
} from "../../words/en/campaign-setup/settings.ts";
import type { Campaign } from "../campaign/reads.ts";
import { defaultAt, type GroupName, isSame, KINDS, patchOf, type SettingPath, valueAt } from "./setting-kinds.ts";
import { readValue, textOf } from "./setting-texts.ts";
import { useMayChange, useSettingWrite } from "./setting-write.tsx";

type Field = HTMLInputElement | HTMLTextAreaElement;

interface GroupsProps {
  campaign: Campaign;
  groups: Readonly<Partial<Record<GroupName, readonly SettingPath[]>>>;
}

/** Groups of settings, each with its heading. */
export function SettingGroups({ campaign, groups }: GroupsProps) {
  const names = Object.keys(GROUP).filter((name): name is GroupName => name in groups);
  return names.map((name) => (
    <section key={name} className="card settings" aria-labelledby={`settings-${name}`}>
      <h2 id={`settings-${name}`}>{GROUP[name]}</h2>
      {groups[name]?.map((path) => (
        <SettingRow key={path} campaign={campaign} path={path} />
      ))}
    </section>
  ));
}

/**
 * One setting: its name, what it does, its default, and whether it was changed. It is saved when it changes; a text or
 * number when its field is left or Enter is pressed.
 */
function SettingRow({ campaign, path }: { campaign: Campaign; path: SettingPath }) {
  const id = useId();
  const { name, text } = SETTING[path];
  const mayChange = useMayChange(campaign);
  const value = valueAt(campaign.settings, path);
  const usual = defaultAt(path);
  const isChanged = !isSame(value, usual);
  const zone = String(campaign.settings["timezone"]);
  const shown = textOf(KINDS[path].kind, value, zone);
  const [typed, setTyped] = useState(shown);
  const [known, setKnown] = useState(shown);
  const [unread, setUnread] = useState<string | null>(null);
  // The value also changes on the server, for example when another person changes it
  if (known !== shown) {
    setKnown(shown);
    setTyped(shown);
  }
  // What was picked is shown at once, while it is being saved
  const [picked, setPicked] = useState<{ value: unknown } | null>(null);
  const { save, isRunning, isSaved, refusal, dialog } = useSettingWrite(campaign, name);
  const texts = useSignal(sentences);
  const set = (next: unknown, onSaved = () => {}) => {
    setPicked({ value: next ?? usual });
    save(patchOf(path, next), {
      intro: changeInWords(path, value, next ?? usual),
      onSaved: () => {
        setPicked(null);
        onSaved();
      },
      onUndone: (isRefused) => {
        setPicked(null);
        // A refused text stays, so that it can be corrected
        if (!isRefused) setTyped(shown);
      },
    });
  };
  const leave = (field: Field) => {
    // A number or time that the browser cannot read has the empty value, which would restore the default
    if (field.validity.badInput) return setUnread(field.validationMessage);
    const next = readValue(KINDS[path].kind, typed);
    if (typed !== shown && !isSame(next, value)) set(next);
  };
  const reset = () =>
    set(null, () =>
      say(says.wasReset(name), {
        name: says.undo,
        run: () => save(patchOf(path, value), { intro: changeInWords(path, usual, value) }),
      }),
    );
  const error = unread ?? (refusal === null ? null : (refusal.issueAt(path) ?? sentenceOf(refusal, texts)));
  const common = {
    id,
    disabled: !mayChange,
    "aria-describedby": `${id}-text ${id}-error`,
    ...(error !== null && { "aria-invalid": true as const }),
  };
  return (
    <div className="setting">
      <div className="about">
        {KINDS[path].kind === "warnings" ? <b>{name}</b> : <label htmlFor={id}>{name}</label>}
        {isChanged && <span className="badge">{says.changed}</span>}
        <small id={`${id}-text`}>
          {text} {says.usual(settingInWords(path, usual))}
        </small>
      </div>
      <div className="control">
        <Control
          path={path}
          value={picked === null ? value : picked.value}
          typed={typed}
          common={common}
          onType={(text) => {
            setUnread(null);
            setTyped(text);
          }}
          onSet={set}
          onLeave={leave}
        />
        <span className="fine" role="status">
          {isRunning ? says.saving : isSaved ? says.saved : ""}
        </span>
        {isChanged && mayChange && (
          <button type="button" className="quiet" aria-label={says.resetOf(name)} onClick={reset}>
            {says.reset}
          </button>
        )}
        <small id={`${id}-error`} className="wrong">
          {error}
        </small>
      </div>
      {dialog}
    </div>
  );
}

function changeInWords(path: SettingPath, from: unknown, to: unknown) {
  return <p>{says.change(settingInWords(path, from), settingInWords(path, to))}</p>;
}

interface ControlProps {
  path: SettingPath;
  value: unknown;
  typed: string;
  common: { id: string; disabled: boolean; "aria-describedby": string; "aria-invalid"?: true };
  onType: (text: string) => void;
  onSet: (value: unknown) => void;
  onLeave: (field: Field) => void;
}

function Control({ path, value, typed, common, onType, onSet, onLeave }: ControlProps) {
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
  const leave = ({ currentTarget }: { currentTarget: Field }) => onLeave(currentTarget);
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
