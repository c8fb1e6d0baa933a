import { createRequire } from "node:module";

/** The part of a connection of the driver that is mended here. */
interface DriverConnection {
  error: Error | null;
  once(event: "close", listener: () => void): unknown;
  off(event: "close", listener: () => void): unknown;
}
type WriteCommand = (this: DriverConnection, ...command: unknown[]) => Promise<void>;

let isMended = false;

/**
 * Has a command fail whose connection closes before it is written: the driver (7.5 to 7.9) then waits for ever for the
 * closed socket to drain, and so does the caller. With the failure it asks again or says that the server is away.
 */
export function failOnClosedConnections(): void {
  if (isMended) return;
  isMended = true;
  const require = createRequire(import.meta.url);
  // mongoose's own driver, which has no types of its insides
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
