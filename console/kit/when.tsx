import { now } from "../api/clock.ts";
import { words } from "../words/en.ts";
import { formatFully, formatInstant } from "../words/format.ts";

/** An instant in the viewer's zone; in full behind it. */
export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatFully(at)}>
      {formatInstant(at, now())}
    </time>
  );
}

/** An instant to come: one that has passed is due, since a plan in the past is none. */
export function Due({ at }: { at: string | null }) {
  if (at === null) return "–";
  return Date.parse(at) <= now() ? words.due : <When at={at} />;
}
