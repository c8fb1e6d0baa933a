import { useEffect, useState } from "react";
import { HOUR_MS, MINUTE_MS } from "../../../domain/time/durations.ts";
import { Field } from "../../kit/field.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { replyWords as says } from "../../words/en/inbox.ts";
import { type Letter, useSending } from "./letter.ts";

const [MORNING, MONDAY, WEEK_DAYS] = [9, 1, 7];

interface LaterCardProps {
  letter: Letter;
  onDone: (sendAt: string) => void;
  onClose: () => void;
}

/** The form to schedule a reply: the time in the viewer's time zone, and the recipient. */
export function LaterCard({ letter, onDone, onClose }: LaterCardProps) {
  const [at, setAt] = useState(() => localText(inHours(1)));
  const [to, setTo] = useState<string | null>(null);
  const look = useSending();
  const sending = useSending();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the card opens
  useEffect(() => {
    void look.plan(letter, inHours(1).toISOString()).then((planned) => setTo(planned?.to ?? null));
  }, []);
  const instant = new Date(at);
  const isValid = !Number.isNaN(instant.getTime());
  const schedule = async () => {
    const planned = sending.isUncertain ? null : await sending.plan(letter, instant.toISOString());
    if (!sending.isUncertain && planned === null) return;
    if (planned !== null && planned.to !== to) return setTo(planned.to);
    const done = planned === null ? await sending.repeat() : await sending.commit(planned);
    if (done !== null) onDone(instant.toISOString());
  };
  const presets = [
    { name: says.presets.hour, at: inHours(1) },
    { name: says.presets.tomorrow, at: morningIn(1) },
    { name: says.presets.monday, at: morningIn(((MONDAY - new Date().getDay() + WEEK_DAYS - 1) % WEEK_DAYS) + 1) },
  ];
  return (
    <Confirm
      title={says.laterTitle}
      effect={
        <>
          <div className="buttons start">
            {presets.map(({ name, at }) => (
              <button
                key={name}
                type="button"
                aria-disabled={sending.isUncertain}
                onClick={() => !sending.isUncertain && setAt(localText(at))}
              >
                {name}
              </button>
            ))}
          </div>
          <Field
            label={says.laterAt}
            name="sendAt"
            type="datetime-local"
            required
            value={at}
            readOnly={sending.isUncertain}
            hint={says.laterZone(Intl.DateTimeFormat().resolvedOptions().timeZone)}
            refusal={sending.refusal}
            onChange={({ currentTarget: { value } }) => setAt(value)}
          />
          {to === null ? <Looking isLooking={look.isRunning} /> : <p>{says.laterEffect(to)}</p>}
          {sending.isUncertain && <p className="wrong">{says.uncertain}</p>}
        </>
      }
      act={says.laterAct}
      isRunning={sending.isRunning}
      isBlocked={to === null || !isValid}
      refusal={look.refusal ?? sending.refusal}
      onAct={() => void schedule()}
      onClose={onClose}
    />
  );
}

function inHours(hours: number): Date {
  return new Date(Date.now() + hours * HOUR_MS);
}

function morningIn(days: number): Date {
  const date = new Date();
  date.setDate(date.getDate() + days);
  date.setHours(MORNING, 0, 0, 0);
  return date;
}

/** A time in the format of `<input type="datetime-local">`, such as `2026-11-26T09:00`, in the viewer's time zone. */
function localText(date: Date): string {
  return new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS)
    .toISOString()
    .slice(0, "2026-11-26T09:00".length);
}
