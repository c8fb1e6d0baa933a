/** Copies a text; false where that cannot be. The types say that every page has a clipboard; one over plain http has none. */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
