import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/** This process and all its descendants, from /proc. */
export function treeOf(pid: number): number[] {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), parent: parentOf(name) }));
  const childrenOf = (of: number): number[] =>
    parents.flatMap((one) => (one.parent === of ? [one.pid, ...childrenOf(one.pid)] : []));
  return [pid, ...childrenOf(pid)];
}

/** The TCP ports on which a process listens, by /proc/net. */
export function listenedBy(pid: number): number[] {
  const inodes = new Set(
    readdirSync(`/proc/${pid}/fd`).map((fd) => /^socket:\[(\d+)\]$/.exec(targetOf(`/proc/${pid}/fd/${fd}`))?.[1]),
  );
  const rows = ["/proc/net/tcp", "/proc/net/tcp6"].flatMap((table) => readFileSync(table, "utf8").split("\n"));
  const columns = rows.map((line) => line.trim().split(/\s+/)).filter((row) => row[3] === "0A" && inodes.has(row[9]));
  return [...new Set(columns.map((row) => Number.parseInt(row[1]?.split(":")[1] ?? "", 16)))];
}

/** 0 for a process that has ended meanwhile. The name of the program, in parentheses, may have spaces. */
function parentOf(pid: string): number {
  try {
    return Number(
      readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ")[1],
    );
  } catch {
    return 0;
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return ""; // closed meanwhile
  }
}
