const WIDTH = 32;
const EVERY_MS = 5_000;

export interface Progress {
  /** `done` of `total` mails, and what to say behind the bar. */
  show(done: number, total: number, text: string): void;
  /** A line that stays, above the bar. */
  say(line: string): void;
  /** The bar as it is now stays, and is drawn no more. */
  end(): void;
}

/** A bar that is drawn over itself on a terminal; elsewhere a line now and then, when there is news. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  const { isTTY } = stream;
  let bar = "";
  let shownAt = 0;

  return {
    show(done, total, text) {
      const line = `  ${barOf(done / total)} ${done}/${total} mails  ${text}`;
      if (line === bar) return;
      if (!isTTY && Date.now() - shownAt < EVERY_MS) return;
      bar = line;
      shownAt = Date.now();
      stream.write(isTTY ? `\r\x1b[2K${line.slice(0, stream.columns - 1)}` : `${line}\n`);
    },
    say(line) {
      stream.write(isTTY && bar !== "" ? `\r\x1b[2K${line}\n${bar.slice(0, stream.columns - 1)}` : `${line}\n`);
    },
    end() {
      if (isTTY && bar !== "") stream.write("\n");
      bar = "";
    },
  };
}

function barOf(share: number): string {
  const full = Math.round(Math.min(1, share) * WIDTH);
  return `[${"#".repeat(full)}${".".repeat(WIDTH - full)}]`;
}
