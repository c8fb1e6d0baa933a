/** Whether a body has this signature by this secret, as a receiver finds out. Works on pages by https, or on this machine, alone. */
export async function isSignedBy(secret: string, body: string, header: string): Promise<boolean> {
  const bytes = new TextEncoder();
  const key = await crypto.subtle.importKey("raw", bytes.encode(secret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, bytes.encode(body)));
  return header === `sha256=${[...mac].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
