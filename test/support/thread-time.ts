/** Milliseconds of the processor that this thread has used: what a text costs to read, however busy the machine is. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
