import { createRequire } from "node:module";

/** The part of a driver's connection that this file patches. */
interface DriverConnection {
  error: Error | null;
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
}
type WriteCommand = (this: DriverConnection, ...command: unknown[]) => Promise<void>;

let isMended = false;

/**
 * Makes a command fail when its connection closes before the command is written. Without this patch the driver (7.5 to
 * 7.9) waits forever for the closed socket to drain, and the caller waits with it. After the failure the driver retries
 * the command or reports that the server is unreachable.
 */
export function failOnClosedConnections(): void {
  if (isMended) return;
  isMended = true;
  const require = createRequire(import.meta.url);
  // mongoose's own driver, which has no types for its internals
  const { Connection }: { Connection: { prototype: { writeCommand: WriteCommand } } } = createRequire(
    require.resolve("mongoose"),
  )("mongodb/lib/cmap/connection.js");
  const { prototype } = Connection;
  const { writeCommand } = prototype;
  prototype.writeCommand = async function (...command) {
    let close = () => {};
    const closed = new Promise<never>((_, reject) => {
      close = () => reject(this.error ?? new Error("The connection closed"));
      this.once("close", close);
    });
    try {
      await Promise.race([writeCommand.apply(this, command), closed]);
    } finally {
      this.off("close", close);
    }
  };
}
