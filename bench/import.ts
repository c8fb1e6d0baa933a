import { memoryOf } from "./processes.ts";
import { startRig } from "./rig.ts";
import { median, type Row, spread } from "./table.ts";

const ROWS = 50_000;
const ROUNDS = 3;

interface Round {
  rate: number;
  grownMb: number;
}

/** A file of the largest size, over HTTP, into a workspace of its own each time. */
export async function run(): Promise<Row> {
  const rounds: Round[] = [];
  while (rounds.length < ROUNDS) rounds.push(await importOnce());
  const [rates, grown] = [rounds.map(({ rate }) => rate), rounds.map(({ grownMb }) => grownMb)];
  return {
    title: "Lead import",
    how: `${ROWS.toLocaleString("en")} new rows of eight columns in one request, ${ROUNDS} times, each on a fresh API process and database; growth is that process's highest resident memory less what it had before.`,
    measured: [
      {
        what: "rows per second",
        goal: "at least 5,000",
        measured: `${median(rates).toFixed(0)} (${spread(rates, 0)})`,
        met: median(rates) >= 5_000,
      },
      {
        what: "growth of the API's memory",
        goal: "under 150 MB",
        measured: `${median(grown).toFixed(0)} MB (${spread(grown, 0)})`,
        met: median(grown) < 150,
      },
    ],
  };
}

async function importOnce(): Promise<Round> {
  const rig = await startRig();
  try {
    const { rest } = await rig.workspace();
    const body = JSON.stringify({ action: "commit", rows: Array.from({ length: ROWS }, (_, index) => rowOf(index)) });
    // What only the first request loads is not the import's
    await rest.post("/leads/import", { action: "commit", rows: [rowOf(-1)] });
    const before = await memoryOf(rig.api.pid);
    const started = performance.now();
    const answer = await rest.post("/leads/import", body);
    const seconds = (performance.now() - started) / 1000;
    if (answer.body.created !== ROWS)
      throw new Error(`The import was answered with ${answer.status}: ${JSON.stringify(answer.body).slice(0, 300)}`);
    const { peak } = await memoryOf(rig.api.pid);
    return { rate: ROWS / seconds, grownMb: peak - before.now };
  } finally {
    await rig.close();
  }
}

function rowOf(index: number) {
  const company = `company-${Math.floor(index / 7)}`;
  return {
    ...{ email: `person.${index}@${company}.test`, "First name": "Ada", "Last name": `Lovelace ${index}`, Company: company },
    ...{ "Job title": "Head of Engines", City: "London", Country: "GB", Industry: "Computing" },
  };
}
