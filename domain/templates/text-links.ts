const LINK = /https?:\/\/[^\s<>"\x00-\x1f\x7f]+/gi;

const BRACKETS = [
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
] as const;

/** The text with each link changed by `change`; null leaves one as it is. Punctuation after a link is no part of it. */
export function changeLinks(text: string, change: (url: string) => string | null): string {
  return text.replace(LINK, (found) => {
    const url = withoutPunctuation(found);
    return (change(url) ?? url) + found.slice(url.length);
  });
}

/**
 * A sentence goes on after a link, and brackets around it close after it: only those that opened within it are its own.
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
