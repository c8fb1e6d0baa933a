/**
 * What programs write where nothing is known (rules/leads 2.5). `Null` and `None` are names of people and companies, so they count only as
 * programs write them, and `NA` is a country.
 */
const PLACEHOLDER =
  /^(?:NULL|null|\(null\)|\\N|undefined|NaN|[nN]\/[aA]|[nN]\.[aA]\.?|#(?:N\/A|NULL!|REF!|VALUE!|NAME\?|DIV\/0!|NUM!|ERROR!)|[-–—]+|\?+)$/;

/** Whether a text would be read as nothing. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text.trim());
}

/** Whether a cell says nothing. */
export function isEmptyCell(cell: unknown): boolean {
  return cell === null || cell === undefined || (typeof cell === "string" && (cell.trim() === "" || isPlaceholder(cell)));
}
