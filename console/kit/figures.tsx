import { words } from "../words/en.ts";
import { formatCount } from "../words/format.ts";

export interface Figure {
  name: string;
  /** Null: not tracked, which is no zero. Undefined: not counted yet, or it could not be. */
  count: number | null | undefined;
  /** What it is of another number. */
  share?: string;
}

/** Numbers beside each other, each with its name. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="figures">
      {figures.map(({ name, count, share = "" }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {count === null ? (
              <span className="fine">{words.untracked}</span>
            ) : count === undefined ? (
              "–"
            ) : (
              formatCount(count)
            )}
            {share !== "" && <span className="fine"> {share}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
