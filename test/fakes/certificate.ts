import { generate } from "selfsigned";

/** A key and a certificate in PEM. Without an authority it is self-signed, so the certificate is its own authority. */
export interface Certificate {
  key: string;
  cert: string;
}

/** A certificate for localhost, 127.0.0.1 and any further names given. It uses EC, since RSA keys take long to make. */
export async function makeCertificate(names: string[] = [], authority?: Certificate): Promise<Certificate> {
  const altNames = ["localhost", ...names].map((value) => ({ type: 2 as const, value }));
  const isAuthority = authority === undefined;
  const made = await generate([{ name: "commonName", value: isAuthority ? "localhost" : "signed" }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    ...(authority && { ca: authority }),
    extensions: [
      { name: "basicConstraints", cA: isAuthority, critical: true },
      { name: "subjectAltName", altNames: [...altNames, { type: 7, ip: "127.0.0.1" }] },
    ],
  });
  return { key: made.private, cert: made.cert };
}
