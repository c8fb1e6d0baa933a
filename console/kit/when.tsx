import { now } from "../api/clock.ts";
import { words } from "../words/en.ts";
import { formatFully, formatInstant } from "../words/format.ts";

/** A time in the viewer's time zone, with the full time on hover. */
export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatFully(at)}>
      {formatInstant(at, now())}
    </time>
  );
}

/** A planned time; if it has passed, "due" is shown instead. */
export function Due({ at }: { at: string | null }) {
  if (at === null) return "–";
  return Date.parse(at) <= now() ? words.due : <When at={at} />;
}
