import type { ConsoleFiles } from "../../api/console/pages.ts";
import { programEnv } from "../../config.ts";
import { cacheFolder } from "../../embedded/programs/cache.ts";
import { findConsole } from "../../runtime/console-files.ts";
import { createLog } from "../../runtime/log.ts";
import { until } from "../fakes/wait.ts";

const BUILD_MS = 90_000;

/** The console of these sources, built as a first start builds it. */
export async function builtConsole(): Promise<ConsoleFiles> {
  const lines: string[] = [];
  const files = findConsole(
    cacheFolder(programEnv()),
    createLog("error", { write: (line) => lines.push(line) }),
    new AbortController().signal,
  );
  await until(() => files.state() !== "BUILDING", { deadlineMs: BUILD_MS, what: "the console" });
  if (files.state() !== "READY") throw new Error(`The console could not be built:\n${lines.join("")}`);
  return files;
}
