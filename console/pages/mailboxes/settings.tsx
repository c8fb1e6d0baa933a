import { useState } from "react";
import type { In } from "../../api/call.ts";
import { useWrite } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Field, Select, TextArea } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { say } from "../../kit/toast.tsx";
import { settingsWords as says } from "../../words/en/mailboxes/mailbox.ts";
import { type Mailbox, RENEWS } from "./reads.ts";

type Manage = In<"post /mailboxes/manage">;
type Patch = Extract<Manage, { action: "updateSettings" }>["patch"];
type Workday = NonNullable<Mailbox["workday"]>;

const MOST_MAILS = 100_000;
const MOST_SECONDS = 86_400;
const USUAL_DAYS = [1, 2, 3, 4, 5];
/** A pattern for the times of day that the server accepts; 24:00 is the end of the day. */
const TIME = "([01][0-9]|2[0-3]):[0-5][0-9]|24:00";

/** The form for limits, gaps, hours and signature. Only changed fields are sent to the server. */
export function Settings({ mailbox }: { mailbox: Mailbox }) {
  const may = useMay();
  const { run, isRunning, refusal } = useWrite("post /mailboxes/manage", { renews: RENEWS });
  const [hasHours, setHours] = useState(mailbox.workday !== null);
  const isOpen = may("mailboxes:write");
  const save = async (values: FormValues) => {
    const patch = changesIn(values, mailbox);
    if (Object.keys(patch).length === 0) return say(says.unchanged);
    if ((await run({ action: "updateSettings", mailboxId: mailbox.id, patch })) !== null) say(says.saved);
  };
  const common = { refusal, disabled: !isOpen };
  const count = { ...common, type: "number", min: 0, step: 1 } as const;
  const form = (
    <>
      <div className="columns">
        <Field label={says.name} name="patch.name" maxLength={200} defaultValue={mailbox.name ?? ""} {...common} />
        <Field
          label={says.replyTo}
          hint={says.replyToHint}
          name="patch.replyTo"
          type="email"
          maxLength={254}
          defaultValue={mailbox.replyTo ?? ""}
          {...common}
        />
        <Field
          label={says.daily}
          hint={says.dailyHint}
          name="patch.dailySendLimit"
          max={MOST_MAILS}
          required
          defaultValue={mailbox.dailySendLimit}
          {...count}
        />
        <Field
          label={says.warmup}
          name="patch.warmupDailyLimit"
          max={MOST_MAILS}
          required
          defaultValue={mailbox.warmupDailyLimit}
          {...count}
        />
        <Field
          label={says.minGap}
          hint={says.gapHint}
          name="patch.minGapSeconds"
          max={MOST_SECONDS}
          defaultValue={mailbox.minGapSeconds ?? ""}
          {...count}
        />
        <Field
          label={says.maxGap}
          hint={says.gapHint}
          name="patch.maxGapSeconds"
          max={MOST_SECONDS}
          defaultValue={mailbox.maxGapSeconds ?? ""}
          {...count}
        />
      </div>
      {isOpen && (
        <Select
          label={says.hours}
          name="hours"
          value={hasHours ? "certain" : "always"}
          options={[
            { value: "always", text: says.always },
            { value: "certain", text: says.certain },
          ]}
          onPick={(value) => setHours(value === "certain")}
        />
      )}
      {hasHours && <Hours workday={mailbox.workday} common={common} />}
      <TextArea
        label={says.signature}
        name="patch.signatureHtml"
        maxLength={2_000}
        rows={4}
        defaultValue={mailbox.signatureHtml ?? ""}
        {...common}
      />
      <label className="choice">
        <input type="checkbox" name="patch.saveToSent" defaultChecked={mailbox.saveToSent} disabled={!isOpen} />{" "}
        {says.saveToSent}
      </label>
    </>
  );
  if (!isOpen) {
    return (
      <section aria-label={says.readOnly}>
        <p className="fine">{says.readOnly}</p>
        {form}
      </section>
    );
  }
  return (
    <Form
      act={says.save}
      isRunning={isRunning}
      refusal={refusal}
      fields={["patch"]}
      onSubmit={(values) => void save(values)}
    >
      {form}
    </Form>
  );
}

interface HoursProps {
  workday: Workday | null;
  common: { refusal: ReturnType<typeof useWrite>["refusal"]; disabled: boolean };
}

function Hours({ workday, common }: HoursProps) {
  const days = workday?.days ?? USUAL_DAYS;
  const time = {
    ...common,
    required: true,
    pattern: TIME,
    hint: says.timeHint,
    inputMode: "numeric",
    maxLength: 5,
  } as const;
  return (
    <>
      <fieldset className="chips" disabled={common.disabled}>
        <legend>{says.days}</legend>
        {says.weekdays.map((name, index) => (
          <label key={name} className="choice">
            <input type="checkbox" name="day" value={index + 1} defaultChecked={days.includes(index + 1)} /> {name}
          </label>
        ))}
      </fieldset>
      <div className="columns">
        <Field label={says.from} name="patch.workday.from" defaultValue={workday?.from ?? "09:00"} {...time} />
        <Field label={says.to} name="patch.workday.to" defaultValue={workday?.to ?? "17:00"} {...time} />
        <Field
          label={says.zone}
          name="patch.workday.timezone"
          list="zones"
          required
          defaultValue={workday?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone}
          {...common}
        />
        <datalist id="zones">
          {Intl.supportedValuesOf("timeZone").map((zone) => (
            <option key={zone} value={zone} />
          ))}
        </datalist>
      </div>
    </>
  );
}

/** The fields whose values differ from the mailbox's. */
function changesIn(values: FormValues, mailbox: Mailbox): Patch {
  const count = (name: string) => Number(values.text(`patch.${name}`));
  const gap = (name: string) => (values.given(`patch.${name}`) === undefined ? null : count(name));
  const text = (name: string) => values.given(`patch.${name}`)?.trim() || null;
  const typed = {
    name: text("name"),
    replyTo: text("replyTo"),
    dailySendLimit: count("dailySendLimit"),
    warmupDailyLimit: count("warmupDailyLimit"),
    minGapSeconds: gap("minGapSeconds"),
    maxGapSeconds: gap("maxGapSeconds"),
    signatureHtml: text("signatureHtml"),
    saveToSent: values.isTicked("patch.saveToSent"),
    workday: workdayIn(values),
  };
  const before: Record<string, unknown> = mailbox;
  const changed = Object.entries(typed).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed);
}

function workdayIn(values: FormValues): Workday | null {
  if (values.text("hours") !== "certain") return null;
  const of = (name: string) => values.text(`patch.workday.${name}`);
  return { timezone: of("timezone"), days: values.all("day").map(Number), from: of("from"), to: of("to") };
}
