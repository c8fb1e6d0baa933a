import { loadavg } from "node:os";

/** One line in the table of a row. */
export interface Measured {
  what: string;
  goal: string;
  measured: string;
  /** Null for a value that is shown without a goal. */
  met: boolean | null;
}

export interface Row {
  title: string;
  /** How it was measured, in one or two sentences. */
  how: string;
  measured: Measured[];
  /** The individual runs, for readers who want to check the medians, or another table. */
  runs?: { title?: string; head: string[]; lines: (string | number)[][] };
}

export function sectionOf({ title, how, measured, runs }: Row): string {
  const lines = measured.map(({ what, goal, measured, met }) => [
    what,
    goal,
    measured,
    met === null ? "" : met ? "yes" : "**no**",
  ]);
  const parts = [`## ${title}`, how, tableOf(["what", "goal", "measured", "met"], lines)];
  if (runs !== undefined) parts.push(`${runs.title ?? "Run by run"}:`, tableOf(runs.head, runs.lines));
  parts.push(
    `Load of the machine at the end: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(", ")}.`,
  );
  return `${parts.join("\n\n")}\n`;
}

function tableOf(head: string[], lines: (string | number)[][]): string {
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

/** The quantile of numbers: a share of 0.5 gives the median. NaN for an empty list. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function median(numbers: readonly number[]): number {
  return (
    (quantile(numbers, 0.5) +
      quantile(
        numbers.map((number) => -number),
        0.5,
      ) *
        -1) /
    2
  );
}

/** The lowest and the highest number, as text. */
export function spread(numbers: readonly number[], digits: number): string {
  return `${Math.min(...numbers).toFixed(digits)} to ${Math.max(...numbers).toFixed(digits)}`;
}

export function ms(milliseconds: number): string {
  return `${milliseconds.toFixed(0)} ms`;
}

/** How long the work takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
