/**
 * Characters that are not visible: controls, zero width, soft hyphen, direction and language marks, byte order mark,
 * fillers and variation selectors. Tab and line breaks are white space.
 */
const INVISIBLE = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}]/gu;
/** All spaces except the plain one, and the separators of lines. */
const SPACE = /[\p{Z}\u0085\u2800]/gu;
/** The characters that a keyboard types. All of them are visible. */
const PLAIN = /^[\x20-\x7e]*$/;

/** A text without invisible characters, and with plain spaces instead of other kinds. */
export function withoutInvisible(text: string): string {
  return PLAIN.test(text) ? text : text.replace(SPACE, " ").replace(INVISIBLE, "");
}
