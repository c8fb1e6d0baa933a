import { importGraph } from "./imports.ts";
import type { Timings } from "./timings.ts";

/** Tests that read the project's files themselves, so that any change may concern them. */
const ALWAYS = /^test\/(rules|guards)\//;
/** Pages run in a browser, where no coverage is recorded. */
const PAGES = /^console\//;
const PAGE_TESTS = /^test\/console\//;

/** Test files that a change of this file may break. */
export type Reaching = (file: string) => string[];

/**
 * Which tests reach a file: by their imports within `test/`, by the functions that ran in the last recorded run, and by
 * the imports of the programs that they start. A file that no test is recorded to reach, because it is new or only
 * data, counts as the files that load it.
 */
export function reachingOf(tests: readonly string[], timings: Timings, sources: readonly string[]): Reaching {
  const loads = importGraph();
  const reached = new Map(tests.map((test) => [test, reachedBy(test)] as const));
  const recorded = new Set(Object.values(timings).flatMap(({ files }) => files));

  function reachedBy(test: string): Set<string> {
    const { files = [], programs = [] } = timings[test] ?? {};
    const isRecorded = timings[test] !== undefined;
    const own = [...loads(test)].filter((file) => !isRecorded || file.startsWith("test/"));
    return new Set([...own, ...files, ...programs.flatMap((program) => [...loads(program)])]);
  }

  function standIns(file: string): string[] {
    if (recorded.has(file) || file.startsWith("test/")) return [file];
    const users = sources.filter((source) => source !== file && loads(source).has(file));
    return [file, ...users.filter((user) => recorded.has(user))];
  }

  return (file) => {
    const files = standIns(file);
    return tests.filter(
      (test) =>
        ALWAYS.test(test) ||
        (PAGES.test(file) && PAGE_TESTS.test(test)) ||
        files.some((one) => reached.get(test)?.has(one) === true),
    );
  };
}
