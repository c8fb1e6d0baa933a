import { createHmac, timingSafeEqual } from "node:crypto";

/**
 * How many seconds a signature may differ from our clock. An older signature may be a replayed request (rules/billing
 * 1.2).
 */
const TOLERANCE_S = 300;
const MOST_SIGNATURES = 10;

/** Whether the header `t=<seconds>,v1=<hex>[,v1=<hex>]` is a valid and recent signature of exactly these bytes. */
export function isSignedByStripe(secret: string, header: string, body: Uint8Array, nowMs: number): boolean {
  const parts = header.split(",").map((part) => part.split("=", 2));
  const seconds = parts.find(([name]) => name === "t")?.[1] ?? "";
  if (!/^\d{1,12}$/.test(seconds) || Math.abs(nowMs / 1_000 - Number(seconds)) > TOLERANCE_S) return false;
  const right = createHmac("sha256", secret).update(`${seconds}.`).update(body).digest();
  const signatures = parts.flatMap(([name, value = ""]) =>
    name === "v1" && /^[0-9a-f]{64}$/.test(value) ? [value] : [],
  );
  return signatures.slice(0, MOST_SIGNATURES).some((one) => timingSafeEqual(Buffer.from(one, "hex"), right));
}
