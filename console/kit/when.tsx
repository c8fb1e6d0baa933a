import { now } from "../api/clock.ts";
import { words } from "../words/en.ts";
import { formatFully, formatInstant } from "../words/format.ts";

/** An instant in the viewer's time zone, with the full time on hover. */
export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatFully(at)}>
      {formatInstant(at, now())}
    </time>
  );
}

/** A future instant; one that has passed is shown as due, because a plan in the past is not a plan. */
export function Due({ at }: { at: string | null }) {
  if (at === null) return "–";
  return Date.parse(at) <= now() ? words.due : <When at={at} />;
}
