declare module "mailauth/lib/tools.js" {
  /** Rejects when the record contains no usable key. `resolver` returns TXT records as node:dns gives them. */
  export function getPublicKey(
    type: "DKIM",
    name: string,
    minBitLength: number,
    resolver: (name: string, type: string) => Promise<unknown[]>,
  ): Promise<{ publicKey: string }>;
}
