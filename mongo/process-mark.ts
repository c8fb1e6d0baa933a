import { readFileSync, readlinkSync } from "node:fs";

/**
 * Where this process runs: the boot of the machine, the namespace of process ids, and its id there. Null where the
 * system does not tell. A container has a namespace of its own.
 */
export function markOwnProcess(): string | null {
  const place = placeOfProcess();
  return place === null ? null : `${place} ${process.pid}`;
}

/**
 * Whether the process with this mark has surely ended: it ran in the same namespace, and its id is not in use. A
 * namespace whose number was used again proves it too, because all processes of the earlier one have ended.
 */
export function hasProcessEnded(mark: string | null): boolean {
  const [, place, pid] = /^(.+) (\d+)$/.exec(mark ?? "") ?? [];
  if (place === undefined || place !== placeOfProcess()) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
}

function placeOfProcess(): string | null {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return null;
  }
}
