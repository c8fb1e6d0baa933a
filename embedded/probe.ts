/** How long a machine without the vendor's network waits for it. */
const PROBE_MS = 3_000;

/** Throws within three seconds when the host does not answer; what it answers is of no interest. */
export async function probe(url: string): Promise<void> {
  try {
    await fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(PROBE_MS) });
  } catch (err) {
    throw new Error(`${new URL(url).host} does not answer`, { cause: err });
  }
}
