import { Spark } from "../charts/spark.tsx";
import { words } from "../words/en.ts";
import { formatCount } from "../words/format.ts";

export interface Figure {
  name: string;
  /** Null if it is not tracked, which differs from zero; undefined while it is being counted or if counting failed. */
  count: number | null | undefined;
  /** The number as a percentage of another number. */
  share?: string;
  /** How the number compares with an earlier one, in words. */
  change?: string;
  /** The numbers of which it is the sum, in the order of time. */
  parts?: readonly number[];
}

/** Numbers side by side, each with its name. */
export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="figures">
      {figures.map(({ name, count, share = "", change, parts }) => (
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
            {parts !== undefined && <Spark values={parts} />}
          </dd>
          {change !== undefined && <dd className="change">{change}</dd>}
        </div>
      ))}
    </dl>
  );
}
