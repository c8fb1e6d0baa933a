import { useState } from "react";
import { defaultSettings } from "../../../domain/campaigns/default-settings.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Field } from "../../kit/field.tsx";
import { keepFocus } from "../../kit/keep-focus.ts";
import { scheduleWords as says, weekInWords } from "../../words/en/campaign-setup/schedule.ts";
import { settingWords } from "../../words/en/campaign-setup/settings.ts";
import type { Campaign } from "../campaign/reads.ts";
import { isSame, SCHEDULE_GROUPS } from "./setting-kinds.ts";
import { SettingGroups } from "./setting-row.tsx";
import { useMayChange, useSettingWrite } from "./setting-write.tsx";
import { type Window, weekOf, windowsIn, windowsOf } from "./week.ts";
import { WeekGrid } from "./week-grid.tsx";

const ALWAYS: readonly Window[] = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }];
const TIME = "([01][0-9]|2[0-3]):[0-5][0-9]|24:00";

/** When a campaign sends: its sending hours, its time zone, start and end, and how many emails a day. */
export function Schedule({ campaign }: { campaign: Campaign }) {
  return (
    <>
      <SendingHours campaign={campaign} />
      <SettingGroups campaign={campaign} groups={SCHEDULE_GROUPS} />
    </>
  );
}

/** The sending hours as a grid and a sentence. They are saved together, because half a change could send at night. */
function SendingHours({ campaign }: { campaign: Campaign }) {
  const saved = windowsIn(campaign.settings);
  const zone = String(campaign.settings["timezone"]);
  const [draft, setDraft] = useState<readonly Window[] | null>(null);
  const windows = draft ?? saved;
  const week = weekOf(windows);
  const mayChange = useMayChange(campaign);
  const { save, isRunning, isSaved, refusal, dialog } = useSettingWrite(campaign, says.hours.toLowerCase());
  const isChanged = !isSame(saved, defaultSettings.windows);
  const change = (next: (windows: readonly Window[]) => readonly Window[]) =>
    setDraft((draft) => {
      const changed = next(draft ?? saved);
      return isSame(changed, saved) && !isRunning ? null : changed;
    });
  const send = (next: readonly Window[] | null) =>
    save(
      { windows: next },
      {
        intro: <p>{weekInWords(weekOf(next ?? defaultSettings.windows), zone)}</p>,
        // Hours that were changed during the save stay unsaved
        onSaved: () => setDraft((draft) => (draft === next ? null : draft)),
      },
    );
  return (
    <section className="card settings" aria-labelledby="sending-hours">
      <h2 id="sending-hours">
        {says.hours} {isChanged && <span className="badge">{settingWords.changed}</span>}
      </h2>
      <p className="headline">{weekInWords(week, zone)}</p>
      {mayChange && <p className="fine">{says.lead}</p>}
      <WeekGrid
        week={week}
        isDisabled={!mayChange}
        onChange={(next) => change((windows) => windowsOf(next(weekOf(windows))))}
      />
      {mayChange && (
        <>
          <fieldset className="chips">
            <legend className="hidden">{says.presets}</legend>
            <button type="button" onClick={() => change(() => defaultSettings.windows)}>
              {says.office}
            </button>
            <button type="button" onClick={() => change(() => ALWAYS)}>
              {says.always}
            </button>
          </fieldset>
          <ExactTimes windows={windows} onChange={(next) => change(() => next)} />
        </>
      )}
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      <div className="buttons">
        <span className="fine" role="status">
          {isRunning ? settingWords.saving : draft !== null ? says.unsaved : isSaved ? says.saved : ""}
        </span>
        {draft !== null && (
          <>
            <button type="button" onClick={() => setDraft(null)}>
              {says.discard}
            </button>
            <button type="button" className="primary" aria-disabled={isRunning} onClick={() => send(draft)}>
              {says.save}
            </button>
          </>
        )}
        {draft === null && isChanged && mayChange && (
          <button
            type="button"
            className="quiet"
            aria-label={settingWords.resetOf(says.hours.toLowerCase())}
            onClick={() => send(null)}
          >
            {settingWords.reset}
          </button>
        )}
      </div>
      {dialog}
    </section>
  );
}

interface ExactProps {
  windows: readonly Window[];
  onChange: (windows: readonly Window[]) => void;
}

/** The same hours to the minute. */
function ExactTimes({ windows, onChange }: ExactProps) {
  const change = (index: number, part: Partial<Window>) =>
    onChange(windows.map((one, place) => (place === index ? { ...one, ...part } : one)));
  const time = { required: true, pattern: TIME, inputMode: "numeric", maxLength: 5 } as const;
  return (
    <details>
      <summary>{says.exact}</summary>
      <p className="fine">{says.exactHint}</p>
      {windows.map(({ days, from, to }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: hours have no other identity, and their fields keep no state
        <fieldset key={index} className="window">
          <legend>{says.range(index + 1)}</legend>
          <div className="chips">
            {says.shortDays.map((name, day) => (
              <label key={name} className="choice">
                <input
                  type="checkbox"
                  checked={days.includes(day + 1)}
                  onChange={({ currentTarget: { checked } }) =>
                    change(index, {
                      days: [...days.filter((one) => one !== day + 1), ...(checked ? [day + 1] : [])].toSorted(
                        (one, other) => one - other,
                      ),
                    })
                  }
                />{" "}
                {name}
              </label>
            ))}
          </div>
          <div className="columns">
            <Field
              label={says.from}
              name={`from-${index}`}
              value={from}
              onChange={({ currentTarget }) => change(index, { from: currentTarget.value })}
              {...time}
            />
            <Field
              label={says.to}
              name={`to-${index}`}
              value={to}
              onChange={({ currentTarget }) => change(index, { to: currentTarget.value })}
              {...time}
            />
          </div>
          <button
            type="button"
            aria-label={says.remove(index + 1)}
            onClick={({ currentTarget }) =>
              keepFocus(currentTarget, "details", () => onChange(windows.filter((_, place) => place !== index)))
            }
          >
            {says.removeShort}
          </button>
        </fieldset>
      ))}
      <button type="button" onClick={() => onChange([...windows, ...defaultSettings.windows])}>
        {says.add}
      </button>
    </details>
  );
}
