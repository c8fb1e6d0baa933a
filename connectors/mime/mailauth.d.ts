declare module "mailauth/lib/tools.js" {
  /** Rejects when the record holds no usable key. `resolver` as node:dns gives TXT records. */
  export function getPublicKey(
    type: "DKIM",
    name: string,
    minBitLength: number,
    resolver: (name: string, type: string) => Promise<unknown[]>,
  ): Promise<{ publicKey: string }>;
}
