import { channel } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { Session } from "node:inspector";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * In a worker of the test runner: notes for each test file how long it took, how much processor time it and its child processes used,
 * which files of the project it ran functions of, and which programs of the project it started. `npm run test:record` collects the notes.
 */
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TICKS_PER_SECOND = 100;

/** @param {string} folder receives one JSON file per test file */
export function recordTestFiles(folder) {
  const coverage = startCoverage();
  let started = [];
  let began = null;
  channel("child_process").subscribe(({ process: child }) => started.push(child));
  process.prependListener("message", (message) => {
    if (message?.source !== "port" || typeof message.task !== "string") return;
    coverage.take();
    started = [];
    began = { path: relative(ROOT, message.task), at: performance.now(), cpu: processorSeconds() };
  });
  const send = process.send.bind(process);
  process.send = (message, ...rest) => {
    if (message?.source === "port" && began !== null)
      void writeFile(join(folder, nameOf(began.path)), JSON.stringify(noted(began)));
    return send(message, ...rest);
  };

  function noted({ path, at, cpu }) {
    return {
      path,
      seconds: (performance.now() - at) / 1_000,
      cpu: processorSeconds() - cpu,
      files: coverage.take(),
      programs: [
        ...new Set(
          started.flatMap(({ spawnargs = [] }) =>
            spawnargs.filter(isProgram).map((arg) => relative(ROOT, join(ROOT, relative(ROOT, arg)))),
          ),
        ),
      ],
    };
  }
}

function nameOf(path) {
  return `${path.replaceAll("/", "+")}.json`;
}

function isProgram(arg) {
  return /^[\w./-]+\.[jt]s$/.test(arg) && !arg.includes("node_modules");
}

/** Own time and that of ended child processes, in seconds; on systems without /proc only the own time. */
function processorSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenSeconds();
}

function childrenSeconds() {
  try {
    const fields = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ");
    return (Number(fields[13]) + Number(fields[14])) / TICKS_PER_SECOND;
  } catch {
    return 0;
  }
}

/** Which files ran a function since the last call; loading a file does not count. */
function startCoverage() {
  const session = new Session();
  session.connect();
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  return {
    take() {
      const files = new Set();
      session.post("Profiler.takePreciseCoverage", (_, { result }) => {
        for (const { url, functions } of result) {
          if (!url.startsWith("file:") || url.includes("/node_modules/")) continue;
          // The first function is the module itself
          if (functions.slice(1).some(({ ranges }) => ranges[0].count > 0))
            files.add(relative(ROOT, fileURLToPath(url.split("?")[0])));
        }
      });
      return [...files].filter((file) => !file.startsWith("..")).sort();
    },
  };
}
