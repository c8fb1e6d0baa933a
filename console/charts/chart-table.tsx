import { Scrolling } from "../kit/scrolling.tsx";
import { words } from "../words/en.ts";

interface ChartTableProps {
  /** What the picture shows. */
  title: string;
  heads: readonly string[];
  /** The first cell of a row names it. */
  rows: readonly (readonly string[])[];
}

/** The numbers behind a picture, for whoever cannot see it or wants them exactly. */
export function ChartTable({ title, heads, rows }: ChartTableProps) {
  return (
    <details>
      <summary>{words.asTable}</summary>
      <Scrolling label={title}>
        <table>
          <thead>
            <tr>
              {heads.map((head, index) => (
                <th key={head} scope="col" className={index === 0 ? "" : "number"}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name = "", ...cells]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, index) => (
                  <td key={heads[index + 1]} className="number">
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolling>
    </details>
  );
}
