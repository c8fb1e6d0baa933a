import { type KeyboardEvent, useRef, useState } from "react";
import { Scrolling } from "../../kit/scrolling.tsx";
import { scheduleWords as says } from "../../words/en/campaign-setup/schedule.ts";
import { HOURS_OF_DAY, shareOfHour, type Week, withHour } from "./week.ts";

interface WeekGridProps {
  week: Week;
  isDisabled: boolean;
  /** Receives how the week changes, because several changes may come before the page shows the first one. */
  onChange: (change: (week: Week) => Week) => void;
}

const HOURS = Array.from({ length: HOURS_OF_DAY }, (_, hour) => hour);
const MOVES: Readonly<Record<string, readonly [day: number, hour: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};
const PRESSED = { ALL: true, SOME: "mixed", NONE: false } as const;

/**
 * The hours of a week, each a button that opens or closes it. Dragging paints several. The arrow keys move between the
 * hours, so that Tab passes the grid in one step.
 */
export function WeekGrid({ week, isDisabled, onChange }: WeekGridProps) {
  const [at, setAt] = useState<readonly [day: number, hour: number]>([0, 9]);
  const grid = useRef<HTMLTableElement>(null);
  /** Whether dragging opens or closes hours; null while nothing is dragged. */
  const paints = useRef<boolean | null>(null);
  const set = (day: number, hour: number, isOpen: boolean) => {
    setAt([day, hour]);
    onChange((present) => withHour(present, { day, hour, isOpen }));
  };
  const isFull = (day: number, hour: number) => shareOfHour(week, day, hour) === "ALL";
  const move = (event: KeyboardEvent) => {
    const step = MOVES[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const day = Math.max(0, Math.min(week.length - 1, at[0] + step[0]));
    const hour = Math.max(0, Math.min(HOURS_OF_DAY - 1, at[1] + step[1]));
    setAt([day, hour]);
    grid.current?.querySelectorAll("button")[day * HOURS_OF_DAY + hour]?.focus();
  };
  return (
    <Scrolling label={says.grid}>
      <table ref={grid} className="week" onKeyDown={move} onPointerLeave={() => (paints.current = null)}>
        <thead>
          <tr>
            <th scope="col">
              <span className="hidden">{says.day}</span>
            </th>
            {HOURS.map((hour) => (
              <th key={hour} scope="col">
                {hour}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {week.map((_, day) => (
            <tr key={says.weekdays[day]}>
              <th scope="row">{says.shortDays[day]}</th>
              {HOURS.map((hour) => (
                <td key={hour}>
                  <button
                    type="button"
                    disabled={isDisabled}
                    tabIndex={at[0] === day && at[1] === hour ? 0 : -1}
                    aria-label={says.hour(day, hour)}
                    aria-pressed={PRESSED[shareOfHour(week, day, hour)]}
                    onPointerDown={(event) => {
                      // A finger scrolls; only a mouse or a pen paints
                      if (event.pointerType === "touch" || event.button !== 0) return;
                      paints.current = !isFull(day, hour);
                      set(day, hour, paints.current);
                    }}
                    onPointerEnter={({ buttons }) => {
                      if (buttons !== 1) paints.current = null;
                      if (paints.current !== null) set(day, hour, paints.current);
                    }}
                    onClick={(event) => {
                      if (paints.current === null || event.detail === 0) set(day, hour, !isFull(day, hour));
                      paints.current = null;
                    }}
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}
