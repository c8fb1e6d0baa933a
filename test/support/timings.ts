import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What the last recorded run noted about one test file. */
export interface Timing {
  /** From the first line of the file to its last test, on two cores. */
  seconds: number;
  /** Processor seconds of the file and of the child processes that had ended with it. */
  cpu: number;
  /** Files of the project that ran a function for it, in its own process. */
  files: string[];
  /** Programs of the project that it started as child processes. */
  programs: string[];
}

export type Timings = Record<string, Timing>;

interface Stored {
  /** Every file that some test reaches; a test's `reaches` is a bit for each of them, in base64. */
  sources: string[];
  tests: Record<string, { seconds: number; cpu: number; programs?: string[]; reaches: string }>;
}

const PATH = fileURLToPath(new URL("../timings.json", import.meta.url));

/** What `npm run test:record` recorded, by test file. A test file that is newer than the record is missing. */
export function readTimings(): Timings {
  if (!existsSync(PATH)) return {};
  const { sources, tests }: Stored = JSON.parse(readFileSync(PATH, "utf8"));
  return Object.fromEntries(
    Object.entries(tests).map(([path, { reaches, programs = [], ...times }]) => {
      const bits = Buffer.from(reaches, "base64");
      const files = sources.filter((_, index) => ((bits[index >> 3] ?? 0) & (1 << (index & 7))) !== 0);
      return [path, { ...times, programs, files }];
    }),
  );
}

export function writeTimings(timings: Timings): void {
  const paths = Object.keys(timings).sort();
  const sources = [...new Set(Object.values(timings).flatMap(({ files }) => files))].sort();
  const places = new Map(sources.map((source, index) => [source, index]));
  const lines = paths.map((path) => {
    const { seconds = 0, cpu = 0, files = [], programs = [] } = timings[path] ?? {};
    const bits = Buffer.alloc(Math.ceil(sources.length / 8));
    for (const file of files) {
      const at = places.get(file) ?? 0;
      bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7));
    }
    const noted = {
      seconds: round(seconds),
      cpu: round(cpu),
      ...(programs.length > 0 && { programs }),
      reaches: bits.toString("base64"),
    };
    return `    ${JSON.stringify(path)}: ${JSON.stringify(noted)}`;
  });
  const list = sources.map((source) => `    ${JSON.stringify(source)}`);
  writeFileSync(PATH, `{\n  "sources": [\n${list.join(",\n")}\n  ],\n  "tests": {\n${lines.join(",\n")}\n  }\n}\n`);
}

function round(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
