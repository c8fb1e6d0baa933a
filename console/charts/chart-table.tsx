import { Scrolling } from "../kit/scrolling.tsx";
import { words } from "../words/en.ts";

interface ChartTableProps {
  /** The title of the chart. */
  title: string;
  heads: readonly string[];
  /** The first cell is the heading of its row. */
  rows: readonly (readonly string[])[];
}

/** The numbers behind a chart, for people who cannot see it or want exact values. */
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
