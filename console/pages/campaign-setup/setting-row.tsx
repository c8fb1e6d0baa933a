import { useId, useState } from "react";
import { useSignal } from "../../api/signal.ts";
import { say } from "../../kit/toast.tsx";
import { sentenceOf, sentences } from "../../words/codes.ts";
import { GROUP, SETTING, settingWords as says, settingInWords } from "../../words/en/campaign-setup/settings.ts";
import type { Campaign } from "../campaign/reads.ts";
import { Control, type Typed } from "./setting-control.tsx";
import { defaultAt, type GroupName, isSame, KINDS, patchOf, type SettingPath, valueAt } from "./setting-kinds.ts";
import { readValue, textOf } from "./setting-texts.ts";
import { useMayChange, useSettingWrite } from "./setting-write.tsx";

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
  // The value also changes on the server, for example when another person changes it. Other text that was typed since
  // stays
  if (known !== shown) {
    setKnown(shown);
    if (typed === known || isSame(readValue(KINDS[path].kind, typed), value)) setTyped(shown);
  }
  // What was picked is shown at once, while it is being saved
  const [picked, setPicked] = useState<{ value: unknown } | null>(null);
  const { save, isRunning, isSaved, refusal, dialog } = useSettingWrite(campaign, name);
  const texts = useSignal(sentences);
  const set = (next: unknown, onSaved = () => {}) => {
    setPicked({ value: next ?? usual });
    setUnread(null);
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
  const leave = ({ validity, validationMessage }: Typed) => {
    // A number or time that the browser cannot read has the empty value, which would restore the default
    setUnread(validity.badInput ? validationMessage : null);
    if (validity.badInput) return;
    const next = readValue(KINDS[path].kind, typed);
    if (typed !== shown && !isSame(next, value)) set(next);
  };
  const reset = () => {
    // The button goes once the value is saved
    document.getElementById(id)?.focus();
    set(null, () =>
      say(says.wasReset(name), {
        name: says.undo,
        run: () => save(patchOf(path, value), { intro: changeInWords(path, usual, value) }),
      }),
    );
  };
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
