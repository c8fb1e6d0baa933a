import { spawn } from "node:child_process";
import type { WriteLine } from "./find.ts";

export interface Tool {
  /** What it does, shown to the person who waits. */
  doing: string;
  command: string;
  args: string[];
  cwd?: string;
  /** What to count in the lines of its standard error while it runs, such as packages compiled. */
  counts?: Readonly<Record<string, RegExp>>;
}

/** How often progress is shown: in place on a terminal, else as a line, so that a log of minutes is not silent. */
const [TERMINAL_MS, LOG_MS] = [500, 20_000];

/**
 * Runs a command to its end and returns its standard output. Meanwhile it shows the seconds and either what `counts`
 * counted or the last line of its standard error. @throws Error with the command's last lines when it fails or is not
 * installed.
 */
export async function runTool({ doing, command, args, cwd, counts = {} }: Tool, log: WriteLine): Promise<string> {
  log(`${doing} …`);
  const started = Date.now();
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], ...(cwd ? { cwd } : {}) });
  const written = { stdout: "", stderr: "" };
  const counted = new Map<string, number>();
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    written.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    written.stderr = (written.stderr + text).slice(-4_000);
    for (const [what, pattern] of Object.entries(counts)) {
      counted.set(what, (counted.get(what) ?? 0) + text.split("\n").filter((line) => pattern.test(line)).length);
    }
  });
  const progress = () => {
    const numbers = [...counted].map(([what, count]) => `${count} ${what}`).join(", ");
    return `${Math.round((Date.now() - started) / 1000)} s  ${numbers || lastLine(written.stderr).slice(0, 80)}`;
  };
  const ticker = process.stderr.isTTY
    ? setInterval(() => process.stderr.write(`\r\x1b[K  ${progress()}`), TERMINAL_MS)
    : setInterval(() => log(`  ${progress()}`), LOG_MS);
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", (err) =>
        reject("code" in err && err.code === "ENOENT" ? new Error(`${command} is not installed`) : err),
      );
      child.once("close", resolve);
    });
    if (code !== 0)
      throw new Error(`${command} failed: ${lastLine(written.stderr) || lastLine(written.stdout) || `exit ${code}`}`);
    return written.stdout;
  } finally {
    clearInterval(ticker);
    if (process.stderr.isTTY) process.stderr.write("\r\x1b[K");
  }
}

function lastLine(text: string): string {
  return (
    text
      .trim()
      .split(/[\r\n]+/)
      .at(-1) ?? ""
  );
}
