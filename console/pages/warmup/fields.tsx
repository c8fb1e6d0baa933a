import {
  rampTarget,
  WARMUP_LANGUAGES,
  WARMUP_PRESETS,
  type WarmupConfig,
  type WarmupPreset,
  withPreset,
} from "../../../domain/warmup/enrolment.ts";
import { limitsOf } from "../../api/forms.ts";
import type { Refusal } from "../../api/refusal.ts";
import { Field, Select } from "../../kit/field.tsx";
import type { FormValues } from "../../kit/form.tsx";
import { PRESET, warmupWords as says, WARMUP_LANGUAGE, WARMUP_SETTING } from "../../words/en/mailboxes/warmup.ts";

type Numbers = "start" | "increment" | "max";
type Rates = "replyRate" | "spamRescueRate" | "importantRate";
const RAMP = ["start", "increment", "max"] as const satisfies readonly Numbers[];
/** Shares are typed as percentages. */
const PERCENT = 100;

/** A field of the settings, named as in the request, so that the server's message appears beside it. */
function limitsIn(name: keyof WarmupConfig) {
  return limitsOf("post /warmup/manage", `config.${name}`, "configure");
}

interface FieldsProps {
  config: WarmupConfig;
  refusal: Refusal | null;
  isReadOnly?: boolean;
}

/** The preset of the ramp and, for a ramp of one's own, its numbers. */
export function RampFields({
  config,
  preset,
  onPreset,
  refusal,
  isReadOnly = false,
}: FieldsProps & { preset: WarmupPreset; onPreset: (preset: WarmupPreset) => void }) {
  return (
    <>
      {isReadOnly ? (
        <Field label={says.preset} name="preset" readOnly value={PRESET[preset]} />
      ) : (
        <Select
          label={says.preset}
          hint={preset === "CUSTOM" ? undefined : says.rampOf(withPreset(config, preset))}
          name="preset"
          value={preset}
          options={WARMUP_PRESETS.map((value) => ({ value, text: PRESET[value] }))}
          onPick={(value) => onPreset(WARMUP_PRESETS.find((one) => one === value) ?? preset)}
          refusal={refusal}
        />
      )}
      {preset === "CUSTOM" && (
        <div className="columns">
          {RAMP.map((name) => (
            <Field
              key={name}
              {...WARMUP_SETTING[name]}
              name={`config.${name}`}
              type="number"
              step={1}
              required
              limits={limitsIn(name)}
              defaultValue={config[name]}
              disabled={isReadOnly}
              refusal={refusal}
            />
          ))}
          <RateField name="replyRate" config={config} refusal={refusal} isReadOnly={isReadOnly} />
        </div>
      )}
    </>
  );
}

/** What is set beside the ramp. */
export function OtherFields({ config, refusal, isReadOnly = false }: FieldsProps) {
  return (
    <>
      <div className="columns">
        {isReadOnly ? (
          <Field {...WARMUP_SETTING.language} name="language" readOnly value={WARMUP_LANGUAGE[config.language]} />
        ) : (
          <Select
            {...WARMUP_SETTING.language}
            name="config.language"
            defaultValue={config.language}
            options={WARMUP_LANGUAGES.map((value) => ({ value, text: WARMUP_LANGUAGE[value] }))}
            refusal={refusal}
          />
        )}
        <Field
          {...WARMUP_SETTING.folder}
          name="config.folder"
          limits={limitsIn("folder")}
          defaultValue={config.folder}
          disabled={isReadOnly}
          refusal={refusal}
        />
        <RateField name="spamRescueRate" config={config} refusal={refusal} isReadOnly={isReadOnly} />
        <RateField name="importantRate" config={config} refusal={refusal} isReadOnly={isReadOnly} />
      </div>
      <label className="choice">
        <input type="checkbox" name="config.weekdaysOnly" defaultChecked={config.weekdaysOnly} disabled={isReadOnly} />{" "}
        {WARMUP_SETTING.weekdaysOnly.label}
      </label>
    </>
  );
}

function RateField({ name, config, refusal, isReadOnly = false }: FieldsProps & { name: Rates }) {
  const { min = 0, max = 1 } = limitsIn(name);
  return (
    <Field
      {...WARMUP_SETTING[name]}
      name={`config.${name}`}
      type="number"
      step={1}
      required
      min={min * PERCENT}
      max={max * PERCENT}
      defaultValue={Math.round(config[name] * PERCENT)}
      disabled={isReadOnly}
      refusal={refusal}
    />
  );
}

/** The settings that differ from `before`. The ramp counts only if it is one's own, because a preset sets its ramp. */
export function changedConfig(values: FormValues, preset: WarmupPreset, before: WarmupConfig): Partial<WarmupConfig> {
  const rate = (name: Rates) => {
    const typed = Number(values.text(`config.${name}`));
    // A share that was not changed keeps its digits behind the percent
    return typed === Math.round(before[name] * PERCENT) ? before[name] : typed / PERCENT;
  };
  const ramp = Object.fromEntries(RAMP.map((name) => [name, Number(values.text(`config.${name}`))]));
  const typed: Partial<WarmupConfig> = {
    ...(preset === "CUSTOM" && { ...ramp, replyRate: rate("replyRate") }),
    spamRescueRate: rate("spamRescueRate"),
    importantRate: rate("importantRate"),
    weekdaysOnly: values.isTicked("config.weekdaysOnly"),
    folder: values.text("config.folder").trim(),
    language: WARMUP_LANGUAGES.find((one) => one === values.text("config.language")) ?? before.language,
  };
  const old: Partial<Record<string, unknown>> = { ...before };
  return Object.fromEntries(Object.entries(typed).filter(([name, value]) => value !== old[name]));
}

interface RampEffectProps {
  config: WarmupConfig;
  preset: WarmupPreset;
  /** The daily warmup limit of the mailbox; null for several mailboxes. */
  limit: number | null;
}

/** What a ramp means from its first day on, with the limit of the mailbox. */
export function RampEffect({ config, preset, limit }: RampEffectProps) {
  const ramp = withPreset(config, preset);
  const cap = limit ?? Number.POSITIVE_INFINITY;
  const most = Math.min(ramp.max, cap);
  if (most === 0) return <p>{says.noneAllowed}</p>;
  return (
    <p>
      {says.ramp(rampTarget(ramp, 1, cap, false), ramp.increment, most)} {most < ramp.max && says.capped(most)}
    </p>
  );
}
