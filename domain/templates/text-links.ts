const LINK = /https?:\/\/[^\s<>"\x00-\x1f\x7f]+/gi;

const BRACKETS = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
] as const;

/**
 * The text with each link replaced by the result of `change`; null leaves a link unchanged. Punctuation after a link is
 * not part of it.
 */
export function changeLinks(text: string, change: (url: string) => string | null): string {
  return text.replace(LINK, (found) => {
    const url = withoutPunctuation(found);
    return (change(url) ?? url) + found.slice(url.length);
  });
}

/**
 * Cuts punctuation of the sentence and closing brackets off the end of a link. A bracket that opens within the link is
 * part of the link.
 */
function withoutPunctuation(found: string): string {
  let url = found;
  for (let before = ""; before !== url; ) {
    before = url;
    url = url.replace(/[.,;:!?'…»”’]+$/u, "");
    for (const [open, close] of BRACKETS) {
      if (url.endsWith(close) && countOf(url, close) > countOf(url, open)) url = url.slice(0, -1);
    }
  }
  return url;
}

function countOf(text: string, character: string): number {
  return text.split(character).length - 1;
}
