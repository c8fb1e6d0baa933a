/** Processor milliseconds of this thread: the cost of reading a text, however busy the machine is. */
export function threadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
