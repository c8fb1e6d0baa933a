const WIDTH = 32;
const EVERY_MS = 5_000;

export interface Progress {
  /** `done` of `total` emails, and the text to show behind the bar. */
  show(done: number, total: number, text: string): void;
  /** Prints a line that stays, above the bar. */
  say(line: string): void;
  /** Leaves the bar as it is, and draws it no more. */
  end(): void;
}

/** A bar that is redrawn in place on a terminal; elsewhere an occasional line when something has changed. */
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
