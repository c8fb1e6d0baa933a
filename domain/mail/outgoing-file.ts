/** A file that goes out with an email. `id` names one upload. `size` is in bytes, `sha256` in hexadecimal. */
export interface OutgoingFile {
  id: string;
  fileName: string;
  contentType: string;
  size: number;
  sha256: string;
}

/**
 * The most files of one email, and the most bytes of all of them. Encoded for sending, these bytes stay under 10 MiB,
 * which servers commonly accept (rules/mail 1.6).
 */
export const MAX_FILES = 10;
export const MAX_FILE_BYTES = 7_000_000;

/** File extensions that the large providers refuse as an attachment, whatever the file contains. */
const REFUSED = new Set(
  `ade adp apk appx appxbundle bat cab chm cmd com cpl diagcab diagcfg diagpkg dll dmg ex ex_ exe hta img ins iso isp jar jnlp js jse lib
  lnk mde mjs msc msi msix msixbundle msp mst nsh pif ps1 ps2 reg scr sct shb sys url vb vbe vbs vhd vhdx vxd wsc wsf wsh xll`.split(
    /\s+/,
  ),
);
const LONGEST_NAME = 200;
const TYPE = /^(?!message\/|multipart\/)[a-z]+\/[a-z0-9][a-z0-9.+-]{0,99}$/;

/** The name of a file without folders and controls, at most 200 characters, its extension kept. */
export function fileNameOf(fileName: string): string {
  const name = (fileName.normalize("NFC").split(/[/\\]/).at(-1) ?? "")
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, "")
    .replaceAll(/[<>:"|?*]/g, "_")
    .trim();
  if (/^\.*$/.test(name)) return "file";
  const extension = /\.[^.]{1,16}$/.exec(name)?.[0] ?? "";
  const characters = Array.from(name.slice(0, name.length - extension.length));
  return `${characters.slice(0, LONGEST_NAME - extension.length).join("")}${extension}`;
}

/**
 * The type of a file in the form that a header needs. A text that is not a media type, or a type that mail programs
 * would show as a separate email, becomes `application/octet-stream`.
 */
export function contentTypeOf(contentType: string): string {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return TYPE.test(type) ? type : "application/octet-stream";
}

/** The extension because of which providers refuse a file; null when they accept it. */
export function refusedExtension(fileName: string): string | null {
  const extension = /\.([^.]+?)[\s.]*$/.exec(fileName)?.[1]?.toLowerCase() ?? "";
  return REFUSED.has(extension) ? extension : null;
}
